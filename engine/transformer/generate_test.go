package transformer

import (
	"slices"
	"testing"
)

// A reused session and a session of another model with the same seed give the same tokens. Another
// seed for the sampler or the model gives different ones.
func TestGenerateIsDeterministic(t *testing.T) {
	prompt := randomTokens(1, 10, Small.Vocab)
	s := New(Small, 1).NewSession()
	generate := func(s *Session, seed uint64) []int {
		tokens, err := s.Generate(nil, prompt, 100, NewSampler(1, 0, seed))
		if err != nil {
			t.Fatal(err)
		}
		return tokens
	}
	first := slices.Clone(generate(s, 5))
	if len(first) != 100 {
		t.Fatalf("%d tokens, want 100", len(first))
	}
	if again := generate(s, 5); !slices.Equal(again, first) {
		t.Errorf("the second run of a session gave %v, the first %v", again, first)
	}
	if other := generate(New(Small, 1).NewSession(), 5); !slices.Equal(other, first) {
		t.Errorf("another model of the seed gave %v, the first %v", other, first)
	}
	if other := generate(s, 6); slices.Equal(other, first) {
		t.Error("another sampler seed gave the same tokens")
	}
	if other := generate(New(Small, 2).NewSession(), 5); slices.Equal(other, first) {
		t.Error("another model seed gave the same tokens")
	}
}

// Greedy generation chooses the argmax of the uncached pass, one token at a time.
func TestGenerateGreedy(t *testing.T) {
	m := scrambled(tiny, 9)
	for n := 1; n <= tiny.Context; n++ {
		prompt := randomTokens(uint64(n), n, tiny.Vocab)
		got, err := m.NewSession().Generate(nil, prompt, tiny.Context-n+1, new(Sampler))
		if err != nil {
			t.Fatal(err)
		}
		window := slices.Clone(prompt)
		for i, token := range got {
			last := mustForward(t, m, window)[(len(window)-1)*tiny.Vocab:]
			if want := slices.Index(last, slices.Max(last)); token != want {
				t.Fatalf("prompt of %d: token %d is %d, want %d", n, i, token, want)
			}
			window = append(window, token)
		}
	}
}

func TestGenerateEdges(t *testing.T) {
	s := New(tiny, 1).NewSession()
	for _, tc := range []struct {
		name    string
		prompt  []int
		n       int
		sampler *Sampler
		want    string // the error; otherwise n tokens
	}{
		{"nothing asked for", []int{1}, 0, new(Sampler), ""},
		{"more than the context", []int{1}, 35, NewSampler(1, 3, 1), ""},
		{"prompt longer than the context", make([]int, 27), 5, new(Sampler), ""},
		{"negative", []int{1}, -1, new(Sampler), "generate: -1 tokens asked for, want 0 or more"},
		{"no prompt", nil, 3, new(Sampler), "generate: prompt: no tokens: at least one is needed to continue from"},
		{"no prompt and nothing asked for", nil, 0, new(Sampler), "generate: prompt: no tokens: at least one is needed to continue from"},
		{"token too large", []int{1, 13}, 3, new(Sampler), "generate: prompt: token 13 at position 1 is not in the vocabulary of 13"},
		{"token negative", []int{-4}, 3, new(Sampler), "generate: prompt: token -4 at position 0 is not in the vocabulary of 13"},
		{"bad token before the window", append([]int{99}, make([]int, 20)...), 3, new(Sampler), "generate: prompt: token 99 at position 0 is not in the vocabulary of 13"},
		{"bad sampler", []int{1}, 3, NewSampler(-1, 0, 1), "generate token 1 of 3: sample token: temperature -1, want a number from 0"},
	} {
		tokens, err := s.Generate(nil, tc.prompt, tc.n, tc.sampler)
		switch {
		case tc.want == "" && (err != nil || len(tokens) != tc.n):
			t.Errorf("%s: %v and error %v, want %d tokens", tc.name, tokens, err, tc.n)
		case tc.want != "" && (err == nil || err.Error() != tc.want):
			t.Errorf("%s: error %v, want %s", tc.name, err, tc.want)
		}
	}
}
