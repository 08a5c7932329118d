package simd

import (
	"os"
	"strings"
	"testing"
)

// On every path, the measured peak is a plausible speed for one core.
func TestPeak(t *testing.T) {
	for p := Generic; p <= Best(); p++ {
		if got := p.Peak(); !(got > 0.01 && got < 10_000) {
			t.Errorf("%v: a peak of %v GFLOPS", p, got)
		}
	}
}

// The chains end after any number of steps and allocate nothing.
func TestChains(t *testing.T) {
	for p := Generic; p <= Best(); p++ {
		for _, steps := range []int{1, 2, 1000} {
			p.chains(steps)
		}
		if n := testing.AllocsPerRun(5, func() { p.chains(10) }); n > 0 {
			t.Errorf("%v: %v allocations", p, n)
		}
	}
}

// Peak counts as many operations as the kernels have instructions.
func TestChainLength(t *testing.T) {
	text, err := os.ReadFile("tiles_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chains512", "chains256"} {
		_, body, ok := strings.Cut(string(text), "TEXT ·"+name+"(SB)")
		body, _, _ = strings.Cut(body, "RET")
		if got := strings.Count(body, "VFMADD213PS"); !ok || got != linksOfStep {
			t.Errorf("%s has %d of its instructions in a step, want %d", name, got, linksOfStep)
		}
	}
}

func BenchmarkPeak(b *testing.B) {
	for p := Generic; p <= Best(); p++ {
		b.Run(p.String(), func(b *testing.B) {
			for b.Loop() {
				p.chains(1000)
			}
			b.ReportMetric(p.chainFLOPs()*1000*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}
