package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// A job is a pair of runs of a spread trial: some of its rounds, measured on one machine.
type job struct {
	machine, cpu string
	session      int
	rounds       []int
}

// drawn holds the values of all rounds of a trial, by benchmark: base, head, and 1 if head was first.
type drawn [][][3]float64

// drawRounds draws n rounds of several benchmarks, in which head is slower by a fraction of its own
// for each of them.
func drawRounds(r *rand.Rand, n int, cv float64, effects ...float64) (all drawn) {
	for _, effect := range effects {
		var rounds [][3]float64
		for range n {
			rounds = append(rounds, [3]float64{100 * math.Exp(cv*r.NormFloat64()), 100 * (1 + effect) * math.Exp(cv*r.NormFloat64()), float64(r.IntN(2))})
		}
		all = append(all, rounds)
	}
	return all
}

// run returns one side of a job.
func (all drawn) run(side record.Side, j job) *record.Run {
	r := &record.Run{
		Target: "m", Trial: "t", Side: side, Status: record.Complete, Start: time.Unix(int64(1000-j.rounds[0]), 0),
		Env: record.Settings{{Key: record.KeyCPU, Value: j.cpu}, {Key: record.KeyGOOS, Value: "linux"}},
	}
	r.Protocol.Decision, r.Protocol.Procedure = pairs.Decision, pairs.ProcedureCheck
	if j.machine != "" || j.cpu != "" {
		r.Protocol.Spread = &record.Spread{Class: "ci", Machine: j.machine, Session: j.session}
	}
	for i, rounds := range all {
		b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: fmt.Sprintf("B%02d", i)}}
		var values []float64
		for _, n := range j.rounds {
			x := rounds[n-1]
			value, order := x[0], int(x[2])
			if side == record.Head {
				value, order = x[1], 1-order
			}
			if !math.IsNaN(value) {
				b.Rounds, values = append(b.Rounds, record.Round{N: n, Order: order, Iters: 1}), append(values, value)
			}
		}
		if len(values) > 0 {
			b.Samples = []record.Samples{{Unit: "ns/op", Values: values}}
			r.Benchmarks = append(r.Benchmarks, b)
		}
	}
	return r
}

// sides returns both sides of the jobs.
func (all drawn) sides(jobs ...job) (b, h Side) {
	for _, j := range jobs {
		b.Runs, h.Runs = append(b.Runs, all.run(record.Base, j)), append(h.Runs, all.run(record.Head, j))
	}
	return b, h
}

// numbers returns the numbers from first to last.
func numbers(first, last int) (n []int) {
	for i := first; i <= last; i++ {
		n = append(n, i)
	}
	return n
}

// decisions returns the decisions of a comparison by benchmark. It fails if there is more than one
// pairing or if a benchmark has several rows.
func decisions(t rapid.TB, c *Comparison) map[string]string {
	t.Helper()
	if len(c.pairings) != 1 {
		t.Fatalf("%d pairings", len(c.pairings))
	}
	out := map[string]string{}
	for r := range c.Rows() {
		d := fmt.Sprintf("%+v, tested %d, change %v", r.Decision, c.Tested, r.Change())
		if out[r.Name] != "" {
			t.Fatalf("%s has several rows", r.Name)
		}
		out[r.Name] = d
	}
	return out
}

// The decisions of a spread trial equal those of the same rounds measured by one machine. They do not
// depend on how the rounds were divided into jobs, or on the order of the stored runs.
func TestSpreadDecidesAsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(uint64(rapid.IntRange(0, 1<<20).Draw(t, "seed")), 1))
		n := rapid.IntRange(1, 90).Draw(t, "rounds")
		all := drawRounds(r, n, 0.02, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0.01, 0.03, 0.06, -0.05}), 1, 5).Draw(t, "effects")...)
		for i := range all { // a lost value on either side, or on both
			for range rapid.IntRange(0, 3).Draw(t, "lost") {
				all[i][r.IntN(n)][r.IntN(2)] = math.NaN()
			}
		}
		sessionEnds := []int{n}
		if first := rapid.IntRange(1, n).Draw(t, "first session"); first < n {
			sessionEnds = []int{first, n}
		}
		named := rapid.Bool().Draw(t, "named")
		var whole, jobs []job
		from := 1
		for session, end := range sessionEnds {
			whole = append(whole, job{rounds: numbers(from, end)})
			for from <= end {
				length := rapid.IntRange(1, 12).Draw(t, "length")
				m := rapid.IntRange(1, 4).Draw(t, "machine")
				j := job{cpu: fmt.Sprint("CPU ", m%3), session: session + 1, rounds: numbers(from, min(from+length-1, end))}
				if named {
					j.machine = fmt.Sprint("w", m)
				}
				jobs = append(jobs, j)
				from += length
			}
			from = end + 1
		}
		b, h := all.sides(whole...)
		want := Compare(b, h, Options{})
		b, h = all.sides(rapid.Permutation(jobs).Draw(t, "jobs")...)
		h.Runs = rapid.Permutation(h.Runs).Draw(t, "heads")
		got := Compare(b, h, Options{})
		for name, d := range decisions(t, want) {
			if other := decisions(t, got)[name]; other != d {
				t.Fatalf("%s spread over jobs\n%s\nand on one machine\n%s", name, other, d)
			}
		}
	})
}

