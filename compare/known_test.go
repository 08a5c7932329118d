package compare

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// A regression in a known benchmark is flagged even among hundreds of made-up benchmarks, but not
// if all of them count as known. Both hold in a check and in a fixed-length trial.
func TestPaddingDilutesNothing(t *testing.T) {
	slower := func(i int) float64 { return 150 + float64(i%5)/10 }
	same := func(i int) float64 { return 100 + float64(i%5)/10 }
	again := func(i int) float64 { return 100 + float64((i+1)%5)/10 }
	const rounds, padding = 10, 400
	run := func(side record.Side, check bool) *record.Run {
		r := &record.Run{Target: "t", Trial: "x", Side: side, Status: record.Complete}
		byPairs(r)
		if check {
			r.Protocol.Procedure = pairs.ProcedureCheck
		}
		for b := range padding + 1 {
			one := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Pad" + string(rune('0'+b%10)) + string(rune('a'+b/10%26)) + string(rune('a'+b/260))}}
			value := same
			if side == record.Head {
				value = again
			}
			if b == 0 {
				value = same
				one.Name = "Real"
				if side == record.Head {
					value = slower
				}
			}
			s := record.Samples{Unit: "ns/op"}
			for i := range rounds {
				one.Rounds = append(one.Rounds, record.Round{N: i + 1, Iters: 1})
				s.Values = append(s.Values, value(i+b))
			}
			one.Samples = []record.Samples{s}
			r.Benchmarks = append(r.Benchmarks, one)
		}
		slices.SortFunc(r.Benchmarks, func(a, b record.Benchmark) int { return a.BenchmarkID.Compare(b.BenchmarkID) })
		return r
	}
	real := func(_ string, id record.BenchmarkID, _ string) bool { return id.Name == "Real" }
	for _, check := range []bool{true, false} {
		for _, tt := range []struct {
			known func(string, record.BenchmarkID, string) bool
			want  Verdict
		}{{nil, NotChecked}, {real, Regressed}} {
			alpha := 0.01
			if !check {
				alpha = 0.002 // 10 samples per side prove more in a fixed-length trial
			}
			c := Compare(Side{Runs: []*record.Run{run(record.Base, check)}}, Side{Runs: []*record.Run{run(record.Head, check)}}, Options{Alpha: alpha, Known: tt.known})
			for r := range c.Rows() {
				if r.Name == "Real" && r.Verdict != tt.want {
					t.Errorf("check %v, known %v: %v (%s), want %v", check, tt.known != nil, r.Verdict, r.Reason, tt.want)
				}
				if r.Name != "Real" && r.Verdict == Regressed {
					t.Errorf("%s regressed", r.Name)
				}
			}
		}
	}
}
