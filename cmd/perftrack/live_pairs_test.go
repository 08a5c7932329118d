package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A pairsRow is a row of the live table: a change, and the goal for checks of that change.
type pairsRow struct {
	name, what string
	branch     string
	benches    []string
	args       []string
	checks     int
	disturbed  int     // checks with the disturber
	right      string  // the expected verdict
	noise      float64 // the largest pair noise, in percent, that the goal applies to; 0 for any
}

var three = []string{"Spin", "Walk", "Allocate"}

var pairsTable = []pairsRow{
	{name: "same", what: "the same work", branch: "same", benches: three, args: []string{"--budget", "2m"}, checks: 50, disturbed: 10, right: "unchanged"},
	{name: "plus5", what: "+5 %", branch: "plus-5", benches: three, args: []string{"--budget", "2m"}, checks: 20, disturbed: 10, right: "regressed"},
	{name: "plus2", what: "+2 %, threshold 2 %", branch: "plus-2", benches: three[:2], args: []string{"--threshold", "2%"}, checks: 20, right: "regressed", noise: 2},
	{name: "plus1", what: "+1 %, threshold 1 %", branch: "plus-1", benches: three[:1], args: []string{"--threshold", "1%", "--budget", "20s"}, checks: 20, right: "regressed", noise: 1},
	{name: "collect", what: "all collection", branch: "collect", benches: []string{"Collect"}, checks: 20, disturbed: 5, right: "regressed"},
}

// TestLivePairs checks known changes and counts the right and wrong verdicts, on the machine as it
// is and with a disturber, in slices and with fresh pairs of processes.
//
//	PERFTRACK_LIVE=full go test -run 'LivePairs/same/quiet/slices' -v -timeout 2h ./cmd/perftrack
//
// prints one row. The parts of the test's name are a name in pairsTable, quiet or disturbed, and
// slices or fresh; leaving parts out selects all. PERFTRACK_LIVE_CHECKS sets another number of
// checks.
func TestLivePairs(t *testing.T) {
	if !full() {
		t.Skip("it takes an hour: PERFTRACK_LIVE=full go test -run 'LivePairs/same/quiet/slices' -v -timeout 2h ./cmd/perftrack")
	}
	for _, r := range pairsTable {
		t.Run(r.name, func(t *testing.T) {
			for _, machine := range []string{"quiet", "disturbed"} {
				if r.disturbed == 0 && machine == "disturbed" {
					continue // the goal is for a quieter machine
				}
				t.Run(machine, func(t *testing.T) {
					for _, way := range []string{"slices", "fresh"} {
						t.Run(way, func(t *testing.T) { r.run(t, machine, way) })
					}
				})
			}
		})
	}
}

// checksOr returns the number of checks, trials or rounds for a row: PERFTRACK_LIVE_CHECKS, or n if
// it is not set.
func checksOr(t *testing.T, n int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PERFTRACK_LIVE_CHECKS"), strconv.Itoa(n)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (r pairsRow) run(t *testing.T, machine, way string) {
	m := newWorkModule(t)
	base, checks := m.binaryOf("live", 0), r.checks
	if machine == "disturbed" {
		checks = r.disturbed
		m.disturb()
	}
	before := variation(t, base, 15, r.benches...)
	fmt.Printf("%s, %s, %s: %s; CV of 15 fresh samples of 100 ms before: %s\n", r.what, machine, way, strings.Join(r.benches, ", "), percentsOf(before))
	if r.branch == "collect" {
		fmt.Printf("samples of 1 s show %+.1f %%\n", longChange(t, base, m.binaryOf(r.branch, 0), r.benches[0], 5))
	}
	var found tally
	for i := range checksOr(t, checks) {
		c := m.pairsCheck(fmt.Sprintf("%s-%s-%s-%d", r.name, machine, way, i), r.branch, way, r.benches, r.args...)
		fmt.Printf("%2d: %s, %.1f s, %.0f %% in benchmarks\n", i+1, c, c.took.Seconds(), c.share)
		found.add(c)
	}
	after := variation(t, base, 15, r.benches...)
	fmt.Printf("CV after: %s\n\n%s\n", percentsOf(after), found.table(r, machine, way))
	if wrong := found.wrong(r.right); wrong > 0 {
		t.Errorf("%d wrong verdicts", wrong)
	}
}

// A pairsCheck is the result of one check, with the pair noise of its benchmarks.
type pairsCheck struct {
	checkResult
	pairs map[string]pairsMeasured
}

// pairsMeasured describes one benchmark's time in one trial.
type pairsMeasured struct {
	noise  float64 // robust SD of the log ratios of its rounds, in percent
	sliced bool    // whether any round was measured in slices
	way    string
}

// pairsCheck checks a branch in a trial of its own. Without a verdict on every benchmark, the test
// fails.
func (m workModule) pairsCheck(name, branch, way string, benches []string, args ...string) pairsCheck {
	m.t.Helper()
	m.env = append(slices.Clip(m.env), "PERFTRACK_DB="+filepath.Join(m.temp, name+".db"))
	args = append(args, "--bench", "^Benchmark("+strings.Join(benches, "|")+")$")
	if way == "fresh" {
		args = append(args, "--pairs=fresh")
	}
	c := pairsCheck{pairs: map[string]pairsMeasured{}}
	var stderr string
	if c.checkResult, stderr = m.tryCheck("live", branch, args...); c.code > 2 || len(c.rows) != len(benches) {
		m.t.Fatalf("check exits %d with %d rows\n%s", c.code, len(c.rows), stderr)
	}
	export, _ := m.command("export", "--quiet")
	export.Stdout = nil
	text, err := export.Output()
	if err != nil {
		m.t.Fatal(err)
	}
	sides := map[record.Side]*record.Run{}
	for _, r := range runtest.Parse(m.t, string(text)) {
		sides[r.Side] = r
	}
	for _, row := range c.rows {
		c.pairs[row.Name] = pairsOf(m.t, sides, row.Name)
	}
	return c
}

