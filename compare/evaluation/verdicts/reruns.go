package verdicts

import (
	"fmt"
	"io"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/evaluation/noise"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Promise describes a benchmark a check may leave undecided with the message "needs N rounds".
// Running the check again shows whether N rounds decide the benchmark.
type Promise struct {
	CV     float64 // coefficient of variation of a sample, independent on both sides of a pair
	Effect float64
}

// Promises returns the promises in the published table. The benchmark either did not change or
// changed by the threshold.
func Promises() (all []Promise) {
	for _, cv := range []float64{0.05, 0.08, 0.1} {
		for _, effect := range []float64{0, 0.05} {
			all = append(all, Promise{cv, effect})
		}
	}
	return all
}

const (
	rerunRounds  = 20   // number of rounds added by default when a check is run again
	sharing      = 29   // number of benchmarks, each in its own target, including the undecided one
	mostPromised = 1000 // number of rounds after which reruns stop
)

// planned returns the number of rounds in a check.
func planned() int { return stat.CheckPlan().Last() }

// Kept describes whether one promise was kept.
type Kept struct {
	Open    bool // whether the benchmark was undecided after the first run
	Said    int  // number of promised rounds; 0 if no number up to a thousand is enough
	Reruns  int  // number of rounds until its decision, adding 20 at a time; 0 if never
	At      bool // whether a single further run up to the promised round decided the benchmark
	Correct bool // whether the decision by reruns was right
}

// Run examines n promises. The result does not depend on the number of processors.
func (p Promise) Run(n int, seed uint64) []Kept {
	out := make([]Kept, n)
	evaluation.Share(func(first, step int) {
		pr := newPullRequest(Scenario{Term: noise.White(p.CV), Benchmarks: 1, Effect: p.Effect, Rounds: mostPromised})
		for i := first; i < n; i += step {
			pr.draw(seed, uint64(i), false)
			out[i] = p.keep(pairsOf(pr.Interleaved[0]))
		}
	})
	return out
}

func (p Promise) keep(values []stat.Pair) (k Kept) {
	series := stat.Series{Better: -1, Threshold: 0.05}
	begin := func() *stat.Sequence {
		s := stat.NewSequence(stat.Trial{Series: []stat.Series{series}}, stat.Options{Part: 1. / sharing})
		measure(s, values, 0, planned())
		return s
	}
	s := begin()
	if !s.Open(0) {
		return k
	}
	k.Open, k.Said = true, s.Decisions()[0].Need
	for round := planned(); s.Open(0) && round < len(values); {
		measure(s, values, round, round+rerunRounds)
		round += rerunRounds
		if !s.Open(0) {
			k.Reruns = round
		}
	}
	want := compare.Unchanged
	if p.Effect > 0 {
		want = compare.Regressed
	}
	k.Correct = compare.DecisionOf(s.Decisions()[0], -1).Verdict == want
	if k.Said > planned() && k.Said <= len(values) {
		s = begin()
		measure(s, values, planned(), k.Said)
		k.At = !s.Open(0)
	}
	return k
}

// measure adds the rounds after from, up to and including to, as one session.
func measure(s *stat.Sequence, values []stat.Pair, from, to int) {
	for r := from; r < to; r++ {
		s.Add(0, r+1, values[r])
	}
	s.End(to)
}

// PromiseTable writes how often promises of each kind were kept.
func PromiseTable(w io.Writer, n int, seed uint64) {
	fmt.Fprint(w, "| CV, change | open after a check % | told no number % | told: median | 20 rounds more each time: median, 90 % | so decided by what was told % | one run of what was told % | decided wrongly |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, p := range Promises() {
		var said, needed []int
		open, by, at, wrong := 0, 0, 0, 0
		for _, k := range p.Run(n, seed+uint64(i)<<32) {
			if k.Open {
				open++
			}
			if k.Said == 0 {
				continue
			}
			said = append(said, k.Said)
			if k.Reruns == 0 {
				k.Reruns = mostPromised
			} else if !k.Correct {
				wrong++
			}
			needed = append(needed, k.Reruns)
			if k.Reruns < k.Said+rerunRounds {
				by++
			}
			if k.At {
				at++
			}
		}
		told := len(said)
		slices.Sort(said)
		slices.Sort(needed)
		fmt.Fprintf(w, "| %g %%, %+g %% | %s |", 100*p.CV, 100*p.Effect, figures.Share(open, n))
		if told == 0 {
			fmt.Fprintln(w, " - | - | - | - | - | - |")
			continue
		}
		fmt.Fprintf(w, " %s | %d | %d, %d | %s | %s | %d |\n", figures.Share(open-told, open), said[told/2], needed[told/2], needed[told*9/10],
			figures.Share(by, told), figures.Share(at, told), wrong)
	}
}

// A Shared scenario shares the error rate between several sessions of a trial, or several targets.
type Shared struct {
	Name string
	Scenario
	Rule Named
}

// SharedRates returns the scenarios in the published table. Nothing changed in any of them.
func SharedRates() []Shared {
	again := func(sessions int) Named {
		p := Procedure{}
		for i := range sessions - 1 {
			p.Reruns = append(p.Reruns, planned()+rerunRounds*i)
		}
		return Named{"pairs", func() Rule { q := p; return &q }}
	}
	white := func(cv float64, rounds int) Scenario {
		return Scenario{Term: noise.White(cv), Rounds: rounds}
	}
	targets := func(n int) Named {
		return Named{"pairs", func() Rule { return &Procedure{Targets: n} }}
	}
	return []Shared{
		{"CV 5 %, five runs: a check, then 20 rounds more each time", white(0.05, planned()+4*rerunRounds), again(5)},
		{"CV 10 %, five runs", white(0.1, planned()+4*rerunRounds), again(5)},
		{"CV 10 %, three targets of 10, 10 and 9 benchmarks", white(0.1, planned()), targets(3)},
		{"CV 3 %, 29 targets of one benchmark", white(0.03, planned()), targets(29)},
	}
}

// SharedTable writes how many pull requests with 29 benchmarks have a false alarm in any session or
// target. It returns the scenarios proven to have too many.
func SharedTable(w io.Writer, sizes Sizes, seed uint64) (failures []string) {
	n := sizes.Each
	fmt.Fprint(w, "| nothing changed | falsely regressed % | falsely improved % |\n|---|--:|--:|\n")
	for i, s := range SharedRates() {
		t := Run(s.Scenario, n, seed+uint64(i)<<32, s.Rule)[0]
		improved := t.Wrong.Of(compare.Improved)
		fmt.Fprintf(w, "| %s | %s (≤ %s) | %s (≤ %s) |\n", s.Name, figures.Share(t.Alarms, n), decimals(figures.AtMost(t.Alarms, n)),
			figures.Share(improved, n), decimals(figures.AtMost(improved, n)))
		if sure := figures.AtLeast(max(t.Alarms, improved), n); sure > mostAlarms {
			failures = append(failures, fmt.Sprintf("%s: at least %s of pull requests with a false alarm", s.Name, figures.Bound(sure)))
		}
	}
	return failures
}
