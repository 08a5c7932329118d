package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// textsOf returns the texts of the caveats with a code.
func textsOf(list []Caveat, code string) (texts []string) {
	for _, c := range list {
		if c.Code == code {
			texts = append(texts, c.String())
		}
	}
	return texts
}

// A row that is flagged, or whose change differs clearly between CPU models, shows the change on each
// of them. All rounds together decide it.
func TestNoteModels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := drawRounds(r, 24, 0.002, 0, 0, 0.08, 0.08, 0.003)
	for _, n := range numbers(13, 24) { // on CPU B, the second benchmark is faster, and the third is the same as before
		all[1][n-1][1] *= 0.97
		all[2][n-1][1] /= 1.08
	}
	b, h := all.sides(job{"w1", "A", 1, numbers(1, 12)}, job{"w2", "B", 1, numbers(13, 24)})
	c := Compare(b, h, Options{})
	want := map[string]string{
		"B00": "unchanged ",
		"B01": "unchanged the change differs between the CPU models; the verdict is about all of them together: +0.0 % on A (12 rounds), -2.9 % on B (12 rounds)",
		"B02": "regressed the change differs between the CPU models; the verdict is about all of them together: +8.0 % on A (12 rounds), -0.1 % on B (12 rounds)",
		"B03": "regressed the change on each of the CPU models; the verdict is about all of them together: +7.9 % on A (12 rounds), +8.0 % on B (12 rounds)",
		"B04": "unchanged ",
	}
	for row := range c.Rows() {
		text := ""
		for _, n := range textsOf(row.Notes, CodeModels) {
			text += n
		}
		if got := string(row.Verdict) + " " + text; got != want[row.Name] {
			t.Errorf("%s is\n%s, want\n%s", row.Name, got, want[row.Name])
		}
	}
}

// The comparison names the machines of a spread trial and counts the rounds that are missing.
func TestNoteSpread(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 12, 0.002, 0.08)
	of := func(jobs ...job) (b, h Side) { return all.sides(jobs...) }
	check := func(name string, b, h Side, want ...string) {
		t.Helper()
		if got := textsOf(Compare(b, h, Options{}).Caveats, CodeSpread); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	b, h := of(job{"w1", "A", 1, numbers(1, 4)}, job{"w2", "B", 1, numbers(5, 8)}, job{"w3", "A", 1, numbers(9, 12)})
	check("three machines", b, h, "the rounds were spread over 3 machines, 2 CPU models: class ci, A, B")
	b, h = of(job{"w1", "A", 1, numbers(1, 4)}, job{"w2", "A", 1, numbers(9, 12)})
	check("a lost job", b, h, "the rounds were spread over 2 machines; 4 of 12 rounds are missing: class ci")
	h.Runs[1] = all.run(record.Head, job{"w3", "A", 1, numbers(9, 12)})
	check("sides of different machines", b, h, "the rounds were measured by one machine; 8 of 12 rounds are missing: class ci")
	b, h = of(job{"w1", "A", 1, numbers(1, 6)}, job{"w2", "B", 1, numbers(6, 12)})
	check("a round measured twice", b, h, "the rounds were spread over machines, but each environment is decided on its own: a round was measured twice: m")
	b, h = of(job{rounds: numbers(1, 12)})
	check("one machine", b, h)

	b, h = of(job{"", "A", 1, numbers(1, 12)})
	for _, run := range slices.Concat(b.Runs, h.Runs) {
		run.Protocol.Spread.Machines = 4
	}
	check("machines that the runs count", b, h, "the rounds were spread over 4 machines: class ci")

	b, h = of(job{"w1", "A", 1, numbers(1, 6)}, job{"w2", "A", 1, numbers(7, 12)})
	for _, s := range []Side{b, h} {
		s.Runs[0].Env, s.Runs[1].Env = s.Runs[0].Env.Set(record.KeyCPUCount, "4"), s.Runs[1].Env.Set(record.KeyCPUCount, "8")
	}
	check("one CPU in two sizes", b, h, "the rounds were spread over 2 machines, 2 environments: class ci, cpu-count 4, cpu-count 8")
	for _, s := range []Side{b, h} {
		s.Runs[0].Env, s.Runs[1].Env = s.Runs[0].Env.Set(record.KeyCPUCount, "8").Set(record.KeyMachine, "x"), s.Runs[1].Env.Set(record.KeyMachine, "y")
	}
	check("machines with labels", b, h, "the rounds were spread over 2 machines: class ci")
}

// A count that repeats on each CPU model, but differs between them, is decided by its rounds.
func TestCountsOfModels(t *testing.T) {
	all := drawRounds(rand.New(rand.NewPCG(1, 2)), 20, 0, 0, 0, 0)
	for i, more := range []float64{0, 1, -1} {
		for n := range all[i] {
			count := float64(5 + n/4%2) // 5 on A, 6 on B
			all[i][n][0], all[i][n][1] = count, count+more
		}
	}
	var jobs []job
	for n := range 5 {
		jobs = append(jobs, job{"w" + string(rune('1'+n)), []string{"A", "B"}[n%2], 1, numbers(4*n+1, 4*n+4)})
	}
	b, h := all.sides(jobs...)
	for _, run := range slices.Concat(b.Runs, h.Runs) {
		for i := range run.Benchmarks {
			run.Benchmarks[i].Samples[0].Unit = "allocs/op"
		}
		run.Units = []record.Unit{{Name: "allocs/op", Better: -1}}
	}
	want := map[string]Verdict{"B00": Unchanged, "B01": Regressed, "B02": Improved}
	for row := range Compare(b, h, Options{}).Rows() {
		if row.Verdict != want[row.Name] {
			t.Errorf("%s is %s (%s), want %s", row.Name, row.Verdict, row.Reason, want[row.Name])
		}
	}
}
