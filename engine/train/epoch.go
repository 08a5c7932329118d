package train

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/profile"
)

// Epoch is the result of one pass over a text.
type Epoch struct {
	Loss    float64 // mean loss over all tokens in nats, computed before each step
	Steps   int
	Samples int // number of windows
	Tokens  int
}

// Epoch cuts the text into windows of Options.Length tokens, whose targets are the tokens that
// follow, and takes a step for every Options.Batch windows. The order of the windows is drawn anew
// for each epoch. The last step may have fewer windows, and tokens after the last whole window are
// left out.
//
// It returns an error if the text has fewer than Length+1 tokens or a token outside the vocabulary,
// or if Step returns an error. Along with the error, it returns the results of the steps before the
// failed one.
func (t *Trainer) Epoch(p *profile.Stack, text []int) (Epoch, error) {
	defer p.Scope("train_epoch").End()
	var done Epoch
	length := t.options.Length
	if len(text) <= length {
		return done, fmt.Errorf("train epoch: the text has %d tokens, a window of length %d and its last target need %d",
			len(text), length, length+1)
	}
	if err := t.checkVocabulary("token", text); err != nil {
		return done, fmt.Errorf("train epoch: %w", err)
	}
	t.shuffle((len(text) - 1) / length)
	for at := 0; at < len(t.order); at += t.options.Batch {
		windows := t.order[at:min(at+t.options.Batch, len(t.order))]
		loss, err := t.stepOn(p, text, windows)
		if err != nil {
			return done, err
		}
		done.add(loss, len(windows), length)
	}
	return done, nil
}

// stepOn takes a step on the windows of the text with the given numbers.
func (t *Trainer) stepOn(p *profile.Stack, text, windows []int) (loss float64, err error) {
	defer p.Scope("Batch_Processing").End()
	return t.Step(p, t.assemble(text, windows))
}

// add adds the results of one step to e.
func (e *Epoch) add(loss float64, samples, length int) {
	tokens := samples * length
	e.Loss = (e.Loss*float64(e.Tokens) + loss*float64(tokens)) / float64(e.Tokens+tokens)
	e.Steps++
	e.Samples += samples
	e.Tokens += tokens
}

// shuffle draws a random order of n windows.
func (t *Trainer) shuffle(n int) {
	t.order = t.order[:0]
	for i := range n {
		t.order = append(t.order, i)
	}
	t.rng.Shuffle(n, func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
}

// assemble copies the windows of the text with the given numbers into a batch.
func (t *Trainer) assemble(text, windows []int) []Sequence {
	batch := t.windows[:len(windows)]
	for i, w := range windows {
		at := w * t.options.Length
		copy(batch[i].Tokens, text[at:])
		copy(batch[i].Targets, text[at+1:])
	}
	return batch
}
