package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// shortTrial returns both sides of a check cut short after the given number of rounds.
func shortTrial(t *testing.T, benchmarks, rounds int) (b, h Side) {
	t.Helper()
	for i, side := range []record.Side{record.Base, record.Head} {
		var rows []string
		for k := range benchmarks {
			rows = append(rows, fmt.Sprintf("B%d 1 %d ns/op", k, 100+4464*i))
		}
		r := checkedRun(t, side, strings.Join(rows, "\n"))
		for k := range r.Benchmarks {
			bench := &r.Benchmarks[k]
			bench.Rounds, bench.Samples[0].Values = bench.Rounds[:rounds], bench.Samples[0].Values[:rounds]
		}
		*[]*Side{&b, &h}[i] = Side{Runs: []*record.Run{r}}
	}
	return b, h
}

// A check too short for a verdict marks each row as not checked and names a sufficient budget. A
// long enough check does not.
func TestNotChecked(t *testing.T) {
	for _, tt := range []struct {
		benchmarks, rounds int
		reason, text       string
	}{
		{1, 8, "8 of 9 rounds", "1 benchmark was not checked: the budget ran out before round 9; use --budget 1m10s"},
		{29, 13, "13 of 14 rounds", "29 benchmarks were not checked: the budget ran out before round 14; use --budget 1m40s"},
		{200, 15, "15 of 16 rounds", "200 benchmarks were not checked: the budget ran out before round 16; use --budget 1m50s"},
		{1, 9, "", ""}, {29, 14, "", ""}, {200, 16, "", ""},
	} {
		b, h := shortTrial(t, tt.benchmarks, tt.rounds)
		h.Runs[0].Protocol.Pace = &record.Pace{Setup: 3 * time.Second, Round: 6 * time.Second}
		c := Compare(b, h, Options{})
		for r := range c.Rows() {
			want := Regressed
			if tt.reason != "" {
				want = NotChecked
			}
			if r.Verdict != want || r.Reason != tt.reason {
				t.Fatalf("%d benchmarks, %d rounds: %s is %s (%s)", tt.benchmarks, tt.rounds, r.Name, r.Verdict, r.Reason)
			}
		}
		u := c.NotChecked()
		if tt.text == "" {
			if u.Benchmarks != 0 || len(c.Caveats) != 0 {
				t.Errorf("%d benchmarks, %d rounds: %+v, %v", tt.benchmarks, tt.rounds, u, c.Caveats)
			}
			continue
		}
		if u.String() != tt.text || len(c.Caveats) != 1 || c.Caveats[0].Text != tt.text {
			t.Errorf("%d benchmarks, %d rounds: %q, %v", tt.benchmarks, tt.rounds, u, c.Caveats)
		}
	}
}

// More rounds would not help a failed benchmark, nor a unit that a benchmark hardly ever reports.
func TestNotCheckedForWantOfRounds(t *testing.T) {
	b, h := shortTrial(t, 2, 8)
	h.Runs[0].Failures = []record.Failure{{Benchmark: "B0", Reason: "exit status 2"}}
	if u := Compare(b, h, Options{}).NotChecked(); u.Benchmarks != 1 {
		t.Errorf("%+v beside one that failed", u)
	}
	b, h = shortTrial(t, 1, 10)
	for _, side := range []Side{b, h} {
		bench := &side.Runs[0].Benchmarks[0]
		rare := slices.Repeat([]float64{math.NaN()}, 10)
		rare[2], rare[7] = 5, 6
		bench.Samples = append(bench.Samples, record.Samples{Unit: "stalls/op", Values: rare})
	}
	c := Compare(b, h, Options{})
	if u := c.NotChecked(); u.Benchmarks != 0 || c.Count(Inconclusive) != 1 {
		t.Errorf("%+v, %d inconclusive", u, c.Count(Inconclusive))
	}
	b, h = shortTrial(t, 1, 8)
	if got, want := Compare(b, h, Options{}).NotChecked().String(), "1 benchmark was not checked: the check ended before round 9; run it again"; got != want {
		t.Errorf("without a pace: %q", got)
	}
}

