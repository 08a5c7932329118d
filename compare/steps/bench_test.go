package steps

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noisy returns a history of n runs with noise of 1 %, outliers, and a step of 5 % every 500
// commits.
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
	return NewLine(Options{Unit: "sec/op", Better: -1}, runs...)
}

// BenchmarkAppendToHistory appends a commit to a history of 500 commits and computes its course.
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

// BenchmarkHistory500 computes the course of 500 commits from scratch, as a new process must.
func BenchmarkHistory500(b *testing.B) {
	runs := noisy(500)
	for b.Loop() {
		lineOf(runs).Course()
	}
}

// BenchmarkHistory1000 computes the course of 1,000 commits for each shape of a history, so that
// its ns/op are the nanoseconds per history.
func BenchmarkHistory1000(b *testing.B) {
	for _, shape := range []struct {
		name  string
		level func(i int) float64
	}{
		{"steady", func(int) float64 { return 0 }},
		{"one step", func(i int) float64 { return 0.05 * float64(i/500) }},
		{"many steps", func(i int) float64 { return 0.05 * float64(i/50%3) }},
		{"drift", func(i int) float64 { return 0.1 * float64(i) / 1000 }},
	} {
		b.Run(shape.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			runs := make([]Point, 1000)
			for i := range runs {
				runs[i].Value = math.Exp(shape.level(i) + 0.01*r.NormFloat64())
			}
			b.ReportAllocs()
			for b.Loop() {
				lineOf(runs).Course()
			}
		})
	}
}

// BenchmarkHistory5000 computes the course of one benchmark with 5,000 commits. A thousand such
// benchmarks take a thousand times as long.
func BenchmarkHistory5000(b *testing.B) {
	runs := noisy(5000)
	for b.Loop() {
		lineOf(runs).Course()
	}
}
