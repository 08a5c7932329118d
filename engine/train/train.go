// Package train fits the weights of the engine's models: gradients, an
// optimizer, and the steps and epochs that use them. It stands beside
// engine/transformer, whose models it trains, at the start of engine -> runner ->
// store -> compare -> reports; the training workloads measure it.
//
// Two things can be trained. A Trainer teaches a transformer to predict the next
// token of a text: Step takes a batch of sequences, Epoch cuts a text into
// batches. An MLP is a classifier with one hidden layer, small enough to
// measure a step's overhead with. Both use AdamW.
//
// A Trainer is data-parallel: a batch is cut into shards, each with its own
// activations and gradients, and as many workers as there are processors compute
// them. The number of shards is an option and the gradients are added in the
// order of the shards, so that losses and weights are equal bit by bit whatever
// the number of processors and the scheduling. They do depend on the number of
// shards, since float32 sums depend on their order. Between architectures the
// last bit may differ, where a compiler fuses a multiplication with an addition.
//
// Everything that computes takes the stack of a profile, nil for none:
//
//	train_epoch
//	  Batch_Processing           copying the windows of a batch, and the step on them
//	    train_step
//	      Parallel_Training
//	        Zero_Gradients       these four on the stacks of the workers
//	        Forward_Pass         and in it the scopes of the model
//	        Loss_Computation
//	        Backward             and in it those of the model, from the end
//	      Reduce_Gradients       adding up the shards
//	      Optimizer
//
// In steady state a step allocates nothing.
//
// Begin with trainer.go, then step.go, backward.go and adamw.go; mlp.go and layer.go are
// the classifier, clusters.go makes data for it.
package train

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/transformer"
)

// StepFLOPs returns the operations of a Trainer's step over so many sequences of
// length tokens: three times those of the forward pass, since the gradients of
// a matrix product are two products of its size (Kaplan et al.,
// arXiv:2001.08361, section 2.1). As there, biases, norms, activation functions
// and the optimizer are left out.
func StepFLOPs(c transformer.Config, sequences, length int) int64 {
	return 3 * int64(sequences) * c.ForwardFLOPs(length)
}

// checkLoss says that training has diverged, and what to do about it. The
// optimizer has not run then: the weights are those before the step.
func checkLoss(loss, learningRate float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("the loss is %v: the weights have diverged, start again with a learning rate below %g", loss, learningRate)
	}
	return nil
}
