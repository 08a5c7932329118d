package scaletest

import (
	"context"
	"crypto/sha1"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Size is the amount of data to store.
type Size struct {
	Benchmarks, Runs int
	Samples          int // number of samples of each benchmark in each run
	Commits          []string
}

// Fill stores s.Runs runs of s.Benchmarks benchmarks, one run per commit, with time, B/op and
// allocs/op. Every third benchmark changes once, each at a different run. The time scatters by 1 %
// from run to run and from sample to sample. The same size always gives the same data.
func (s Size) Fill(ctx context.Context, db *store.DB) error {
	rnd := random(s)
	for n := range s.Runs {
		if _, _, err := db.Put(ctx, s.run(n, rnd)); err != nil {
			return fmt.Errorf("store run %d of %d: %w", n+1, s.Runs, err)
		}
	}
	return nil
}

// random returns the source of a size's random numbers.
func random(s Size) *rand.Rand {
	return rand.New(rand.NewPCG(1, uint64(s.Benchmarks)<<32|uint64(s.Runs)))
}

// run returns run n.
func (s Size) run(n int, rnd *rand.Rand) *record.Run {
	when := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * 3 * time.Hour)
	r := &record.Run{
		Target: "scale", Commit: record.Commit{SHA: fmt.Sprintf("%x", sha1.Sum(fmt.Append(nil, "commit ", n))), Branch: "main", Time: when},
		Start: when.Add(time.Hour), End: when.Add(time.Hour + time.Minute), Status: record.Complete, Tool: "v1.0.0",
		Env: record.Settings{{Key: record.KeyCPU, Value: "Example CPU @ 2.00GHz"}, {Key: record.KeyGOARCH, Value: "amd64"}, {Key: record.KeyGOOS, Value: "linux"}},
	}
	if n < len(s.Commits) {
		r.Commit.SHA = s.Commits[n]
	}
	samples := max(1, s.Samples)
	for i := range s.Benchmarks {
		b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: fmt.Sprintf("example.com/scale/p%02d", i%20), Name: fmt.Sprintf("Work%03d/n=%d", i/4, 10*(i%4+1))}}
		level, bytes := 1000*float64(i+1), 64*float64(i%50)
		if i%3 == 0 && n >= s.Runs*(i%7+1)/9 {
			level, bytes = level*(0.8+0.05*float64(i%9)), bytes+16
		}
		times := record.Samples{Unit: "ns/op"}
		drift := math.Exp(0.01 * rnd.NormFloat64())
		for round := range samples {
			b.Rounds = append(b.Rounds, record.Round{N: round + 1, Order: i, Iters: 1000})
			times.Values = append(times.Values, math.Round(level*drift*math.Exp(0.01*rnd.NormFloat64())*10)/10)
		}
		b.Samples = []record.Samples{times, same("B/op", bytes, samples), same("allocs/op", float64(i%50), samples)}
		r.Benchmarks = append(r.Benchmarks, b)
	}
	return r
}

func same(unit string, value float64, n int) record.Samples {
	s := record.Samples{Unit: unit}
	for range n {
		s.Values = append(s.Values, value)
	}
	return s
}
