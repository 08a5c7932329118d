package compare

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A trial has a verdict only if all of its runs name the procedure known to this version of
// perftrack. Other names are treated as untrusted text when shown.
func TestForeignProcedures(t *testing.T) {
	const pairs = "typical-and-mean"
	for _, tt := range []struct {
		name       string
		base, head string
		want       Verdict
		why        string // a substring of the reason; "" if the trial is decided
	}{
		{"of today", pairs, pairs, Regressed, ""},
		{"of before", "signed-rank", "signed-rank", NoVerdict, `trial t must be decided by procedure "signed-rank"`},
		{"without a name", "", "", NoVerdict, "an early version's procedure"},
		{"of later", "bayes", "bayes", NoVerdict, `trial t must be decided by procedure "bayes", but this version of perftrack uses procedure "typical-and-mean"`},
		{"one of before", "", pairs, NoVerdict, `different decision procedures, an early version's procedure and procedure "typical-and-mean"`},
		{"one of later", pairs, "bayes", NoVerdict, `different decision procedures, procedure "typical-and-mean" and procedure "bayes"`},
		{"@team <img src=x>", "@team <img src=x>", "@team <img src=x>", NoVerdict, "a procedure with an unusual name, but"},
	} {
		b, h := checkedRun(t, record.Base, "Sort 1 100 ns/op"), checkedRun(t, record.Head, "Sort 1 300 ns/op")
		b.Protocol.Decision, h.Protocol.Decision = tt.base, tt.head
		c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{})
		why := strings.Join(c.ForeignProcedures(), "; ")
		if r := row(t, c, "Sort"); r.Verdict != tt.want || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %q, %q", tt.name, r.Verdict, why)
		}
		said := false
		for _, note := range c.Caveats {
			said = said || note.Code == CodeDecision
		}
		if said != (tt.why != "") {
			t.Errorf("%s: %v", tt.name, c.Caveats)
		}
	}
}
