package transformer

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// checkWindow fails the test unless the session's logits equal those of the uncached pass over its
// window, bit by bit.
func checkWindow(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *Session, logits []float32, what string) {
	t.Helper()
	all, err := s.model.Forward(nil, s.Window())
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	vocab := s.model.Vocab
	if want := all.Data()[(len(s.Window())-1)*vocab:]; !sameBits(logits, want) {
		t.Fatalf("%s: cached logits %v, uncached %v", what, logits, want)
	}
}

// This test covers every prompt length up to the context and beyond. Each prompt is followed by
// more tokens than the context holds, so that the window slides at every phase.
func TestCachedEqualsUncached(t *testing.T) {
	for _, c := range []Config{tiny, {5, 1, 4, 1, 2}, {5, 2, 4, 2, 1}, {5, 3, 4, 1, 1}} {
		m := scrambled(c, 6)
		s := m.NewSession()
		for n := 1; n <= 2*c.Context+1; n++ {
			prompt := randomTokens(uint64(n), n, c.Vocab)
			logits, err := s.Prefill(nil, prompt)
			if err != nil {
				t.Fatal(err)
			}
			seen := prompt[max(0, n-c.Context):]
			checkWindow(t, s, logits, fmt.Sprintf("%+v prompt of %d", c, n))
			for i, token := range randomTokens(uint64(n+100), 2*c.Context+3, c.Vocab) {
				if len(seen) == c.Context {
					seen = seen[c.Context-c.Context/2:] // the documented slide
				}
				seen = append(slices.Clone(seen), token)
				if logits, err = s.Decode(nil, token); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(s.Window(), seen) {
					t.Fatalf("%+v prompt of %d, token %d: window %v, want %v", c, n, i, s.Window(), seen)
				}
				checkWindow(t, s, logits, fmt.Sprintf("%+v prompt of %d, token %d", c, n, i))
			}
		}
	}
}

// The sizes of the tracked models are larger than the kernels' blocks, unlike those of tiny. The
// window of Small slides in this test. Filling the window of Medium would take a minute under
// -race.
func TestCachedEqualsUncachedTracked(t *testing.T) {
	for _, tc := range []struct {
		config Config
		prompt int
	}{{Small, Small.Context - 1}, {Medium, 5}} {
		c := tc.config
		s := New(c, 8).NewSession()
		logits, err := s.Prefill(nil, randomTokens(1, tc.prompt, c.Vocab))
		if err != nil {
			t.Fatal(err)
		}
		checkWindow(t, s, logits, "prompt")
		for i, token := range randomTokens(2, 3, c.Vocab) { // in Small, the window is full, then slides, then grows by one
			if logits, err = s.Decode(nil, token); err != nil {
				t.Fatal(err)
			}
			checkWindow(t, s, logits, fmt.Sprintf("token %d", i))
		}
	}
}

// After any sequence of calls, including failing ones, the logits of a session match its window.
func TestSessionProperties(t *testing.T) {
	m := scrambled(tiny, 7)
	rapid.Check(t, func(t *rapid.T) {
		s := m.NewSession()
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			if n := len(s.Window()); n > 0 && rapid.IntRange(0, 4).Draw(t, "rewind") == 0 {
				s.Rewind(rapid.IntRange(0, n).Draw(t, "to"))
			}
			before := slices.Clone(s.Window())
			var logits []float32
			var err error
			var valid bool
			if rapid.IntRange(0, 9).Draw(t, "prefill") == 0 {
				tokens := rapid.SliceOfN(rapid.IntRange(-1, tiny.Vocab), 0, 25).Draw(t, "tokens")
				valid = len(tokens) > 0 && !slices.Contains(tokens, -1) && !slices.Contains(tokens, tiny.Vocab)
				logits, err = s.Prefill(nil, tokens)
			} else {
				token := rapid.IntRange(-1, tiny.Vocab).Draw(t, "token")
				valid = token >= 0 && token < tiny.Vocab
				logits, err = s.Decode(nil, token)
			}
			if valid != (err == nil) {
				t.Fatalf("valid %v, error %v", valid, err)
			}
			if err != nil {
				if !slices.Equal(s.Window(), before) {
					t.Fatalf("a failed call changed the window from %v to %v", before, s.Window())
				}
				continue
			}
			checkWindow(t, s, logits, "call")
		}
	})
}

func TestSessionErrors(t *testing.T) {
	s := New(tiny, 1).NewSession()
	_, err := s.Prefill(nil, nil)
	checkError(t, err, "no tokens: at least one is needed to continue from", "prefill: ")
	_, err = s.Prefill(nil, []int{0, 1, 13})
	checkError(t, err, "token 13 at position 2 is not in the vocabulary of 13", "prefill: ")
	_, err = s.Decode(nil, 13)
	checkError(t, err, "token 13 is not in the vocabulary of 13", "decode: ")
	_, err = s.Decode(nil, -1)
	checkError(t, err, "token -1 is not in the vocabulary of 13", "decode: ")
}

// Sessions share the weights and nothing else. Run this test with -race.
func TestConcurrentSessions(t *testing.T) {
	m := New(Small, 2)
	prompt := randomTokens(4, 20, Small.Vocab)
	want, err := m.NewSession().Generate(nil, prompt, 60, NewSampler(1, 0, 3))
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan []int)
	for range 3 {
		go func() {
			got, err := m.NewSession().Generate(nil, prompt, 60, NewSampler(1, 0, 3))
			if err != nil {
				t.Error(err)
			}
			results <- got
		}()
	}
	for range 3 {
		if got := <-results; !slices.Equal(got, want) {
			t.Errorf("a session beside others generated %v, alone %v", got, want)
		}
	}
}

// The window slides twice during these runs.
func TestSessionAllocatesNothing(t *testing.T) {
	m := New(Small, 1)
	s := m.NewSession()
	prompt := randomTokens(1, 10, Small.Vocab)
	sampler := NewSampler(0.8, 40, 1)
	logits, err := s.Prefill(nil, prompt)
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() {
		token, _ := sampler.Sample(nil, logits)
		logits, _ = s.Decode(nil, token)
	}); got != 0 {
		t.Errorf("%v allocations a decoded token, want 0", got)
	}
	if got := testing.AllocsPerRun(3, func() { logits, _ = s.Prefill(nil, prompt) }); got != 0 {
		t.Errorf("%v allocations a prefill, want 0", got)
	}
}