// A spread trial says which machine measured which rounds. Only settings that all machines have in
// common are its environment.
func TestMachinesOfSpread(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 16, 0.01, 0)
	b, h := all.sides(job{"w2", "A", 1, numbers(9, 12)}, job{"w3", "B", 1, numbers(5, 8)}, job{"w1", "A", 1, numbers(1, 4)}, job{"w3", "B", 1, numbers(13, 16)})
	h.Runs = h.Runs[:3] // the head side of the last job is lost
	found := pairs.Of(b.Runs, h.Runs)
	if len(found) != 1 || !found[0].Trial || !found[0].Comparable || found[0].NotJoined != "" {
		t.Fatalf("%d pairings, not joined: %q", len(found), found[0].NotJoined)
	}
	p := found[0]
	got := ""
	for _, m := range p.Machines {
		got += fmt.Sprint(m.Name, " ", m.Env.Get(record.KeyCPU), " ", m.Rounds, "; ")
	}
	if want := "w1 A [1 2 3 4]; w3 B [5 6 7 8]; w2 A [9 10 11 12]; "; got != want {
		t.Errorf("machines %s\nwant     %s", got, want)
	}
	if s := p.Spread(); s == nil || s.Class != "ci" || s.Machines != 3 {
		t.Errorf("spread %+v", s)
	}
	if env := p.Env[head].Text(); env != "goos: linux\n" {
		t.Errorf("the environment is\n%s", env)
	}
	if ends := p.Sessions(); !slices.Equal(ends, []int{16}) {
		t.Errorf("sessions end after %v", ends)
	}
	for side, runs := range p.Runs {
		for i := 1; i < len(runs); i++ {
			if runs[i-1].LastRound() > runs[i].LastRound() {
				t.Errorf("the runs of side %d are not in the order of rounds", side)
			}
		}
	}
}

// A round whose sides come from different machines does not count.
func TestSidesOfDifferentMachines(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 12, 0.01, 0)
	b, h := all.sides(job{"w1", "A", 1, numbers(1, 4)}, job{"w2", "A", 1, numbers(5, 8)}, job{"w3", "B", 1, numbers(9, 12)})
	h.Runs[0], h.Runs[1] = all.run(record.Head, job{"w2", "A", 1, numbers(1, 3)}), all.run(record.Head, job{"w1", "A", 1, numbers(4, 8)})
	p := pairs.Of(b.Runs, h.Runs)
	if len(p) != 1 {
		t.Fatalf("%d pairings: %s", len(p), p[0].NotJoined)
	}
	for _, rounds := range p[0].Rounds() {
		var counted []int
		for i, x := range rounds {
			if x.Base == x.Base && x.Head == x.Head {
				counted = append(counted, i+1)
			}
		}
		if !slices.Equal(counted, []int{4, 9, 10, 11, 12}) {
			t.Errorf("rounds %v count", counted)
		}
	}
}

