package github

import (
	"strings"
	"testing"
)

// Explanations do not affect verdicts and are shown only below regressions.
func TestWhyIsNoVerdict(t *testing.T) {
	f := cases(t)["why"]
	without := cases(t)["mixed"]
	if a, b := f.Verdict(), without.Verdict(); a != b {
		t.Errorf("%s, want %s", a, b)
	}
	state, _ := f.Status()
	if want, _ := without.Status(); state != want || f.headline() != without.headline() {
		t.Errorf("%s %s, want %s %s", state, f.headline(), want, without.headline())
	}
	text := f.Comment()
	for said, want := range map[string]bool{
		"<code>example.com/codec.(*decoder).read</code> 300 → 590 ns, 94 % of the change, changed here":         true,
		"<code>runtime.&lt;b&gt;@all`|</code> 0 → 20.0 ns":                                                      true,
		"why: not explained</summary><code>the budget for explanations, 5m, ended &lt;/details&gt; @all</code>": true,
		"of no regression": false, "of nobody": false,
	} {
		if strings.Contains(text, said) != want {
			t.Errorf("%q: want %v in\n%s", said, want, text)
		}
	}
}
