package transformer

import (
	"fmt"
	"testing"
)

var tracked = []struct {
	name   string
	config Config
}{{"Small", Small}, {"Medium", Medium}}

// BenchmarkDecode decodes tokens in the middle of the window, where the amount of attention is
// average. For comparison, it also runs the pass without a cache.
func BenchmarkDecode(b *testing.B) {
	for _, model := range tracked {
		c := model.config
		m := New(c, 1)
		half := randomTokens(1, c.Context/2, c.Vocab)
		b.Run(fmt.Sprintf("model=%s/cache=yes", model.name), func(b *testing.B) {
			s := m.NewSession()
			if _, err := s.Prefill(nil, half); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Rewind(len(half) - 1)
				if _, err := s.Decode(nil, half[0]); err != nil {
					b.Fatal(err)
				}
			}
			report(b, 1, c.DecodeFLOPs(len(half)))
		})
		b.Run(fmt.Sprintf("model=%s/cache=no", model.name), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Forward(nil, half); err != nil {
					b.Fatal(err)
				}
			}
			report(b, 1, c.ForwardFLOPs(len(half)))
		})
	}
}

// BenchmarkPrefill computes prompts in one pass.
func BenchmarkPrefill(b *testing.B) {
	for _, model := range tracked {
		c := model.config
		s := New(c, 1).NewSession()
		for _, n := range []int{10, c.Context} {
			prompt := randomTokens(1, n, c.Vocab)
			b.Run(fmt.Sprintf("model=%s/prompt=%d", model.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Prefill(nil, prompt); err != nil {
						b.Fatal(err)
					}
				}
				report(b, n, c.PrefillFLOPs(n))
			})
		}
	}
}

// BenchmarkGenerate generates 25 tokens from a prompt of 10.
func BenchmarkGenerate(b *testing.B) {
	for _, model := range tracked {
		c := model.config
		s := New(c, 1).NewSession()
		prompt := randomTokens(1, 10, c.Vocab)
		flops := c.PrefillFLOPs(10)
		for i := range 24 {
			flops += c.DecodeFLOPs(11 + i)
		}
		b.Run("model="+model.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Generate(nil, prompt, 25, NewSampler(0.8, 40, 1)); err != nil {
					b.Fatal(err)
				}
			}
			report(b, 25, flops)
		})
	}
}

// report reports the rates of b. Each iteration processes the given number of tokens with the given
// number of operations.
func report(b *testing.B, tokens int, flops int64) {
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond*float64(tokens), "tok/s")
	b.ReportMetric(perSecond*float64(flops)/1e9, "GFLOPS")
}
