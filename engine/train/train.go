// Package train trains the engine's models. It provides gradients, an optimizer, and the steps and
// epochs that use them. The training workloads measure it.
//
// Two kinds of model can be trained. A Trainer teaches a transformer to predict the next token of a
// text; its Step takes a batch of sequences and its Epoch cuts a text into batches. An MLP is a
// classifier with one hidden layer, small enough to show the overhead of a step. Both use AdamW.
//
// A Trainer is data-parallel: it divides a batch into shards, each with its own activations and
// gradients, and as many workers as there are processors compute the shards. The number of shards
// is an option, and the gradients are added in the order of the shards, so losses and weights are
// the same, bit for bit, for any number of processors and any scheduling. They do depend on the
// number of shards, since float32 sums depend on their order. Between architectures the last bit
// may differ, because some compilers fuse multiplications with additions.
//
// Every function that computes something takes a profile's stack, or nil, and opens these scopes in
// it:
//
//	train_epoch
//	  Batch_Processing           copying the windows of a batch, and the step on them
//	    train_step
//	      Parallel_Training
//	        Zero_Gradients       these four on the stacks of the workers
//	        Forward_Pass         and in it the scopes of the model
//	        Loss_Computation
//	        Backward             and in it the model's scopes, from the end
//	      Reduce_Gradients       adding up the shards
//	      Optimizer
//
// In steady state a step allocates nothing.
//
// Begin with trainer.go, then step.go, backward.go and adamw.go; mlp.go and layer.go contain the
// classifier, and clusters.go generates data for it.
package train

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/transformer"
)

// StepFLOPs returns the number of operations in a Trainer's step over this many sequences of length
// tokens. It is three times the number of the forward pass, since the gradients of a matrix product
// take two products of the same size (Kaplan et al., arXiv:2001.08361, section 2.1). As in that
// paper, biases, norms, activation functions and the optimizer are left out.
func StepFLOPs(c transformer.Config, sequences, length int) int64 {
	return 3 * int64(sequences) * c.ForwardFLOPs(length)
}

// checkLoss returns an error with advice if training has diverged. It is called before the
// optimizer runs, so the weights are still unchanged.
func checkLoss(loss, learningRate float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("the loss is %v: the weights have diverged, start again with a learning rate below %g", loss, learningRate)
	}
	return nil
}
