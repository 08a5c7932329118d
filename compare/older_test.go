package compare

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// An undecided trial of an older procedure does not ask for rounds that it cannot have.
func TestOlderTrialNeedsNothing(t *testing.T) {
	const noisy = "X ns/op 100 200 120 180 90 250 110 160 140 210"
	b, h := trial(t, noisy, "X ns/op 110 150 190 120 260 95 140 220 100 170")
	for _, s := range []Side{b, h} {
		s.Runs[0].Facts = s.Runs[0].Facts.Set(record.KeyDecision, "")
	}
	c := Compare(b, h, Options{})
	if r := row(t, c, "X"); r.Verdict != Inconclusive || r.Reason != "" || r.Need != 0 || c.Tables[0].ByPairs() {
		t.Errorf("%s (%s), needs %d", r.Verdict, r.Reason, r.Need)
	}
}
