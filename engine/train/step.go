package train

import (
	"fmt"
	"runtime"

	"github.com/perftrack/perftrack/engine/profile"
)

// Step computes the gradients of the batch's loss, changes the weights by them,
// and returns the loss before the change: the mean over all tokens, in nats, of
// the cross-entropy of the target. The sequences may differ in length.
//
// It is an error if the batch is empty or larger than Options.Batch, if a
// sequence is empty, longer than Options.Length or the context, or holds a token
// that is not in the vocabulary, and if the loss is not finite. The weights and
// the optimizer are then as before.
func (t *Trainer) Step(p *profile.Stack, batch []Sequence) (loss float64, err error) {
	defer p.Scope("train_step").End()
	if err := t.check(batch); err != nil {
		return 0, fmt.Errorf("train step %d: %w", t.Steps()+1, err)
	}
	t.begin(batch)
	t.computeShards(p)
	loss, err = t.loss()
	if err != nil {
		return loss, fmt.Errorf("train step %d: %w", t.Steps()+1, err)
	}
	t.reduce(p)
	t.optimize(p)
	t.samples += len(batch)
	t.tokens += t.count
	return loss, nil
}

// begin makes batch the one that is being computed.
func (t *Trainer) begin(batch []Sequence) {
	t.batch, t.count = batch, 0
	for _, s := range batch {
		t.count += len(s.Tokens)
	}
	t.used = min(len(t.shards), len(batch))
	t.next.Store(0)
}

// computeShards lets the workers compute all shards. The caller's goroutine is
// one of them, so that one worker starts none.
func (t *Trainer) computeShards(p *profile.Stack) {
	defer p.Scope("Parallel_Training").End()
	workers := t.options.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, t.used)
	for w := range workers {
		t.stacks[w] = p.Fork()
	}
	t.wait.Add(workers)
	for w := 1; w < workers; w++ {
		go t.workers[w]()
	}
	t.workers[0]()
	t.wait.Wait()
}

// work computes shards until all are taken. Which ones is a matter of
// scheduling, and of no consequence.
func (t *Trainer) work(worker int) {
	p := t.stacks[worker]
	defer p.Close()
	for {
		i := int(t.next.Add(1)) - 1
		if i >= t.used {
			return
		}
		t.compute(p, i)
	}
}

// compute leaves in a shard the loss and the gradients of its sequences: the
// batch in as many runs of equal length as there are shards, or nearly equal.
func (t *Trainer) compute(p *profile.Stack, i int) {
	s := &t.shards[i]
	s.loss, s.err = 0, nil
	s.grads.Zero(p)
	for _, sequence := range t.batch[i*len(t.batch)/t.used : (i+1)*len(t.batch)/t.used] {
		if s.err = t.forward(p, s, sequence.Tokens); s.err != nil {
			return
		}
		s.loss += s.grads.Loss(p, s.acts, sequence.Targets, t.count)
		s.grads.Backward(p, t.model, s.acts)
	}
}

func (t *Trainer) forward(p *profile.Stack, s *shard, tokens []int) error {
	defer p.Scope("Forward_Pass").End()
	return t.model.Record(p, s.acts, tokens)
}

// loss adds up the losses of the shards.
func (t *Trainer) loss() (float64, error) {
	loss := 0.0
	for i := range t.used {
		if err := t.shards[i].err; err != nil {
			return 0, err
		}
		loss += t.shards[i].loss
	}
	return loss, checkLoss(loss, t.options.Optimizer.LearningRate)
}

// reduce adds the gradients of the other shards to those of the first, which the
// optimizer reads, in the order of the shards.
func (t *Trainer) reduce(p *profile.Stack) {
	defer p.Scope("Reduce_Gradients").End()
	for i := 1; i < t.used; i++ {
		t.shards[0].grads.add(t.shards[i].grads)
	}
}

func (t *Trainer) optimize(p *profile.Stack) {
	defer p.Scope("Optimizer").End()
	t.optimizer.Step()
}
