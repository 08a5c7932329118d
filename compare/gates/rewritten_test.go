package gates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A strict gate fails if a benchmark was rewritten, both in a check and in a fixed-length trial. If
// another benchmark regressed, any gate fails.
func TestGateOfRewritten(t *testing.T) {
	var rows string
	for i := range 30 {
		rows += fmt.Sprintf("p.B%d 1 100 ns/op\n", i)
	}
	for _, tt := range []struct {
		procedure, rewritten, slower string
		want, strict                 Gate
	}{
		{pairs.ProcedureCheck, "", "", Gate{Result: Pass}, Gate{Result: Pass}},
		{pairs.ProcedureCheck, "B7", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{"", "B7", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{pairs.ProcedureCheck, "*", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{pairs.ProcedureCheck, "B7", "B8", Gate{Fail, CauseWorse}, Gate{Fail, CauseWorse}},
	} {
		side := func(side record.Side, rows string) compare.Side {
			r := checkedRun(t, side, rows)
			r.Protocol.Procedure = tt.procedure
			for i := range r.Benchmarks {
				r.Benchmarks[i].Package, r.Benchmarks[i].Name, _ = strings.Cut(r.Benchmarks[i].Name, ".")
			}
			if tt.rewritten != "" {
				r.Protocol.Rewritten = []record.BenchmarkFunc{{Package: "p", Name: tt.rewritten}}
			}
			return compare.Side{Runs: []*record.Run{r}}
		}
		head := rows
		if tt.slower != "" {
			head = strings.Replace(rows, tt.slower+" 1 100 ", tt.slower+" 1 400 ", 1)
		}
		c := compare.Compare(side(record.Base, rows), side(record.Head, head), compare.Options{})
		if got, strict := Decide(c, Options{}), Decide(c, Options{Strict: true}); got != tt.want || strict != tt.strict {
			t.Errorf("%q rewritten, %q slower: %v, strict %v, want %v, %v", tt.rewritten, tt.slower, got, strict, tt.want, tt.strict)
		}
	}
}

// checkedRun returns one side of a check with 20 rounds. rows are lines of benchmarks.
func checkedRun(t *testing.T, side record.Side, rows string) *record.Run {
	t.Helper()
	r := runtest.Profile(t, rows) // parses rows as lines of scopes
	r.Trial, r.Side = "t", side
	pairs.SetDecision(r)
	r.Protocol.Procedure = pairs.ProcedureCheck
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		b.Kind = record.Bench
		for n := 2; n <= 20; n++ {
			b.Rounds = append(b.Rounds, record.Round{N: n, Iters: 1})
			b.Samples[0].Values = append(b.Samples[0].Values, b.Samples[0].Values[0]+float64(n%3))
		}
	}
	return r
}
