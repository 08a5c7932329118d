package simulate

import (
	"math"
	"runtime"
	"sync"
)

// A Tally counts what a rule said of the pull requests of one scenario. The
// subject is the first benchmark, which has the effect.
type Tally struct {
	Rule         string
	PullRequests int
	False        int // benchmarks without a change that were flagged
	Alarms       int // pull requests with any such
	Found        int // subjects flagged
	Unchanged    int // subjects called unchanged
	Improved     int // subjects called improved
	Undecided    int // subjects
	Samples      int // a side, of the subjects
	MostSamples  int // a side, of any benchmark
	Estimated    int // subjects with an estimate
	Covered      int // subjects whose interval has the true shift
	bias         int64
	CalledSame   int // benchmarks without a change called unchanged
	Others       int // benchmarks without a change
	All          int // benchmarks
	AllSamples   int // a side
}

// MeanAll is the mean number of samples a side over all benchmarks.
func (t *Tally) MeanAll() float64 { return float64(t.AllSamples) / float64(t.All) }

// biasUnit makes the sum of errors independent of its order.
const biasUnit = 1e-12

// Bias is the mean error of the estimate of the subjects, as a logarithm.
func (t *Tally) Bias() float64 { return float64(t.bias) * biasUnit / float64(max(1, t.Estimated)) }

// MeanSamples is the mean number of samples a side of the subjects.
func (t *Tally) MeanSamples() float64 { return float64(t.Samples) / float64(t.PullRequests) }

func (t *Tally) count(s *Scenario, out []Outcome) {
	t.PullRequests++
	alarm := false
	for b, o := range out {
		t.All++
		t.AllSamples += o.Rounds
		t.MostSamples = max(t.MostSamples, o.Rounds)
		if b == 0 && s.Effect != 0 {
			continue
		}
		if o.Flagged {
			t.False++
			alarm = true
		}
		if o.Unchanged {
			t.CalledSame++
		}
		t.Others++
	}
	if alarm {
		t.Alarms++
	}
	o := out[0]
	t.Samples += o.Rounds
	switch {
	case o.Flagged:
		t.Found++
	case o.Unchanged:
		t.Unchanged++
	case o.Improved:
		t.Improved++
	default:
		t.Undecided++
	}
	if o.Estimated {
		t.Estimated++
		if o.Shift.Lo <= s.Effect && s.Effect <= o.Shift.Hi {
			t.Covered++
		}
		t.bias += int64(math.Round((math.Log1p(o.Shift.Center) - math.Log1p(s.Effect)) / biasUnit))
	}
}

func (t *Tally) add(u *Tally) {
	t.PullRequests += u.PullRequests
	t.False += u.False
	t.Alarms += u.Alarms
	t.Found += u.Found
	t.Unchanged += u.Unchanged
	t.Improved += u.Improved
	t.Undecided += u.Undecided
	t.Samples += u.Samples
	t.MostSamples = max(t.MostSamples, u.MostSamples)
	t.Estimated += u.Estimated
	t.Covered += u.Covered
	t.bias += u.bias
	t.CalledSame += u.CalledSame
	t.Others += u.Others
	t.All += u.All
	t.AllSamples += u.AllSamples
}

// Run lets all rules judge n pull requests of a scenario. The result depends
// on nothing but its arguments: each pull request has a random source of its
// own, whatever the number of processors.
func Run(s Scenario, n int, seed uint64, rules ...Named) []*Tally {
	s = s.withDefaults()
	total := make([]*Tally, len(rules))
	for i, r := range rules {
		total[i] = &Tally{Rule: r.Name}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			mine := judge(s, n, seed, rules, w, workers)
			mu.Lock()
			defer mu.Unlock()
			for i := range total {
				total[i].add(&mine[i])
			}
		})
	}
	wg.Wait()
	return total
}

// judge does every step-th pull request from first on.
func judge(s Scenario, n int, seed uint64, rules []Named, first, step int) []Tally {
	tallies := make([]Tally, len(rules))
	made := make([]Rule, len(rules))
	others := false
	for i, r := range rules {
		made[i] = r.New()
		if _, ours := made[i].(*Procedure); !ours {
			others = true
		}
	}
	p := newPullRequest(s)
	out := make([]Outcome, p.Benchmarks)
	for i := first; i < n; i += step {
		p.draw(seed, uint64(i), others)
		for k, rule := range made {
			rule.Judge(p, out)
			tallies[k].count(&p.Scenario, out)
		}
	}
	return tallies
}