// A summary counts a benchmark as regressed if it regressed in one unit and was not checked in
// another.
func TestUncheckedWords(t *testing.T) {
	for _, tt := range []struct {
		u    Shortfall
		want string
	}{
		{Shortfall{Benchmarks: 1, Rounds: 10}, "1 benchmark was not checked: "},
		{Shortfall{Benchmarks: 1, Regressed: 1, Rounds: 10}, "1 benchmark was not checked in one unit and regressed in another: "},
		{Shortfall{Benchmarks: 9, Regressed: 4, Rounds: 10}, "9 benchmarks were not checked in one unit (4 of them regressed in another): "},
	} {
		if got, want := tt.u.String(), tt.want+"the check ended before round 10; run it again"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	c := &Comparison{Tables: []Table{{Pairing: &pairs.Pairing{}, Rows: []*Row{unitRow("A", NotChecked), unitRow("B", NotChecked), unitRow("C", Unchanged)}},
		{Pairing: &pairs.Pairing{}, Rows: []*Row{unitRow("A", Regressed), unitRow("B", Unchanged), unitRow("C", Regressed)}}}}
	if u := c.NotChecked(); u.Benchmarks != 2 || u.Regressed != 1 {
		t.Errorf("%+v, want 2, of which A regressed", u)
	}
}

func unitRow(name string, v Verdict) *Row {
	r := &Row{BenchmarkID: record.BenchmarkID{Name: name}}
	r.Verdict = v
	return r
}

// The message for an interrupted check names no budget, because the check did not use up its
// budget. If a later session of the trial ended normally, the check does not count as interrupted.
func TestInterrupted(t *testing.T) {
	b, h := shortTrial(t, 2, 4)
	h.Runs[0].Protocol.Pace = &record.Pace{Setup: 3 * time.Second, Round: 6 * time.Second}
	for _, side := range []Side{b, h} {
		side.Runs[0].Status = record.Partial
		side.Runs[0].Start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	}
	u := Compare(b, h, Options{}).NotChecked()
	if got, want := u.String(), "2 benchmarks were not checked: the check was interrupted before round 10; run it again"; got != want || u.Budget != 0 {
		t.Errorf("got %q, %v, want %q", got, u.Budget, want)
	}
	for _, side := range []*Side{&b, &h} {
		later := *side.Runs[0]
		later.Start, later.Status = later.Start.Add(time.Hour), record.Complete
		later.Benchmarks = slices.Clone(later.Benchmarks)
		for i := range later.Benchmarks {
			bench := &later.Benchmarks[i]
			bench.Rounds = slices.Clone(bench.Rounds)
			for k := range bench.Rounds {
				bench.Rounds[k].N += 4
			}
		}
		side.Runs = append(side.Runs, &later)
	}
	if got, want := Compare(b, h, Options{}).NotChecked().String(), "2 benchmarks were not checked: the budget ran out before round 10; use --budget 1m10s"; got != want {
		t.Errorf("a later session: got %q, want %q", got, want)
	}
}

func TestBudgetIsRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1200 * time.Millisecond: "2s", 20 * time.Second: "20s", 21 * time.Second: "25s", 61 * time.Second: "1m10s",
		3*time.Minute + time.Second: "3m30s", 24*time.Minute + time.Second: "25m", 61 * time.Minute: "1h5m", 2 * time.Hour: "2h",
		30 * time.Hour: "30h", 10 * time.Second: "10s", 10 * time.Minute: "10m",
	} {
		if got := ShortDuration(roundUp(d)); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

// Benchmarks without a round also count as not checked until a later check of the trial measures
// them.
func TestStarved(t *testing.T) {
	starving := func(side record.Side) *record.Run {
		r := &record.Run{Target: "slow", Trial: "t", Side: side}
		byPairs(r)
		r.Protocol.Procedure = pairs.ProcedureCheck
		r.Protocol.Starved = &record.Starved{Benchmarks: 3, Rounds: 10, Setup: 4 * time.Second, Round: 6 * time.Second}
		return r
	}
	b, h := Side{Runs: []*record.Run{starving(record.Base)}}, Side{Runs: []*record.Run{starving(record.Head)}}
	c := Compare(b, h, Options{})
	if got, want := c.NotChecked().String(), "3 benchmarks were not checked: the budget ran out before round 10; use --budget 1m20s"; got != want || !c.Covers("slow") {
		t.Errorf("%q, want %q", got, want)
	}
	h = Side{Runs: []*record.Run{starving(record.Head)}}
	measuredBase, measuredHead := shortTrial(t, 1, 10)
	for i, side := range []*Side{&measuredBase, &measuredHead} {
		side.Runs[0].Target = "slow"
		side.Runs = append([]*record.Run{[]*record.Run{b.Runs[0], h.Runs[0]}[i]}, side.Runs...)
	}
	if u := Compare(measuredBase, measuredHead, Options{}).NotChecked(); u.Benchmarks != 0 {
		t.Errorf("%+v of what was measured since", u)
	}
	// A narrower check reduces the number of benchmarks that an earlier check left out by those
	// that it is the first to measure.
	for _, tt := range []struct {
		name string
		want int
	}{{"B0", 3}, {"New", 2}} {
		b, h := shortTrial(t, 1, 10)
		for _, side := range []*Side{&b, &h} {
			planned := side.Runs[0]
			planned.Start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			planned.Protocol.Starved = &record.Starved{Benchmarks: 3, Rounds: 10}
			narrow := *planned
			narrow.Protocol.Starved = nil
			narrow.Start = planned.Start.Add(time.Hour)
			narrow.Protocol.Selection = &record.Selection{Bench: "x"}
			narrow.Benchmarks = slices.Clone(planned.Benchmarks)
			narrow.Benchmarks[0].Name = tt.name
			side.Runs = append(side.Runs, &narrow)
		}
		if c := Compare(b, h, Options{}); len(c.Starved) != 1 || c.Starved[0].Benchmarks != tt.want {
			t.Errorf("3 left out, %s measured since: %+v, want %d", tt.name, c.Starved, tt.want)
		}
	}
	// If another trial of the same commits measured fewer benchmarks than were left out, all of them
	// still count as not checked.
	for _, tt := range []struct{ starved, want int }{{1, 0}, {3, 3}} {
		var sides [2]Side
		for i, name := range []record.Side{record.Base, record.Head} {
			r := starving(name)
			r.Protocol.Starved = &record.Starved{Benchmarks: tt.starved, Rounds: 10, Setup: time.Second, Round: time.Second}
			other := *[]Side{measuredBase, measuredHead}[i].Runs[1]
			other.Trial = "narrow"
			sides[i].Runs = []*record.Run{r, &other}
		}
		if u := Compare(sides[base], sides[head], Options{}).NotChecked(); u.Benchmarks != tt.want {
			t.Errorf("%d starved, one measured by another trial: %+v, want %d", tt.starved, u, tt.want)
		}
	}
}

// A failure covers a benchmark and everything below it, or everything measured together.
func TestFailureNames(t *testing.T) {
	id := record.BenchmarkID{Kind: record.Bench, Package: "example.com/m", Name: "Parse/large/fast"}
	for what, want := range map[string]bool{
		"example.com/m.Parse": true, "example.com/m.Parse/large": true, "example.com/m.Parse/large/fast": true,
		"Parse": true, "Parse/large/fast": true, "unit": true,
		"example.com/m.Parse/larg": false, "example.com/m.Parse/large/slow": false, "example.com/n.Parse": false,
		"example.com/m": false, "": false,
	} {
		f := Failure{Target: "unit", Failure: record.Failure{Benchmark: what, Reason: "exit status 2"}}
		if got := f.Names("unit", id); got != want {
			t.Errorf("a failure of %q is one of %s: %v", what, id.Name, got)
		}
		if f.Names("other", id) {
			t.Errorf("a failure of %q is one of another target", what)
		}
	}
}
