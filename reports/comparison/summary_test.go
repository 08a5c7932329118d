package comparison

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The count of regressions includes the number of accepted ones, which do not block.
func TestVerdictCountsAccepted(t *testing.T) {
	of := func(center float64) string {
		return runtest.Vary(10, "Decode", 1, center, "ns/op") + runtest.Vary(10, "Encode", 1, center, "ns/op")
	}
	base, head := reporttest.Trial(reporttest.Side("base", "a", runtest.Read(t, of(100))), reporttest.Side("head", "b", runtest.Read(t, of(150))))
	c := compare.Compare(base, head, compare.Options{})
	acceptance.List{{Benchmark: "Decode", Reason: "ok"}}.Explain(c)
	if got, want := Report(c).Summary, "2 regressed (1 accepted)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
