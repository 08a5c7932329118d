package github

import (
	"strings"
	"testing"
)

// Commands in the comment quote the name of the benchmark for a shell. If a code span would change
// the name, they have a placeholder instead.
func TestCommandsAreQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"Sort/n=1":                 "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench Sort/n=1` ",
		"Sort/n='$(id)'":           `perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench 'Sort/n='\''$(id)'\'''` + "` ",
		"Sort/a|b":                 "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench NAME` ",
		"Sort/`id`":                "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench NAME` ",
		strings.Repeat("Sort", 40): "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench NAME` ",
	} {
		f := New(trial(t, codec(name, "ns/op", 100, 150, 1)), Options{})
		if got := f.next(); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", name, want, got)
		}
	}
}

// The functions of another program cannot be profiled, so nothing proposes it.
func TestOpaqueIsNotExplained(t *testing.T) {
	c := trial(t, codec("Sort", "ns/op", 100, 150, 1))
	target := c.Head.Runs[0].Target
	if got := New(c, Options{Opaque: []string{target}}).next(); strings.Contains(got, "perftrack explain") || !strings.Contains(got, "Intended?") {
		t.Errorf("of the target %s:\n%s", target, got)
	}
}
