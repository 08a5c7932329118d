package transformer

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/profile"
)

// Generate starts over with the prompt and returns the n tokens that the sampler chooses after it.
// It calls Prefill once and Decode n-1 times. The same model, prompt and sampler, freshly seeded,
// give the same tokens. If the prompt is longer than the context, only its end is used, as in
// Prefill. Generate returns an error if the prompt is empty or contains a token outside the
// vocabulary, if n is negative, or if the sampler fails.
//
// Its outermost scope is Inference. It contains a GenerateToken for each token, with Forward and
// SampleToken.
func (s *Session) Generate(p *profile.Stack, prompt []int, n int, sampler *Sampler) ([]int, error) {
	defer p.Scope("Inference").End()
	if n < 0 {
		return nil, fmt.Errorf("generate: %d tokens asked for, want 0 or more", n)
	}
	if err := s.model.checkTokens(prompt); err != nil {
		return nil, fmt.Errorf("generate: prompt: %w", err)
	}
	tokens := make([]int, 0, n)
	for len(tokens) < n {
		token, err := s.next(p, prompt, tokens, sampler)
		if err != nil {
			return nil, fmt.Errorf("generate token %d of %d: %w", len(tokens)+1, n, err)
		}
		tokens = append(tokens, token)
	}
	return tokens, nil
}

// next returns the token after the prompt and the tokens generated so far. It passes the last
// generated token or, at first, the prompt to the session.
func (s *Session) next(p *profile.Stack, prompt, generated []int, sampler *Sampler) (int, error) {
	defer p.Scope("GenerateToken").End()
	logits, err := s.advance(p, prompt, generated)
	if err != nil {
		return 0, err
	}
	defer p.Scope("SampleToken").End()
	return sampler.Sample(p, logits)
}

func (s *Session) advance(p *profile.Stack, prompt, generated []int) ([]float32, error) {
	defer p.Scope("Forward").End()
	if len(generated) == 0 {
		return s.Prefill(p, prompt)
	}
	return s.Decode(p, generated[len(generated)-1])
}
