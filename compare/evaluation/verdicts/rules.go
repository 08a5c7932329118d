package verdicts

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Rule judges pull requests. An instance must not be used concurrently.
type Rule interface {
	// Judge fills in the outcome for each benchmark.
	Judge(p *PullRequest, out []Outcome)
}

// An Outcome is the result of a rule for one benchmark.
type Outcome struct {
	Verdict   compare.Verdict // Regressed or empty if the rule can only flag
	Rounds    int             // number of samples per side used by the rule
	Estimated bool
	Shift     stat.Shift
	Need      int // number of rounds promised for an undecided benchmark
}

// A Named is a rule with the name used in the tables. New creates an instance for each goroutine.
type Named struct {
	Name string
	New  func() Rule
}

// each is a rule for one benchmark at a time.
type each struct {
	rounds int
	flag   func(t *Benchstat, p *PullRequest, b int) bool
	test   Benchstat
}

func (e *each) Judge(p *PullRequest, out []Outcome) {
	for b := range out {
		out[b] = Outcome{Rounds: e.rounds}
		if e.flag(&e.test, p, b) {
			out[b].Verdict = compare.Regressed
		}
	}
}

// Peers returns the rules of other tools.
func Peers() []Named {
	peer := func(name string, rounds int, flag func(t *Benchstat, p *PullRequest, b int) bool) Named {
		return Named{name, func() Rule { return &each{rounds: rounds, flag: flag} }}
	}
	ratio := func(limit float64) func(t *Benchstat, p *PullRequest, b int) bool {
		return func(_ *Benchstat, p *PullRequest, b int) bool { return p.Single[b][1] > limit*p.Single[b][0] }
	}
	mean := func(n int) func(t *Benchstat, p *PullRequest, b int) bool {
		return func(_ *Benchstat, p *PullRequest, b int) bool {
			return figures.Average(p.Blocks[n][b][1]) > 1.05*figures.Average(p.Blocks[n][b][0])
		}
	}
	block := func(n int, least float64) func(t *Benchstat, p *PullRequest, b int) bool {
		return func(t *Benchstat, p *PullRequest, b int) bool {
			return t.Slower(p.Blocks[n][b][0], p.Blocks[n][b][1], least)
		}
	}
	interleaved := func(n int, least float64) func(t *Benchstat, p *PullRequest, b int) bool {
		return func(t *Benchstat, p *PullRequest, b int) bool {
			return t.Slower(p.Interleaved[b][0][:n], p.Interleaved[b][1][:n], least)
		}
	}
	return []Named{
		peer("github-action-benchmark, 200 %, n=1", 1, ratio(2)),
		peer("github-action-benchmark, 110 %, n=1", 1, ratio(1.1)),
		peer("rustc-perf, Q3 + 3 IQR, n=1", 1, iqrFence),
		peer("mean > 5 %, in blocks, n=6", 6, mean(6)),
		peer("mean > 5 %, in blocks, n=10", 10, mean(10)),
		peer("benchstat p < .05, in blocks, n=6", 6, block(6, 0)),
		peer("benchstat p < .05, in blocks, n=10", 10, block(10, 0)),
		peer("benchstat p < .05, in blocks, n=20", 20, block(20, 0)),
		peer("the same and >= 5 %, in blocks, n=10", 10, block(10, 0.05)),
		peer("benchstat p < .05, interleaved, n=6", 6, interleaved(6, 0)),
		peer("benchstat p < .05, interleaved, n=10", 10, interleaved(10, 0)),
		peer("benchstat p < .05, interleaved, n=20", 20, interleaved(20, 0)),
		peer("the same and >= 3 %, interleaved, n=10", 10, interleaved(10, 0.03)),
		peer("CockroachDB, 3 batches of n=10 all p < .05", 30, threeBatches),
		{"e-process on pairs, up to 40", func() Rule { return &eProcess{} }},
	}
}

// A Benchstat performs the same test as benchstat.
type Benchstat struct {
	work []float64
}

// Slower reports whether benchstat finds a significant difference and the median of h exceeds the
// median of b by at least the fraction least.
func (t *Benchstat) Slower(b, h []float64, least float64) bool {
	mb, mh := t.median(b), t.median(h)
	return mh > mb && mh >= (1+least)*mb && t.significant(b, h)
}

// significant performs the test from golang.org/x/perf/benchmath. If all samples are equal, the
// test returns an error, and the difference is not significant.
func (t *Benchstat) significant(b, h []float64) bool {
	u, err := stats.MannWhitneyUTest(b, h, stats.LocationDiffers)
	return err == nil && u.P < 0.05
}

func (t *Benchstat) median(v []float64) float64 {
	t.work = append(t.work[:0], v...)
	slices.Sort(t.work)
	n := len(v)
	return (t.work[(n-1)/2] + t.work[n/2]) / 2
}

// iqrFence is rustc-perf's rule: a change is significant if it exceeds the third quartile of the
// last 30 changes plus three times their interquartile range (rust-lang/rustc-perf,
// site/src/comparison.rs).
func iqrFence(t *Benchstat, p *PullRequest, b int) bool {
	t.work = t.work[:0]
	h := p.History[b]
	for i := 1; i < len(h); i++ {
		t.work = append(t.work, math.Abs(h[i]/h[i-1]-1))
	}
	slices.Sort(t.work)
	q1, q3 := figures.Quantile(t.work, 0.25), figures.Quantile(t.work, 0.75)
	return p.Single[b][1]/p.Single[b][0]-1 > q3+3*(q3-q1)
}

// threeBatches is the rule of CockroachDB's microbenchmark check: with interleaved samples, the
// difference must be significant at 5 % in each of three batches.
func threeBatches(t *Benchstat, p *PullRequest, b int) bool {
	for lo := 0; lo < 30; lo += 10 {
		if !t.Slower(p.Interleaved[b][0][lo:lo+10], p.Interleaved[b][1][lo:lo+10], 0) {
			return false
		}
	}
	return true
}

// An eProcess accumulates evidence from pairs by multiplication and may stop at any time. If
// nothing changed, the sign of a pair's difference is a coin flip, independent of its size (Ville's
// inequality; Lindon, Malek and others, 2022).
type eProcess struct{ sizes []float64 }

func (e *eProcess) Judge(p *PullRequest, out []Outcome) {
	const alpha, null = 0.01, 0.0025
	for b := range out {
		e.sizes = e.sizes[:0]
		bets := [3]float64{p.Threshold / 2, p.Threshold, 2 * p.Threshold}
		wealth := [3]float64{1, 1, 1}
		out[b] = Outcome{Rounds: min(40, p.Rounds)}
		for i := range out[b].Rounds {
			r := math.Log(p.Interleaved[b][1][i]/p.Interleaved[b][0][i]) - null
			at, _ := slices.BinarySearch(e.sizes, math.Abs(r))
			e.sizes = slices.Insert(e.sizes, at, math.Abs(r))
			s := 1.4826 * figures.Quantile(e.sizes, 0.5)
			if i < 4 || s == 0 {
				continue // the scale is not known yet
			}
			for k, a := range bets {
				wealth[k] *= 1 + math.Tanh(min(1, max(-1, a*r/(s*s))))
			}
			if (wealth[0]+wealth[1]+wealth[2])/3 >= float64(p.Benchmarks)/alpha {
				out[b] = Outcome{Verdict: compare.Regressed, Rounds: i + 1}
				break
			}
		}
	}
}
