package train

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/profile"
)

// Epoch is what one pass over a text did.
type Epoch struct {
	Loss    float64 // mean over all tokens of the loss each step began with, in nats
	Steps   int
	Samples int // windows of the text
	Tokens  int
}

// Epoch cuts the text into windows of Options.Length tokens and their targets, the
// tokens shifted by one, and makes a step on every Options.Batch of them, in an
// order drawn anew for each epoch. The last step may have fewer; what follows the
// last whole window is left out.
//
// It is an error if the text has no whole window, Length+1 tokens, or holds a
// token that is not in the vocabulary, and as in Step. What was done up to the
// step that failed is then returned with the error.
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

// stepOn makes a step on windows of the text, by number.
func (t *Trainer) stepOn(p *profile.Stack, text, windows []int) (loss float64, err error) {
	defer p.Scope("Batch_Processing").End()
	return t.Step(p, t.assemble(text, windows))
}

// add counts a step.
func (e *Epoch) add(loss float64, samples, length int) {
	tokens := samples * length
	e.Loss = (e.Loss*float64(e.Tokens) + loss*float64(tokens)) / float64(e.Tokens+tokens)
	e.Steps++
	e.Samples += samples
	e.Tokens += tokens
}

// shuffle draws the order of n windows.
func (t *Trainer) shuffle(n int) {
	t.order = t.order[:0]
	for i := range n {
		t.order = append(t.order, i)
	}
	t.rng.Shuffle(n, func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
}

// assemble copies windows of the text, by number, into a batch.
func (t *Trainer) assemble(text, windows []int) []Sequence {
	batch := t.windows[:len(windows)]
	for i, w := range windows {
		at := w * t.options.Length
		copy(batch[i].Tokens, text[at:])
		copy(batch[i].Targets, text[at+1:])
	}
	return batch
}
