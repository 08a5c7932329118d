package reports

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
)

// Who counts regressions is told how many of them do not gate.
func TestVerdictCountsAccepted(t *testing.T) {
	of := func(center float64) string {
		return vary(10, "Decode", 1, center, "ns/op") + vary(10, "Encode", 1, center, "ns/op")
	}
	base, head := trial(side("base", "a", run(t, of(100))), side("head", "b", run(t, of(150))))
	c := compare.Compare(base, head, compare.Options{})
	compare.Accepted{{Benchmark: "Decode", Reason: "ok"}}.Explain(c)
	if got, want := Comparison(c).Summary, "2 regressed (1 accepted)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
