package transformer

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels/workers"
)

// The logits of a session do not depend on the number of threads that it uses, to the last bit.
// This is true for Prefill, for Decode and when the window slides. Run this test with -race.
func TestThreadsChangeNothing(t *testing.T) {
	c := Config{Vocab: 128, Context: 128, Dim: 256, Layers: 1, Heads: 8} // large enough to use helpers
	m := New(c, 8)
	prompt := randomTokens(1, c.Context-2, c.Vocab)
	for threads := 2; threads <= 3; threads++ {
		pool := workers.New(threads)
		alone, shared := m.NewSession(), m.NewSession()
		shared.Use(pool)
		want, err := alone.Prefill(nil, prompt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := shared.Prefill(nil, prompt)
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(got, want) {
			t.Errorf("%d threads: prefill has other logits than one", threads)
		}
		for i, token := range randomTokens(2, 4, c.Vocab) {
			want, _ := alone.Decode(nil, token)
			if got, _ := shared.Decode(nil, token); !sameBits(got, want) {
				t.Errorf("%d threads: token %d has other logits than on one", threads, i)
			}
		}
		if got := testing.AllocsPerRun(20, func() {
			shared.Rewind(5)
			_, _ = shared.Decode(nil, 1)
		}); got != 0 {
			t.Errorf("%d threads: %v allocations a decoded token", threads, got)
		}
		pool.Close()
	}
}

// BenchmarkThreads decodes tokens in the middle of the window, and generates 25 tokens from a
// prompt of 10, on one thread and on two.
func BenchmarkThreads(b *testing.B) {
	for _, model := range tracked {
		c := model.config
		m := New(c, 1)
		half := randomTokens(1, c.Context/2, c.Vocab)
		for threads := 1; threads <= 2; threads++ {
			pool := workers.New(threads)
			s := m.NewSession()
			s.Use(pool)
			b.Run(fmt.Sprintf("model=%s/decode/threads=%d", model.name, threads), func(b *testing.B) {
				if _, err := s.Prefill(nil, half); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					s.Rewind(len(half) - 1)
					if _, err := s.Decode(nil, half[0]); err != nil {
						b.Fatal(err)
					}
				}
				report(b, 1, c.DecodeFLOPs(len(half)))
			})
			b.Run(fmt.Sprintf("model=%s/generate/threads=%d", model.name, threads), func(b *testing.B) {
				for b.Loop() {
					if _, err := s.Generate(nil, half[:10], 25, NewSampler(0.8, 40, 1)); err != nil {
						b.Fatal(err)
					}
				}
			})
			pool.Close()
		}
	}
}
