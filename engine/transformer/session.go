package transformer

import (
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/profile"
)

var errNoTokens = errors.New("no tokens: at least one is needed to continue from")

// Session generates from a model one token at a time. It keeps the keys and values of its window
// (the tokens seen so far) and all its buffers, so Prefill and Decode allocate nothing. A Session
// is not safe for concurrent use; sessions of one model are independent.
//
// The logits equal the last row of Model.Forward over the window, bit for bit. They belong to the
// session and are valid until its next call.
//
// Positions are learned and absolute, so the keys of a token become invalid when it moves to
// another position. When the window is full, Decode therefore drops all but the newest Context/2
// tokens, moves these to the start and computes them again in one pass. If it dropped only one
// token, every further token would need another pass over the window. Dropping half the window
// needs a pass only every Context/2 tokens and roughly doubles the average work per token.
type Session struct {
	model *Model
	acts  *Activations
	pool  *workers.Pool
}

// NewSession returns a session with an empty window.
func (m *Model) NewSession() *Session {
	return &Session{model: m, acts: m.sharedActivations(m.Context, 1)}
}

// Use makes the session compute on the threads of pool, or only on the caller's thread if pool is
// nil. This does not change a single bit of the logits. Several sessions may share a pool.
func (s *Session) Use(pool *workers.Pool) {
	s.pool = pool
	if pool.Threads() > 1 {
		s.acts.separateHeads(s.model.Heads)
	}
}

// Window returns the tokens in the window. The slice is valid until the window changes.
func (s *Session) Window() []int { return s.acts.Tokens }

// Prefill starts over with tokens as the window, which it computes in one pass, and returns the
// logits after the last token (Vocab elements). If there are more than Context tokens, the window
// consists of the last Context ones. Prefill returns an error, and leaves the session unchanged, if
// tokens is empty or contains a token outside the vocabulary.
func (s *Session) Prefill(p *profile.Stack, tokens []int) ([]float32, error) {
	if err := s.model.checkTokens(tokens); err != nil {
		return nil, fmt.Errorf("prefill: %w", err)
	}
	window := tokens[max(0, len(tokens)-s.model.Context):]
	s.acts.Tokens = append(s.acts.Tokens[:0], window...)
	return s.compute(p, 0), nil
}

// Decode appends one token to the window, which slides if it is full, and returns the logits after
// that token (Vocab elements). It returns an error, and leaves the session unchanged, if the token
// is not in the vocabulary.
func (s *Session) Decode(p *profile.Stack, token int) ([]float32, error) {
	if token < 0 || token >= s.model.Vocab {
		return nil, fmt.Errorf("decode: token %d is not in the vocabulary of %d", token, s.model.Vocab)
	}
	first := len(s.acts.Tokens)
	if first == s.model.Context {
		s.slide()
		first = 0
	}
	s.acts.Tokens = append(s.acts.Tokens, token)
	return s.compute(p, first), nil
}

// Rewind shortens the window to its first n tokens, from which the next Decode continues. It panics
// if the window has fewer than n.
func (s *Session) Rewind(n int) {
	if n < 0 || n > len(s.acts.Tokens) {
		panic(fmt.Sprintf("transformer.Session.Rewind: to %d of %d tokens", n, len(s.acts.Tokens)))
	}
	s.acts.Tokens = s.acts.Tokens[:n]
}

// slide drops the older half of the window.
func (s *Session) slide() {
	tokens := s.acts.Tokens
	kept := copy(tokens, tokens[len(tokens)-len(tokens)/2:])
	s.acts.Tokens = tokens[:kept]
}

// compute runs the model over the window, starting at position first.
func (s *Session) compute(p *profile.Stack, first int) []float32 {
	pass{s.model, s.acts, p, s.pool, first, len(s.acts.Tokens) - first}.run(1)
	return s.acts.Logits
}
