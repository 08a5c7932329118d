package train

import (
	"fmt"
	"runtime"

	"github.com/perftrack/perftrack/engine/profile"
)

// Step computes the gradients of the batch's loss and updates the weights with them. It returns the
// loss before the update: the mean cross-entropy of the targets over all tokens, in nats. The
// sequences may differ in length.
//
// Step returns an error and leaves the weights and the optimizer unchanged if the loss is not
// finite, if the batch is empty or larger than Options.Batch, or if a sequence is empty, longer
// than Options.Length or the context, or contains a token outside the vocabulary.
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

// begin prepares the trainer for computing batch.
func (t *Trainer) begin(batch []Sequence) {
	t.batch, t.count = batch, 0
	for _, s := range batch {
		t.count += len(s.Tokens)
	}
	t.used = min(len(t.shards), len(batch))
	t.next.Store(0)
}

// computeShards lets the workers compute all shards. The caller's goroutine acts as one of the
// workers, so with a single worker no goroutine is started.
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

// work computes shards until the last one is taken. Which shards a worker gets depends on
// scheduling and has no effect on the result.
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

// compute computes the loss and the gradients of a shard's sequences and stores them in the shard.
// The shards divide the batch into runs whose lengths differ by at most one.
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

// loss returns the sum of the shards' losses.
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

// reduce adds the gradients of the other shards, in order, to those of the first shard, which the
// optimizer reads.
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
