package train

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// Options configure a Trainer: the sizes of its batches and how they are computed.
type Options struct {
	Batch  int // the largest number of sequences in a step
	Length int // tokens in a window of Epoch, and limit for any sequence; 0 means the model's context

	// Shards is the number of parts into which a batch is divided. Each has its own gradients and
	// activations, so memory grows with the number of shards, and at most that many processors are
	// used. Results depend on it. 0 means the smaller of Batch and 8.
	Shards int

	// Workers is the number of goroutines that compute the shards; results do not depend on it. 0
	// means GOMAXPROCS at the time of each step. A profile of allocations requires 1, because it
	// can count only one goroutine at a time.
	Workers int

	Seed      uint64 // determines the order in which Epoch visits the windows of a text
	Optimizer AdamWOptions
}

// defaultShards limits the memory use: Medium's gradients take 14 MB per shard.
const defaultShards = 8

// Sequence is one sample: tokens, and for each of them the next token.
type Sequence struct{ Tokens, Targets []int }

// Trainer trains a transformer on text. It is not safe for concurrent use, and the model must not
// be used during a step. Between steps, sessions of the model see its current weights.
type Trainer struct {
	model     *transformer.Model
	options   Options
	optimizer *AdamW
	shards    []shard
	samples   int
	tokens    int

	// The fields below hold the state of the current step.
	batch   []Sequence
	count   int          // number of tokens in batch
	used    int          // number of shards in use
	next    atomic.Int64 // the next shard not taken yet
	stacks  []*profile.Stack
	workers []func() // functions that run the workers, created once so that starting them allocates nothing
	wait    sync.WaitGroup

	// The fields below are for the windows of an epoch: the random source for their order, the
	// order, and the buffer for one batch.
	rng     *rand.Rand
	order   []int
	windows []Sequence
}

// shard is a part of a batch, computed independently.
type shard struct {
	acts  *transformer.Activations
	grads *Gradients
	loss  float64
	err   error
}

// NewTrainer returns a trainer that starts from the model's current weights. It returns an error if
// an option is out of range.
func NewTrainer(m *transformer.Model, o Options) (*Trainer, error) {
	if err := o.complete(m); err != nil {
		return nil, fmt.Errorf("trainer options: %w", err)
	}
	t := &Trainer{
		model:   m,
		options: o,
		shards:  make([]shard, o.Shards),
		stacks:  make([]*profile.Stack, o.Shards),
		rng:     rand.New(rand.NewPCG(o.Seed, 0)),
	}
	for i := range t.shards {
		t.shards[i] = shard{acts: m.NewActivations(o.Length), grads: NewGradients(m.Config, o.Length)}
		t.workers = append(t.workers, func() {
			defer t.wait.Done()
			t.work(i)
		})
	}
	for range o.Batch {
		t.windows = append(t.windows, Sequence{make([]int, o.Length), make([]int, o.Length)})
	}
	var err error
	t.optimizer, err = NewAdamW(o.Optimizer, Pairs(m, t.shards[0].grads.Sum))
	return t, err
}

// complete fills in the defaults and checks the options.
func (o *Options) complete(m *transformer.Model) error {
	if o.Length == 0 {
		o.Length = m.Context
	}
	if o.Shards == 0 {
		o.Shards = min(o.Batch, defaultShards)
	}
	switch {
	case o.Batch < 1:
		return fmt.Errorf("batch is %d, want 1 sequence or more", o.Batch)
	case o.Length < 1 || o.Length > m.Context:
		return fmt.Errorf("length is %d, want 1 to the model's context of %d", o.Length, m.Context)
	case o.Shards < 1 || o.Shards > o.Batch:
		return fmt.Errorf("shards is %d, want 1 to the batch of %d", o.Shards, o.Batch)
	case o.Workers < 0:
		return fmt.Errorf("workers is %d, want 0 (as many as processors) or more", o.Workers)
	}
	return o.Optimizer.validate()
}

// Steps returns the number of optimizer steps taken so far.
func (t *Trainer) Steps() int { return t.optimizer.Steps() }

// Samples returns the total number of sequences trained on.
func (t *Trainer) Samples() int { return t.samples }

// Tokens returns the total number of tokens trained on.
func (t *Trainer) Tokens() int { return t.tokens }

var errEmptyBatch = errors.New("the batch is empty: a step needs at least one window")

// check returns an error if the batch is invalid.
func (t *Trainer) check(batch []Sequence) error {
	if len(batch) == 0 {
		return errEmptyBatch
	}
	if len(batch) > t.options.Batch {
		return fmt.Errorf("%d sequences, the trainer was made for a batch of %d", len(batch), t.options.Batch)
	}
	for i, s := range batch {
		if err := t.checkSequence(s); err != nil {
			return fmt.Errorf("sequence %d: %w", i, err)
		}
	}
	return nil
}

func (t *Trainer) checkSequence(s Sequence) error {
	switch {
	case len(s.Tokens) == 0:
		return errors.New("no tokens")
	case len(s.Tokens) > t.model.Context:
		return fmt.Errorf("%d tokens, the model's context holds %d", len(s.Tokens), t.model.Context)
	case len(s.Tokens) > t.options.Length:
		return fmt.Errorf("%d tokens, the trainer was made for a length of %d", len(s.Tokens), t.options.Length)
	case len(s.Targets) != len(s.Tokens):
		return fmt.Errorf("%d targets for %d tokens", len(s.Targets), len(s.Tokens))
	}
	if err := t.checkVocabulary("token", s.Tokens); err != nil {
		return err
	}
	return t.checkVocabulary("target", s.Targets)
}

func (t *Trainer) checkVocabulary(what string, tokens []int) error {
	for i, token := range tokens {
		if token < 0 || token >= t.model.Vocab {
			return fmt.Errorf("%s %d at position %d is not in the vocabulary of %d", what, token, i, t.model.Vocab)
		}
	}
	return nil
}
