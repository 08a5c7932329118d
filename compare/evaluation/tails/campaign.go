package tails

import (
	"math/rand/v2"
	"sync"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/slicing"
)

// threshold is the smallest change that matters.
const threshold = 0.05

// A Tally counts the outcomes of a case's trials.
type Tally struct {
	Trials              int
	Regressed, Improved int
	ByMean              int // of these, decided by the mean alone
	Unchanged           int
	Doubtful            int // undecided because of the mean
	Open                int // undecided for other reasons
	Rounds              int
}

// Run checks a benchmark in n trials. The result depends only on the arguments.
func (c Case) Run(n int, seed uint64) (total Tally) {
	var mu sync.Mutex
	evaluation.Share(func(first, step int) {
		var mine Tally
		var seq stat.Sequence
		for i := first; i < n; i += step {
			mine.count(c.check(rand.New(rand.NewPCG(seed, uint64(i))), &seq))
		}
		mu.Lock()
		defer mu.Unlock()
		total.add(mine)
	})
	return total
}

// check measures a benchmark until it is decided or the plan ends. The benchmark gets the same
// share of the error rate as one of c.Family benchmarks. check returns the decision and the number
// of rounds.
func (c Case) check(r *rand.Rand, seq *stat.Sequence) (stat.Decision, int) {
	plan := stat.CheckPlan()
	seq.Reset(stat.Trial{Series: []stat.Series{{Better: -1, Threshold: threshold}}},
		stat.Options{Plan: plan, Part: 1 / float64(max(1, c.Family))})
	round := 0
	for open := 1; open > 0 && round < plan.Last(); {
		round++
		times := c.round(r, c.Slices)
		typical := slicing.Times(times)
		seq.Add(0, round, stat.Pair{Base: typical[0], Head: typical[1]})
		seq.AddMean(0, round, means(times))
		open = seq.Complete(round)
	}
	return seq.Decisions()[0], round
}

// means returns the means over all slices of each side. It assumes that no slice waited for a CPU,
// so every slow slice counts.
func means(times [][2]float64) stat.Pair {
	var of [2]slicing.Mean
	for side := range of {
		column := make([]float64, len(times))
		for i, t := range times {
			column[i] = t[side]
		}
		of[side] = slicing.MeanOf(column, make([]float64, len(times)))
	}
	return stat.Pair{Base: of[0].Time, Head: of[1].Time}
}

func (t *Tally) count(d stat.Decision, rounds int) {
	t.Trials++
	t.Rounds += rounds
	switch {
	case d.Outcome == stat.Higher:
		t.Regressed++
	case d.Outcome == stat.Lower:
		t.Improved++
	case d.Outcome == stat.Same:
		t.Unchanged++
	case d.ByMean:
		t.Doubtful++
	default:
		t.Open++
	}
	if d.ByMean && d.Outcome != stat.Open {
		t.ByMean++
	}
}

func (t *Tally) add(u Tally) {
	t.Trials += u.Trials
	t.Regressed += u.Regressed
	t.Improved += u.Improved
	t.ByMean += u.ByMean
	t.Unchanged += u.Unchanged
	t.Doubtful += u.Doubtful
	t.Open += u.Open
	t.Rounds += u.Rounds
}
