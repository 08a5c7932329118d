package verdicts

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Rule judges pull requests. One instance judges one after the other.
type Rule interface {
	// Judge fills in what it says of each benchmark.
	Judge(p *PullRequest, out []Outcome)
}

// An Outcome is what a rule says of one benchmark.
type Outcome struct {
	Verdict   compare.Verdict // Regressed or none, of a rule that only flags
	Rounds    int             // samples a side that it took
	Estimated bool
	Shift     stat.Shift
	Need      int // rounds that an undecided benchmark is said to need
}

// A Named is a rule under the name that the tables show, made anew for each
// goroutine.
type Named struct {
	Name string
	New  func() Rule
}

// each is a rule that looks at one benchmark at a time.
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

// Peers are the rules of other tools.
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

// A Benchstat tests as benchstat does.
type Benchstat struct {
	test stat.Stratified
	work []float64
}

// Slower is benchstat's verdict: the difference is significant, and the median
// larger by at least a fraction.
func (t *Benchstat) Slower(b, h []float64, least float64) bool {
	mb, mh := t.median(b), t.median(h)
	return mh > mb && mh >= (1+least)*mb && t.significant(b, h)
}

func (t *Benchstat) significant(b, h []float64) bool {
	t.test.Load(pairs([2][]float64{b, h}))
	return t.test.Tails(0).TwoSided() < 0.05
}

func (t *Benchstat) median(v []float64) float64 {
	t.work = append(t.work[:0], v...)
	slices.Sort(t.work)
	n := len(v)
	return (t.work[(n-1)/2] + t.work[n/2]) / 2
}

// iqrFence is rustc-perf's rule: a change is significant beyond the third
// quartile plus three interquartile ranges of the last 30 changes
// (rust-lang/rustc-perf, site/src/comparison.rs).
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

// threeBatches is the rule of CockroachDB's microbenchmark check: interleaved,
// significant at 5 %, and again so in each repetition.
func threeBatches(t *Benchstat, p *PullRequest, b int) bool {
	for lo := 0; lo < 30; lo += 10 {
		if !t.Slower(p.Interleaved[b][0][lo:lo+10], p.Interleaved[b][1][lo:lo+10], 0) {
			return false
		}
	}
	return true
}

// An eProcess multiplies evidence of pairs and may stop at any time: under no
// change the sign of a pair's difference is a coin flip whatever its size
// (Ville's inequality; Lindon, Malek and others, 2022).
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
				continue // no idea of the scale yet
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
