package compare

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A trial has a verdict only by a procedure that this perftrack knows, and that all of its runs
// name; what it is called there is shown as somebody's words.
func TestUndecidable(t *testing.T) {
	const pairs = "typical-and-mean"
	for _, tt := range []struct {
		name       string
		base, head string
		want       Verdict
		why        string // a part of it, "" if it is decided
	}{
		{"of today", pairs, pairs, Regressed, ""},
		{"of before", "signed-rank", "signed-rank", Regressed, ""},
		{"of the first version", "", "", Regressed, ""},
		{"of later", "bayes", "bayes", NoVerdict, `trial t is to be decided by the procedure "bayes", and this perftrack decides by the procedure "typical-and-mean"`},
		{"one of before", "", pairs, NoVerdict, `different procedures, the procedure of the first version and the procedure "typical-and-mean"`},
		{"one of later", pairs, "bayes", NoVerdict, `different procedures, the procedure "typical-and-mean" and the procedure "bayes"`},
		{"@team <img src=x>", "@team <img src=x>", "@team <img src=x>", NoVerdict, "a procedure of an odd name, and"},
	} {
		b, h := checkedRun(t, record.Base, "Sort 1 100 ns/op"), checkedRun(t, record.Head, "Sort 1 300 ns/op")
		b.Facts, h.Facts = b.Facts.Set(record.KeyDecision, tt.base), h.Facts.Set(record.KeyDecision, tt.head)
		c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{})
		why := strings.Join(c.Undecidable(), "; ")
		if r := row(t, c, "Sort"); r.Verdict != tt.want || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %q, %q", tt.name, r.Verdict, why)
		}
		said := false
		for _, note := range c.Caveats {
			said = said || note.Code == CodeDecision
		}
		if said != (tt.why != "") && tt.name != "of the first version" {
			t.Errorf("%s: %v", tt.name, c.Caveats)
		}
	}
}
