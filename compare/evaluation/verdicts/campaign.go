package verdicts

import (
	"math"
	"slices"
	"sync"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
)

// A Tally counts a rule's verdicts on the pull requests of one scenario. The subject of a pull
// request is its first benchmark, the one with the effect.
type Tally struct {
	Rule         string
	PullRequests int
	Found        int      // subjects called regressed
	Unchanged    int      // subjects called unchanged
	Undecided    int      // subjects not called regressed, unchanged or improved
	Subjects     Verdicts // verdicts on the subjects
	Alarms       int      // pull requests with a false regression
	Wrong        Verdicts // pull requests in which an unchanged benchmark got the verdict
	Samples      int      // per side, for the subjects
	MostSamples  int      // per side, for any benchmark
	Estimated    int      // subjects with an estimate
	Covered      int      // subjects with the true shift in their interval
	bias         int64
	All          int // total number of benchmarks
	AllSamples   int // per side, for all benchmarks
}

// Verdicts counts how often each of compare.Verdicts was given. Index 0 counts cases without a
// verdict.
type Verdicts [9]int

// Of returns the count of the given verdict.
func (v *Verdicts) Of(verdict compare.Verdict) int { return v[index(verdict)] }

func index(v compare.Verdict) int { return 1 + slices.Index(compare.Verdicts, v) }

// MeanAll returns the mean number of samples per side over all benchmarks.
func (t *Tally) MeanAll() float64 { return float64(t.AllSamples) / float64(t.All) }

// biasUnit is the unit in which errors are summed as integers, so that the sum does not depend on
// their order.
const biasUnit = 1e-12

// Bias returns the mean error of the subjects' estimates, on the logarithmic scale.
func (t *Tally) Bias() float64 { return float64(t.bias) * biasUnit / float64(max(1, t.Estimated)) }

// Coverage returns the share of the subjects' intervals containing the true shift.
func (t *Tally) Coverage() float64 { return float64(t.Covered) / float64(max(1, t.Estimated)) }

// MeanSamples returns the mean number of samples per side for the subjects.
func (t *Tally) MeanSamples() float64 { return float64(t.Samples) / float64(t.PullRequests) }

func (t *Tally) count(s *Scenario, out []Outcome) {
	t.PullRequests++
	var wrong Verdicts
	for b, o := range out {
		t.All++
		t.AllSamples += o.Rounds
		t.MostSamples = max(t.MostSamples, o.Rounds)
		if b == 0 && s.Effect != 0 {
			continue
		}
		wrong[index(o.Verdict)] = 1
	}
	for i, n := range wrong {
		t.Wrong[i] += n
	}
	t.Alarms += wrong[index(compare.Regressed)]
	o := out[0]
	t.Samples += o.Rounds
	t.Subjects[index(o.Verdict)]++
	switch o.Verdict {
	case compare.Regressed:
		t.Found++
	case compare.Unchanged:
		t.Unchanged++
	case compare.Improved:
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
	t.Alarms += u.Alarms
	for i := range t.Wrong {
		t.Wrong[i] += u.Wrong[i]
		t.Subjects[i] += u.Subjects[i]
	}
	t.Found += u.Found
	t.Unchanged += u.Unchanged
	t.Undecided += u.Undecided
	t.Samples += u.Samples
	t.MostSamples = max(t.MostSamples, u.MostSamples)
	t.Estimated += u.Estimated
	t.Covered += u.Covered
	t.bias += u.bias
	t.All += u.All
	t.AllSamples += u.AllSamples
}

// Run lets all rules judge n pull requests of a scenario. The result depends only on the arguments
// and not on the number of processors, because each pull request has its own random source.
func Run(s Scenario, n int, seed uint64, rules ...Named) []*Tally {
	s = s.withDefaults()
	total := make([]*Tally, len(rules))
	for i, r := range rules {
		total[i] = &Tally{Rule: r.Name}
	}
	var mu sync.Mutex
	evaluation.Share(func(first, step int) {
		mine := judge(s, n, seed, rules, first, step)
		mu.Lock()
		defer mu.Unlock()
		for i := range total {
			total[i].add(&mine[i])
		}
	})
	return total
}

// interleaved reports whether a rule uses only the interleaved trial.
func interleaved(r Rule) bool {
	switch r := r.(type) {
	case *Procedure:
		return true
	case *Product:
		return !r.Unpaired
	}
	return false
}

// judge handles every step-th pull request, starting with first.
func judge(s Scenario, n int, seed uint64, rules []Named, first, step int) []Tally {
	tallies := make([]Tally, len(rules))
	made := make([]Rule, len(rules))
	others := false
	for i, r := range rules {
		made[i] = r.New()
		others = others || !interleaved(made[i])
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
