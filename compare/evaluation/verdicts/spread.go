package verdicts

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// A Dealt counts the verdicts of trials measured by one queue, and what they cost.
type Dealt struct {
	Tally
	Time, Work float64 // sums, in units of a benchmark and round: until the last verdict, and by all machines
	Last       int     // sum of the rounds of the deciding looks
}

// RunDealt measures n pull requests of m benchmarks by a queue. The result depends only on the
// arguments.
func RunDealt(f Fleet, q Queue, m, n int, seed uint64) *Dealt {
	s := Scenario{Effect: f.Effect}
	each := make([]Dealt, n) // summed in order, because sums of fractions depend on it
	evaluation.Share(func(first, step int) {
		out := make([]Outcome, m)
		for i := first; i < n; i += step {
			d := newDealing(q, &f, rand.New(rand.NewPCG(seed, uint64(i))), m)
			d.run()
			outcomes(&d.seq, out)
			each[i].count(&s, out)
			each[i].Time, each[i].Work, each[i].Last = d.now, d.work, d.decided
		}
	})
	total := &Dealt{}
	for i := range each {
		total.add(&each[i].Tally)
		total.Time, total.Work, total.Last = total.Time+each[i].Time, total.Work+each[i].Work, total.Last+each[i].Last
	}
	return total
}

// Fleets are the fleets in the published table, without a change and with +5 %.
func Fleets() (all []Fleet) {
	for _, f := range []Fleet{
		{Name: "pair SD 3 %, the same on all machines", Pair: 0.03},
		{Name: "pair SD 2 %", Pair: 0.02, Level: 0.3, Interaction: 0.01},
		{Name: "pair SD 3 %", Pair: 0.03, Level: 0.3, Interaction: 0.01},
		{Name: "pair SD 2 %, one machine three times as noisy", Pair: 0.02, Level: 0.3, Interaction: 0.01, Noisy: 3},
		{Name: "pair SD 2 %, machines differ without a change, too", Pair: 0.02, Level: 0.3, Interaction: 0.01, Everywhere: true},
	} {
		all = append(all, f)
		f.Name, f.Effect = f.Name+"; +5 %", 0.05
		all = append(all, f)
	}
	return all
}

// spreadBenchmarks is the number of benchmarks of a pull request in the tables of spread trials.
const spreadBenchmarks = 300

// mostTime is the largest acceptable time of eight machines, as a fraction of that of one.
const mostTime = 1. / 6

// SpreadTable writes the verdicts of one machine and of eight machines that share the rounds. It
// returns the goals that are not proven, or for power and time not reached.
func SpreadTable(w io.Writer, sizes Sizes, seed uint64) (failures []string) {
	fmt.Fprint(w, "| 300 benchmarks | falsely regressed %: one machine, eight | falsely improved %: one, eight | found %: one, eight | last look: one, eight | time of eight machines / one | work of eight / one |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i, f := range Fleets() {
		n := sizes.Null
		if f.Effect > 0 {
			n = sizes.Found
		}
		one, eight := RunDealt(f, alone, spreadBenchmarks, n, seed+uint64(i)<<32), RunDealt(f, Spread, spreadBenchmarks, n, seed+uint64(i)<<32+1<<31)
		found := "-"
		if f.Effect > 0 {
			found = fmt.Sprintf("%s, %s (≥ %s)", figures.Share(one.Found, n), figures.Share(eight.Found, n), decimals(figures.AtLeast(eight.Found, n)))
			if figures.AtMost(eight.Found, n) < float64(one.Found)/float64(n) {
				failures = append(failures, fmt.Sprintf("%s: eight machines find %d of %d, one machine %d", f.Name, eight.Found, n, one.Found))
			}
		}
		improved := eight.Wrong.Of(compare.Improved)
		ratio := eight.Time / one.Time
		fmt.Fprintf(w, "| %s | %s, %s (≤ %s) | %s, %s (≤ %s) | %s | %.1f, %.1f | %.3f | %.2f |\n", f.Name,
			figures.Share(one.Alarms, n), figures.Share(eight.Alarms, n), decimals(figures.AtMost(eight.Alarms, n)),
			figures.Share(one.Wrong.Of(compare.Improved), n), figures.Share(improved, n), decimals(figures.AtMost(improved, n)),
			found, float64(one.Last)/float64(n), float64(eight.Last)/float64(n), ratio, eight.Work/one.Work)
		if bound := figures.AtMost(max(eight.Alarms, improved), n); bound > mostAlarms && f.isNull() {
			failures = append(failures, fmt.Sprintf("%s: up to %s of pull requests with a false alarm", f.Name, figures.Bound(bound)))
		}
		if ratio > mostTime && f.isUsual() {
			failures = append(failures, fmt.Sprintf("%s: eight machines take %.3f of the time of one", f.Name, ratio))
		}
	}
	return failures
}

// Queues are the queues in the published table.
func Queues() []Queue {
	return []Queue{
		{Machines: 8, Groups: 1, Rounds: 4, Across: true},
		{Machines: 8, Groups: 1, Rounds: 4, Across: true, Ahead: 17},
		{Machines: 8, Groups: 1, Rounds: 1, Ahead: 12},
		{Machines: 8, Groups: 8, Rounds: 4, Across: true},
		{Machines: 8, Groups: 8, Rounds: 4},
		Spread,
		{Machines: 8, Groups: 8, Rounds: 4, Ahead: 9},
		{Machines: 8, Groups: 8, Rounds: 2, Ahead: 4},
		{Machines: 8, Groups: 16, Rounds: 4, Ahead: 4},
		{Machines: 4, Groups: 4, Rounds: 4, Ahead: 4},
		{Machines: 2, Groups: 2, Rounds: 4, Ahead: 4},
	}
}

// QueueTable writes how long a trial without a change takes by each queue. A build on every machine
// before its first job takes as long as one round of all benchmarks in the last column.
func QueueTable(w io.Writer, n int, seed uint64) {
	fmt.Fprint(w, "| machines | groups of benchmarks | rounds of a job | rounds ahead of a look | time / one machine | work / one machine | time with a build on every machine / one |\n|--:|--:|---|--:|--:|--:|--:|\n")
	f := Fleets()[2]
	one := RunDealt(f, alone, spreadBenchmarks, n, seed)
	for _, q := range Queues() {
		d := RunDealt(f, q, spreadBenchmarks, n, seed)
		rounds := fmt.Sprint("≤ ", q.Rounds, ", to a look")
		if q.Across {
			rounds = fmt.Sprint(q.Rounds, ", across looks")
		}
		build := float64(n) * (spreadBenchmarks + spreadBenchmarks/perPackage*linkCost)
		fmt.Fprintf(w, "| %d | %d | %s | %d | %.3f | %.2f | %.3f |\n", q.Machines, q.Groups, rounds, q.Ahead, d.Time/one.Time, d.Work/one.Work, (build+d.Time)/(build+one.Time))
	}
}
