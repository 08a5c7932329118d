package steps

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noisy is a history of n runs with noise of 1 %, outliers and a step of 5 %
// each 500 commits.
func noisy(n int) []Point {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]Point, n)
	for i := range out {
		x := 0.01*r.NormFloat64() + 0.05*float64(i/500%2)
		if r.Float64() < 0.03 {
			x += 0.2 * r.Float64()
		}
		out[i].Value = math.Exp(x)
	}
	return out
}

func lineOf(runs []Point) *Line {
	l := NewLine(Options{Unit: "sec/op", Better: -1})
	for _, m := range runs {
		l.Append(m)
	}
	return l
}

// Another commit of a benchmark that has 500, and all that its line then shows.
func BenchmarkAppendToHistory(b *testing.B) {
	runs := noisy(500)
	var l *Line
	for b.Loop() {
		if l == nil || len(l.runs) > 510 {
			b.StopTimer()
			l = lineOf(runs)
			l.Course()
			b.StartTimer()
		}
		l.Append(runs[len(l.runs)-400])
		l.Course()
	}
}

// A history of 500 commits from nothing, as another process reads it.
func BenchmarkHistory500(b *testing.B) {
	runs := noisy(500)
	for b.Loop() {
		lineOf(runs).Course()
	}
}

// One benchmark of 5,000 commits: a thousand of them are analysed in a thousand times this.
func BenchmarkHistory5000(b *testing.B) {
	runs := noisy(5000)
	for b.Loop() {
		lineOf(runs).Course()
	}
}