func pairsOf(t *testing.T, sides map[record.Side]*record.Run, name string) (p pairsMeasured) {
	t.Helper()
	values := map[int][]float64{} // base and head of each round
	for _, side := range []record.Side{record.Base, record.Head} {
		i := slices.IndexFunc(sides[side].Benchmarks, func(b record.Benchmark) bool { return b.Name == name })
		if i < 0 {
			t.Fatalf("the %s has no %s", side, name)
		}
		b := &sides[side].Benchmarks[i]
		ns, _ := b.Unit("ns/op")
		for j, v := range ns.Values {
			values[b.Rounds[j].N] = append(values[b.Rounds[j].N], v)
			p.sliced = p.sliced || b.Rounds[j].Slices > 0
		}
	}
	var ratios []float64
	for _, v := range values {
		if len(v) == 2 && v[0] > 0 && v[1] > 0 {
			ratios = append(ratios, v[1]/v[0])
		}
	}
	if p.noise = robustSD(ratios); len(ratios) < 5 {
		p.noise = math.Inf(1) // the noise is practically unknown
	}
	w, _ := record.MethodOf(sides[record.Base].Protocol.Methods, "example.com/work", name)
	p.way = fmt.Sprintf("%s of %d slices of %v", w.Estimator, w.Slices, w.Length.Round(10*time.Microsecond))
	if !p.sliced {
		p.way = "fresh: " + w.Why
	}
	return p
}

// String returns a clause about each row.
func (c pairsCheck) String() string {
	var parts []string
	for _, r := range c.rows {
		text := fmt.Sprintf("%s %s after %d", r.Name, r.Verdict, r.Base.N)
		if r.Shift != nil {
			text += fmt.Sprintf(" %+.1f [%+.1f, %+.1f]", 100*r.Shift.Center, 100*r.Shift.Lo, 100*r.Shift.Hi)
		}
		parts = append(parts, fmt.Sprintf("%s, noise %.1f, %s", text, c.pairs[r.Name].noise, c.pairs[r.Name].way))
	}
	return strings.Join(parts, "; ")
}

// A tally collects the results of several checks.
type tally struct{ checks []pairsCheck }

func (y *tally) add(c pairsCheck) { y.checks = append(y.checks, c) }

// count returns the number of rows with this verdict ("" for any) on this benchmark ("" for any)
// with at most the given pair noise in percent (0 for any).
func (y *tally) count(verdict, bench string, noise float64) (n int) {
	for _, c := range y.checks {
		for _, r := range c.rows {
			if (verdict == "" || r.Verdict == verdict) && (bench == "" || r.Name == bench) && (noise == 0 || c.pairs[r.Name].noise <= noise) {
				n++
			}
		}
	}
	return n
}

// decided returns the number of rows with a verdict.
func (y *tally) decided() int {
	return y.count("regressed", "", 0) + y.count("improved", "", 0) + y.count("unchanged", "", 0)
}

// wrong returns the number of rows with a verdict other than the right one.
func (y *tally) wrong(right string) int { return y.decided() - y.count(right, "", 0) }

// table returns a line for each benchmark and one for all of them.
func (y *tally) table(r pairsRow, machine, way string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, %s, %s | regressed | improved | unchanged | inconclusive | other | estimate: mean | pair noise: median | rounds: mean | not sliced |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", r.what, machine, way)
	for _, bench := range r.benches {
		n := map[string]int{}
		for _, verdict := range []string{"regressed", "improved", "unchanged", "inconclusive"} {
			n[verdict] = y.count(verdict, bench, 0)
		}
		other := len(y.checks) - n["regressed"] - n["improved"] - n["unchanged"] - n["inconclusive"]
		rounds, fresh, shifts, noise := 0, 0, []float64(nil), []float64(nil)
		for _, c := range y.checks {
			rounds += c.rounds[bench]
			noise = append(noise, c.pairs[bench].noise)
			if !c.pairs[bench].sliced {
				fresh++
			}
			for _, row := range c.rows {
				if row.Name == bench && row.Shift != nil {
					shifts = append(shifts, 100*row.Shift.Center)
				}
			}
		}
		mean, _ := moments(shifts)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %+.2f %% | %.1f %% | %.1f | %d |\n", bench, n["regressed"], n["improved"], n["unchanged"], n["inconclusive"], other,
			mean, stat.Median(noise), float64(rounds)/float64(len(y.checks)), fresh)
	}
	var took, longest time.Duration
	share := 0.0
	for _, c := range y.checks {
		took, longest, share = took+c.took, max(longest, c.took), share+c.share/float64(len(y.checks))
	}
	all := y.count("", "", 0)
	fmt.Fprintf(&b, "\n%d checks, %d rows: %d %s (%.0f %%), %d wrong; a check takes %.0f s, the longest %.0f s, %.0f %% of it in benchmark processes\n",
		len(y.checks), all, y.count(r.right, "", 0), r.right, 100*float64(y.count(r.right, "", 0))/float64(all), y.wrong(r.right),
		took.Seconds()/float64(len(y.checks)), longest.Seconds(), share)
	if r.noise > 0 {
		fmt.Fprintf(&b, "where the pair noise is at most %g %%: %d of %d %s\n", r.noise, y.count(r.right, "", r.noise), y.count("", "", r.noise), r.right)
	}
	return b.String()
}
