package compare

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// ofTrial moves the runs of both sides to another trial.
func ofTrial(id, procedure string, b, h Side) (Side, Side) {
	for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
		r.Trial = id
		r.Protocol.Procedure = procedure
	}
	return b, h
}

func together(sides ...Side) (b, h Side) {
	for i := 0; i < len(sides); i += 2 {
		b.Runs, h.Runs = append(b.Runs, sides[i].Runs...), append(h.Runs, sides[i+1].Runs...)
	}
	return b, h
}

// Each trial of a pair of commits is decided as if it were the only one. A narrow trial without
// findings does not hide those of a wide trial, whichever is newer.
func TestTrialsOfAPair(t *testing.T) {
	trial := func(id, procedure, base, head string) (Side, Side) {
		return ofTrial(id, procedure, Side{Runs: []*record.Run{checkedRun(t, record.Base, base)}}, Side{Runs: []*record.Run{checkedRun(t, record.Head, head)}})
	}
	wideB, wideH := trial("wide", pairs.ProcedureCheck, "A 1 100 ns/op\nB 1 100 ns/op\nC 1 100 ns/op", "A 1 300 ns/op\nB 1 100 ns/op\nC 1 300 ns/op")
	narrowB, narrowH := trial("narrow", "", "B 1 100 ns/op\nC 1 100 ns/op", "B 1 100 ns/op\nC 1 100 ns/op")
	for _, order := range [][]Side{{wideB, wideH, narrowB, narrowH}, {narrowB, narrowH, wideB, wideH}} {
		b, h := together(order...)
		c := Compare(b, h, Options{})
		got := map[string]string{}
		for _, table := range c.Tables {
			for _, r := range table.Rows {
				id, _, _ := strings.Cut(table.OfTrial, ",")
				got[id] += r.Name + " " + string(r.Verdict) + " "
			}
		}
		if got["wide"] != "A regressed B unchanged C regressed " || got["narrow"] != "B unchanged C unchanged " || c.Trials != 2 || !c.Trial() {
			t.Errorf("%v, %d trials", got, c.Trials)
		}
		if c.Unaccepted() != 2 || c.Tested != 2 {
			t.Errorf("%d regressed, %d tested", c.Unaccepted(), c.Tested)
		}
	}
	// If a trial lacks a side, the runs are not split by trial.
	b, h := together(wideB, wideH, narrowB, Side{})
	if c := Compare(b, h, Options{}); c.Trials != 0 {
		t.Errorf("half a trial counts as one of %d", c.Trials)
	}
}

// A row that one trial left undecided or not checked is no gap if another trial decided it, but it
// is a gap if neither did.
func TestTrialsSettle(t *testing.T) {
	shortB, shortH := shortTrial(t, 2, 9)
	wholeB, wholeH := shortTrial(t, 1, 10)
	wholeB, wholeH = ofTrial("whole", pairs.ProcedureCheck, wholeB, wholeH)
	b, h := together(shortB, shortH, wholeB, wholeH)
	c := Compare(b, h, Options{})
	if u := c.NotChecked(); u.Benchmarks != 1 {
		t.Errorf("%+v: B0 was checked by one, B1 by none", u)
	}
	for r := range c.Rows() {
		if want := r.Name == "B0" && r.Verdict == NotChecked; c.Settled(r) != want {
			t.Errorf("%s %s settled: %v", r.Name, r.Verdict, !want)
		}
	}
}

// A further check of a pair of commits has only its declared share of alpha. Without a declared
// share, it has all of alpha.
func TestShareOfAlpha(t *testing.T) {
	for share, want := range map[float64]Verdict{0: Regressed, 0.025: NotChecked} {
		b, h := shortTrial(t, 29, 15) // 2^-15 * 29 / .3375 is .0026
		h.Runs[0].Protocol.AlphaShare = share
		if c := Compare(b, h, Options{}); c.Count(want) != 29 {
			t.Errorf("share %v: %d of 29 are %s", share, c.Count(want), want)
		}
	}
	_, h := shortTrial(t, 29, 10)
	h.Runs[0].Protocol.AlphaShare = 0.025
	if got := pairs.ShareOf(h.Runs[0]); got != 0.025 {
		t.Errorf("share %v", got)
	}
	pairs.Unshared(h.Runs[0])
	if got := pairs.ShareOf(h.Runs[0]); got != 1 {
		t.Errorf("share %v of who may not say", got)
	}
	if a, b := pairs.FurtherShare(1), pairs.FurtherShare(2); a != 0.025 || b != 0.0125 {
		t.Errorf("shares %v, %v", a, b)
	}
}
