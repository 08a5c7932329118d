package comparison

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// Comparing the runs of one target of a trial gives the same verdicts as the check.
func TestCompareRunsOfOneTarget(t *testing.T) {
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ids := map[string][]string{}
	for target, benchmarks := range map[string]int{"few": 1, "many": 30} {
		for i, side := range []record.Side{record.Base, record.Head} {
			r := record.Run{
				Target: target, Trial: "both", Side: side, Status: record.Complete, Start: time.Unix(1, 0), Tool: "test",
				Protocol: record.Protocol{Procedure: pairs.ProcedureCheck},
				Commit:   record.Commit{SHA: fmt.Sprintf("%040d", i+1), Time: time.Unix(1, 0)},
			}
			pairs.SetDecision(&r)
			r.Protocol.Family = &record.Family{Of: 2, Targets: []string{"few", "many"}}
			b := decode.Builder{Default: r}
			for round := 1; round <= 15; round++ {
				for k := range benchmarks {
					value := 100 + 0.01*float64((7*round+3*i)%5) + 10*float64(i)
					res := &benchfmt.Result{Name: benchfmt.Name(fmt.Sprintf("X%d", k)), Iters: 1, Values: []benchfmt.Value{{Value: value, Unit: "ns/op"}}}
					res.SetConfig("round", fmt.Sprint(round))
					if err := b.Add(res); err != nil {
						t.Fatal(err)
					}
				}
			}
			made, err := b.Runs()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range made {
				id, _, err := db.Put(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				ids[target] = append(ids[target], id)
			}
		}
	}
	decided := func(words ...string) string {
		c, err := Compare(t.Context(), a, words)
		if err != nil {
			t.Fatal(err)
		}
		for r := range c.Rows() {
			if r.Target == "few" {
				return fmt.Sprintf("%s at %d, adjusted p %.3g", r.Verdict, r.DecidedAt, r.AdjustedP)
			}
		}
		t.Fatal("no row")
		return ""
	}
	whole, alone := decided("both"), decided(ids["few"]...)
	if whole != alone || !strings.HasPrefix(whole, "regressed at 14,") {
		t.Errorf("in the trial %s, alone %s", whole, alone)
	}
}
