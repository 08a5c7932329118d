package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// ofPart returns both sides of a check of part p with its share of alpha. The part consists of one
// benchmark, named after the part's number.
func ofPart(t *testing.T, id string, p record.Part, head string) (b, h Side) {
	t.Helper()
	row := func(value string) string { return fmt.Sprintf("B%d 1 %s ns/op", p.N, value) }
	b, h = ofTrial(id, pairs.ProcedureCheck, Side{Runs: []*record.Run{checkedRun(t, record.Base, row("100"))}}, Side{Runs: []*record.Run{checkedRun(t, record.Head, row(head))}})
	for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
		r.Protocol.Part, r.Protocol.Selection = &p, &record.Selection{}
		if p.Of > 1 {
			r.Protocol.AlphaShare = p.Share()
		}
	}
	return b, h
}

// Parts cover a target only if all parts of one division are there and each has a result.
func TestLostParts(t *testing.T) {
	part := func(n int, division string) record.Part {
		return record.Part{N: n, Of: 4, Own: 1, All: 4, Division: division}
	}
	type trial struct {
		record.Part
		failed, whole bool
		bare          bool // it has no samples
		selected      bool
	}
	with := func(all []trial, mark func(*trial)) []trial {
		for i := range all {
			mark(&all[i])
		}
		return all
	}
	bare, selected := func(t *trial) { t.bare = true }, func(t *trial) { t.selected = true }
	two := []trial{{Part: record.Part{N: 1, Of: 2, Own: 2, All: 4, Division: "two"}}, {Part: record.Part{N: 2, Of: 2, Own: 2, All: 4, Division: "two"}}}
	of := func(division string, numbers ...int) (all []trial) {
		for _, n := range numbers {
			all = append(all, trial{Part: part(n, division)})
		}
		return all
	}
	const left, failed, otherwise = ": no result was stored", ": nothing could be measured", ": its benchmarks were divided differently, so some may be in no part: the machines, Go versions or stores differ"
	for _, tt := range []struct {
		name   string
		trials []trial
		said   string
		want   []string
	}{
		{"all", of("a", 1, 2, 3, 4), "", nil},
		{"one of one", []trial{{Part: record.Part{N: 1, Of: 1, Own: 4, All: 4, Division: "a"}}}, "", nil},
		{"no parts", []trial{{whole: true}}, "", nil},
		{"one missing", of("a", 1, 2, 4), "part 3 of 4 was not checked", []string{"3" + left}},
		{"two missing", of("a", 1, 4), "parts 2 and 3 of 4 were not checked", []string{"2" + left, "3" + left}},
		{"one alone", of("a", 2), "parts 1, 3 and 4 of 4 were not checked", []string{"1" + left, "3" + left, "4" + left}},
		{"the same twice", of("a", 1, 2, 2, 4), "part 3 of 4 was not checked", []string{"3" + left}},
		{"another division", append(of("a", 1, 2, 4), of("b", 3)...), "part 3 of 4 was not checked", []string{"3" + otherwise}},
		{"two divisions, whole between them", append(of("a", 1, 2), of("b", 3, 4)...), "parts 3 and 4 of 4 were not checked", []string{"3" + otherwise, "4" + otherwise}},
		{"a second time", append(of("a", 1, 2, 4), of("b", 1, 2, 3, 4)...), "", nil},
		{"one that failed", append(of("a", 1, 2, 4), trial{Part: part(3, "a"), failed: true}), "part 3 of 4 was not checked", []string{"3" + failed}},
		{"one that failed before it began", append(of("a", 1, 2, 4), trial{Part: part(3, ""), failed: true}), "part 3 of 4 was not checked", []string{"3" + failed}},
		{"all failed", []trial{{Part: part(1, ""), failed: true}, {Part: part(2, ""), failed: true}}, "parts 1, 2, 3 and 4 of 4 were not checked", []string{"1" + failed, "2" + failed, "3" + left, "4" + left}},
		{"one that was divided and has nothing", append(of("a", 1, 2, 4), with(of("a", 3), bare)...), "part 3 of 4 was not checked", []string{"3" + failed}},
		{"all of a few that were asked for", with(of("a", 1, 2, 3, 4), selected), "", nil},
		{"all of a few beside a part of all", append(with(of("few", 1, 2, 3, 4), selected), of("a", 1, 2, 3)...), "part 4 of 4 was not checked", []string{"4" + left}},
		{"a few, divided like all, beside a part of all", append(with(of("a", 1, 2, 3, 4), selected), of("a", 2)...), "parts 1, 3 and 4 of 4 were not checked", []string{"1" + left, "3" + left, "4" + left}},
		{"two parts, then fewer than all of four", append(slices.Clone(two), of("a", 1, 2, 4)...), "", nil},
		{"a whole one beside it", append(of("a", 1, 2, 4), trial{whole: true}), "", nil},
	} {
		var sides []Side
		for i, one := range tt.trials {
			b, h := ofPart(t, fmt.Sprintf("t%d", i), one.Part, "100")
			for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
				if one.whole {
					r.Protocol.Part = nil
				}
				if one.failed {
					r.Benchmarks, r.Status = nil, record.Failed
				}
				if one.bare {
					r.Benchmarks = nil
				}
				if one.selected {
					r.Protocol.Selection = &record.Selection{Bench: "B"}
				}
			}
			if one.failed {
				h.Runs[0].Failures = []record.Failure{{Reason: "no space left"}}
			}
			sides = append(sides, b, h)
		}
		b, h := together(sides...)
		c := Compare(b, h, Options{})
		var got []string
		for _, l := range c.LostParts() {
			got = append(got, fmt.Sprintf("%d: %s", l.N, l.Why))
		}
		if !slices.Equal(got, tt.want) || DescribeLost(c.LostParts()) != tt.said || c.LostCoverage() != (tt.want != nil) {
			t.Errorf("%s: %q (%s, lost %v), want %q", tt.name, got, DescribeLost(c.LostParts()), c.LostCoverage(), tt.want)
		}
		said := slices.ContainsFunc(c.Caveats, func(x Caveat) bool { return x.Code == CodePart })
		if said != (tt.want != nil) {
			t.Errorf("%s: %v", tt.name, c.Caveats)
		}
		if alone := Compare(b, h, Options{OnePart: true}); len(alone.LostParts()) > 0 {
			t.Errorf("%s: misses %v where one part is meant", tt.name, alone.LostParts())
		}
	}
}

