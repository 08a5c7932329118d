package transformer

import (
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/profile"
)

var errNoTokens = errors.New("no tokens: at least one is needed to continue from")

// Session generates from a model one token at a time. It keeps the keys and
// values of its window, the tokens seen so far, and all its buffers, so that
// Prefill and Decode allocate nothing. A Session is not safe for concurrent
// use; sessions of one model are independent of each other.
//
// The logits are those of Model.Forward over the window, last row, to the
// last bit. They belong to the session and are valid until its next call.
//
// Positions are learned and absolute, so the keys of a token that moves to
// another position are void. When the window is full, Decode therefore drops
// all but the newest Context/2 tokens, moves them to the start and computes
// them again in one pass. Dropping one token instead would cost that pass at
// every token; dropping half costs it every Context/2 tokens, which about
// doubles the mean work of a token.
type Session struct {
	model *Model
	acts  *Activations
	pool  *workers.Pool
}

// NewSession returns a session with an empty window.
func (m *Model) NewSession() *Session {
	return &Session{model: m, acts: m.sharedActivations(m.Context, 1)}
}

// Use lets the session compute on the threads of a pool, which changes no bit of the logits; on
// the caller's alone if it is nil. The pool may belong to several sessions.
func (s *Session) Use(pool *workers.Pool) {
	s.pool = pool
	if pool.Threads() > 1 {
		s.acts.separateHeads(s.model.Heads)
	}
}

// Window returns the tokens that the next Decode continues: a view that is
// valid until then.
func (s *Session) Window() []int { return s.acts.Tokens }

// Prefill starts over with tokens as the window, computed in one pass, and
// returns the logits after the last one (Vocab elements). Of more than Context
// tokens the last Context are the window. It is an error if there is no token or
// one is not in the vocabulary; the session is then as before.
func (s *Session) Prefill(p *profile.Stack, tokens []int) ([]float32, error) {
	if err := s.model.checkTokens(tokens); err != nil {
		return nil, fmt.Errorf("prefill: %w", err)
	}
	window := tokens[max(0, len(tokens)-s.model.Context):]
	s.acts.Tokens = append(s.acts.Tokens[:0], window...)
	return s.compute(p, 0), nil
}

// Decode appends one token to the window, which slides if it is full, and
// returns the logits after it (Vocab elements). It is an error if the token is
// not in the vocabulary; the session is then as before.
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

// Rewind takes tokens back, to the first n of the window: the next Decode goes on
// from there. It panics if the window has fewer.
func (s *Session) Rewind(n int) {
	if n < 0 || n > len(s.acts.Tokens) {
		panic(fmt.Sprintf("transformer.Session.Rewind: to %d of %d tokens", n, len(s.acts.Tokens)))
	}
	s.acts.Tokens = s.acts.Tokens[:n]
}

// slide drops all but the newest half of the window.
func (s *Session) slide() {
	tokens := s.acts.Tokens
	kept := copy(tokens, tokens[len(tokens)-len(tokens)/2:])
	s.acts.Tokens = tokens[:kept]
}

// compute runs the model over the window from position first on.
func (s *Session) compute(p *profile.Stack, first int) []float32 {
	pass{s.model, s.acts, p, s.pool, first, len(s.acts.Tokens) - first}.run(1)
	return s.acts.Logits
}