// Runs that cannot be decided together are decided by environment, as in other trials.
func TestUnjoinedSpread(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 12, 0.01, 0)
	jobs := func(second job) (Side, Side) { return all.sides(job{"w1", "A", 1, numbers(1, 6)}, second) }
	of := func(j job) []*pairs.Pairing { b, h := jobs(j); return pairs.Of(b.Runs, h.Runs) }
	if p := of(job{"w2", "B", 1, numbers(7, 12)}); len(p) != 1 || p[0].NotJoined != "" {
		t.Errorf("%d pairings", len(p))
	}
	if p := of(job{"w2", "B", 1, numbers(6, 12)}); len(p) != 2 || p[0].NotJoined != "a round was measured twice" || p[1].NotJoined != p[0].NotJoined || p[0].Spread() != nil {
		t.Errorf("%d pairings of a repeated round, %q", len(p), p[0].NotJoined)
	}
	b, h := jobs(job{"w2", "B", 1, numbers(7, 12)})
	h.Runs[1].Protocol.Spread = nil
	if p := pairs.Of(b.Runs, h.Runs); len(p) != 2 || p[0].Machines != nil {
		t.Errorf("%d pairings if a run does not say that its trial is spread", len(p))
	}
	b, h = jobs(job{"w2", "B", 1, numbers(7, 12)})
	b.Runs[1].Protocol.Spread.Class = "other"
	if p := pairs.Of(b.Runs, h.Runs); len(p) != 2 || p[0].Machines != nil {
		t.Errorf("%d pairings of two classes", len(p))
	}
	b, h = jobs(job{"w2", "B", 1, numbers(7, 12)})
	if p := pairs.Of(b.Runs[:1], h.Runs[1:]); len(p) != 1 || p[0].Comparable || p[0].NotJoined != "no machine measured both sides" {
		t.Errorf("sides of two CPU models are joined: %+v", p[0])
	}
}

// Two machines that each lost a side do not make a pair, and do not spoil the rounds of a third one.
func TestLostSides(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 12, 0.01, 0)
	b, h := all.sides(job{"w1", "A", 1, numbers(1, 6)}, job{"w2", "B", 1, numbers(4, 6)}, job{"w3", "C", 1, numbers(7, 12)})
	p := pairs.Of([]*record.Run{b.Runs[0], b.Runs[2]}, h.Runs[1:])
	if len(p) != 1 || p[0].NotJoined != "" || len(p[0].Different) > 0 {
		t.Fatalf("%d pairings, %q, different: %v", len(p), p[0].NotJoined, p[0].Different)
	}
	for _, rounds := range p[0].Rounds() {
		for i, x := range rounds {
			if counts := x.Base == x.Base && x.Head == x.Head; counts != (i+1 >= 7) {
				t.Errorf("round %d counts: %v", i+1, counts)
			}
		}
	}
	if len(p[0].Machines) != 1 || p[0].Machines[0].Name != "w3" {
		t.Errorf("machines %+v", p[0].Machines)
	}
}

// The budget of a spread trial counts the rounds of one machine, because machines measure together.
func TestBudgetOfSpread(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 8, 0.01, 0.1)
	for machines, want := range map[int]string{
		1: "1 benchmark was not checked: the budget ran out before round 9; use --budget 1m10s",
		4: "1 benchmark was not checked: the budget ran out before round 9; use --budget 25s",
	} {
		var jobs []job
		for n := range 4 {
			jobs = append(jobs, job{fmt.Sprint("w", n%machines), "A", 1, numbers(2*n+1, 2*n+2)})
		}
		b, h := all.sides(jobs...)
		for _, run := range h.Runs {
			run.Protocol.Pace = &record.Pace{Setup: 3 * time.Second, Round: 6 * time.Second}
		}
		if got := Compare(b, h, Options{}).NotChecked().String(); got != want {
			t.Errorf("%d machines: %q, want %q", machines, got, want)
		}
	}
}

// A flag of a spread trial is only suspect if any machine left the layout of the code to the build.
func TestLayoutOfSpread(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 12, 0.002, 0.1)
	for layout, want := range map[string]Verdict{"rotate": Regressed, "default": Suspect} {
		b, h := all.sides(job{"w1", "A", 1, numbers(1, 6)}, job{"w2", "A", 1, numbers(7, 12)})
		for i, run := range append(b.Runs, h.Runs...) {
			if run.Env = run.Env.Set(record.KeyLayout, "rotate"); i%2 == 1 {
				run.Env = run.Env.Set(record.KeyLayout, layout)
			}
		}
		for row := range Compare(b, h, Options{}).Rows() {
			if row.Verdict != want {
				t.Errorf("layout %s: %s, want %s", layout, row.Verdict, want)
			}
		}
	}
}