// A lost part with nothing to do for one target is reported only for the other target. If it had
// nothing to do for either target, it is reported for both.
func TestIdlePart(t *testing.T) {
	for _, tt := range []struct {
		own, other int // number of benchmarks of the targets bench and other in the first of two parts
		want       string
	}{{2, 1, "other"}, {1, 2, "bench"}, {1, 1, "bench other"}, {2, 2, "bench other"}} {
		b, h := ofPart(t, "t1", record.Part{N: 1, Of: 2, Own: tt.own, All: 2, Division: "a"}, "100")
		b2, h2 := ofPart(t, "t1", record.Part{N: 1, Of: 2, Own: tt.other, All: 2, Division: "a"}, "100")
		for _, s := range []Side{b, h} {
			s.Runs[0].Target = "bench"
		}
		for _, s := range []Side{b2, h2} {
			s.Runs[0].Target = "other"
		}
		b, h = together(b, h, b2, h2)
		var got []string
		for _, l := range Compare(b, h, Options{}).LostParts() {
			got = append(got, l.Target)
			if l.N != 2 {
				t.Errorf("%+v", l)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: lost of %q", tt, got)
		}
	}
}

// A part measured for one target does not cover another target: lost parts are reported for each
// target.
func TestLostPartOfATarget(t *testing.T) {
	b, h := ofPart(t, "t1", record.Part{N: 1, Of: 2, Own: 1, All: 2, Division: "a"}, "100")
	b2, h2 := ofPart(t, "t2", record.Part{N: 2, Of: 2, Own: 1, All: 2, Division: "a"}, "100")
	for _, s := range []Side{b2, h2} {
		s.Runs[0].Target = "other"
	}
	b, h = together(b, h, b2, h2)
	lost := Compare(b, h, Options{}).LostParts()
	if len(lost) != 2 || lost[0].Target == lost[1].Target || lost[0].N == lost[1].N || DescribeLost(lost) != "parts 1 and 2 of 2 were not checked" {
		t.Errorf("%+v: %s", lost, DescribeLost(lost))
	}
}

// All parts together are one measurement: each is decided with its share of alpha, and a regression
// in any part is a regression of the whole.
func TestJoinParts(t *testing.T) {
	var sides []Side
	for n := 1; n <= 4; n++ {
		value := "100"
		if n == 3 {
			value = "300"
		}
		b, h := ofPart(t, fmt.Sprintf("t%d", n), record.Part{N: n, Of: 4, Own: 1, All: 4, Division: "a"}, value)
		sides = append(sides, b, h)
	}
	b, h := together(sides...)
	c := Compare(b, h, Options{})
	if !strings.HasSuffix(c.Tables[2].OfTrial, ", part 3 of 4 of a check") {
		t.Errorf("trial %q", c.Tables[2].OfTrial)
	}
	c.JoinParts()
	if c.Trials != 0 || c.Tables[2].OfTrial != "" || c.Count(Regressed) != 1 || c.Count(Unchanged) != 3 || !c.Trial() {
		t.Errorf("%d trials, %q, %d regressed, %d unchanged", c.Trials, c.Tables[2].OfTrial, c.Count(Regressed), c.Count(Unchanged))
	}
	// A second measurement of the same benchmarks remains a separate trial.
	more := append(slices.Clone(sides), sides[0], sides[1])
	for i, s := range more[8:] {
		r := *s.Runs[0]
		r.Trial = "again"
		more[8+i] = Side{Runs: []*record.Run{&r}}
	}
	b, h = together(more...)
	c = Compare(b, h, Options{})
	if c.JoinParts(); c.Trials != 5 {
		t.Errorf("%d trials", c.Trials)
	}
}

// A measured part proves nothing about a part that ran out of time. Each part has its own budget,
// so the advised budget is the longest, not the sum.
func TestStarvedPart(t *testing.T) {
	part := func(n int) record.Part { return record.Part{N: n, Of: 2, Own: 1, All: 2, Division: "a"} }
	b, h := ofPart(t, "t1", part(1), "100")
	h.Runs[0].Protocol.Pace = &record.Pace{Setup: time.Second, Round: 10 * time.Second}
	b2, h2 := ofPart(t, "t2", part(2), "100")
	b2.Runs[0].Benchmarks, h2.Runs[0].Benchmarks = nil, nil
	h2.Runs[0].Protocol.Starved = &record.Starved{Benchmarks: 1, Rounds: 12, Setup: time.Second, Round: time.Second}
	b, h = together(b, h, b2, h2)
	c := Compare(b, h, Options{})
	if got := c.NotChecked().String(); got != "1 benchmark was not checked: the budget ran out before round 12; use --budget 2m20s" {
		t.Error(got)
	}
}
