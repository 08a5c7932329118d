package comparison

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// putTrial stores a trial of ten rounds. Head takes (1+change) times as long as base.
func putTrial(t *testing.T, db *store.DB, name, procedure, cpu string, change float64) []*record.Run {
	t.Helper()
	return putTrialWith(t, db, name, procedure, cpu, change, 0, nil)
}

// putTrialWith is like putTrial, but in each of the first off rounds one side takes much longer,
// alternately base and head, and the runs are stored with terms unless it is nil.
func putTrialWith(t *testing.T, db *store.DB, name, procedure, cpu string, change float64, off int, terms *Terms) []*record.Run {
	t.Helper()
	var runs []*record.Run
	for i, side := range []record.Side{record.Base, record.Head} {
		b := decode.Builder{Default: record.Run{
			Target: "m", Trial: name, Side: side, Status: record.Complete, Start: time.Unix(1, 0), Tool: "test",
			Protocol: record.Protocol{Procedure: procedure},
			Commit:   record.Commit{SHA: fmt.Sprintf("%040d", i+1), Time: time.Unix(1, 0)},
		}}
		for round := 1; round <= 10; round++ {
			value := 100 + 0.01*float64((7*round+3*i)%5)
			if round <= off && (round+i)%2 == 0 {
				value *= 1.5
			}
			res := &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 1, Values: []benchfmt.Value{{Value: value * (1 + change*float64(i)), Unit: "ns/op"}}}
			res.SetConfig("cpu", cpu)
			res.SetConfig("round", fmt.Sprint(round))
			if err := b.Add(res); err != nil {
				t.Fatal(err)
			}
		}
		made, err := b.Runs()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range made {
			pairs.SetDecision(r)
			if terms != nil {
				terms.Record(r)
			}
			if _, _, err := db.Put(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, r)
		}
	}
	return runs
}

// Only the noise in a benchmark's calibrations on this machine raises the smallest change reported
// by a check.
func TestNoiseOfCalibrationsRaisesTheFloor(t *testing.T) {
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	checked := putTrial(t, db, "checked", pairs.ProcedureCheck, "this", 0.04)
	verdict := func() (compare.Verdict, float64) {
		c, err := Compare(t.Context(), a, []string{"checked"})
		if err != nil {
			t.Fatal(err)
		}
		for r := range c.Rows() {
			return r.Verdict, r.Noise
		}
		t.Fatal("no row")
		return "", 0
	}
	noise := func(i int) float64 { return 0.02 * math.Sin(float64(i)) }
	for i := range 19 {
		putTrial(t, db, fmt.Sprintf("here-%d", i), pairs.ProcedureCalibrate, "this", noise(i))
		putTrial(t, db, fmt.Sprintf("elsewhere-%d", i), pairs.ProcedureCalibrate, "another", noise(i))
		putTrial(t, db, fmt.Sprintf("more-%d", i), pairs.ProcedureCheck, "this", noise(i))
	}
	if v, s := verdict(); v != compare.Regressed || s != 0 {
		t.Errorf("with 19 calibrations: %s, noise %g", v, s)
	}
	putTrial(t, db, "here-19", pairs.ProcedureCalibrate, "this", noise(19))
	if v, s := verdict(); v == compare.Regressed || s < 0.01 || s > 0.03 {
		t.Errorf("with 20 calibrations that differ by 2 %%: %s, noise %g", v, s)
	}
	n := NewNoises(t.Context(), db)
	if err := n.Learn(checked); err != nil {
		t.Fatal(err)
	}
	if id := checked[0].Benchmarks[0].BenchmarkID; n.Floor("m", id, "ns/op") == 0 || n.Floor("another", id, "ns/op") != 0 || n.Floor("m", id, "B/op") != 0 {
		t.Error("the floor is of another target or unit")
	}
}

// Ranks are capped if too many rounds of the stored calibrations are outliers and the trial's terms
// contain the caps. Otherwise, a trial is judged without caps.
func TestCalibrationsCapRanks(t *testing.T) {
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	like := putTrialWith(t, db, "like", pairs.ProcedureCheck, "this", 0, 0, nil)
	learn := func() map[SeriesKey]Noise {
		n := NewNoises(t.Context(), db)
		if err := n.Learn(like); err != nil {
			t.Fatal(err)
		}
		return n.Known["m"]
	}
	putTrialWith(t, db, "one", pairs.ProcedureCalibrate, "this", 0, 2, nil)
	putTrialWith(t, db, "elsewhere", pairs.ProcedureCalibrate, "another", 0, 2, nil)
	if known := learn(); len(known) != 0 {
		t.Errorf("two rounds off: %v", known)
	}
	putTrialWith(t, db, "another", pairs.ProcedureCalibrate, "this", 0, 1, nil)
	known := learn()
	if len(known) != 1 || !known[SeriesKeyOf(&compare.Row{BenchmarkID: like[0].Benchmarks[0].BenchmarkID, OrigUnit: "ns/op"})].Capped {
		t.Errorf("three rounds off: %v", known)
	}
	terms := NewTerms(config.Default(), 1).WithNoise(known)
	plain := NewTerms(config.Default(), 1)
	p := map[string]float64{}
	for _, tt := range []struct {
		name  string
		terms *Terms
		want  bool
	}{{"capped", &terms, true}, {"plain", &plain, false}, {"without-terms", nil, false}} {
		putTrialWith(t, db, tt.name, pairs.ProcedureCheck, "this", 0.1, 2, tt.terms)
		c, err := Compare(t.Context(), a, []string{tt.name})
		if err != nil {
			t.Fatal(err)
		}
		for r := range c.Rows() {
			p[tt.name] = r.AdjustedP
			if said := slices.ContainsFunc(r.Notes, func(n compare.Caveat) bool {
				return n.Code == compare.CodeCapped && strings.HasPrefix(n.Text, "its rounds are often")
			}); said != tt.want {
				t.Errorf("%s: notes %v", tt.name, r.Notes)
			}
		}
	}
	if p["plain"] != p["without-terms"] || p["capped"] > p["plain"] { // the plain trial's own first rounds cap its ranks
		t.Errorf("p %v", p)
	}
}
