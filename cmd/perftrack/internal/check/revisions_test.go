package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner/config"
)

// Arguments are revisions unless they name a target or packages.
func TestSortArgs(t *testing.T) {
	known := []config.Target{{Name: "engine"}, {Name: "main"}}
	isRevision := func(word string) bool {
		return slices.Contains([]string{"main", "v1", "HEAD", "HEAD~1", "origin/main"}, word)
	}
	for _, tt := range []struct{ args, revs, targets string }{
		{"", "", ""},
		{"HEAD~1", "HEAD~1", ""},
		{"HEAD~1 HEAD", "HEAD~1 HEAD", ""},
		{"v1..HEAD", "v1 HEAD", ""},
		{"origin/main", "origin/main", ""},
		{"engine", "", "engine"},
		{"HEAD~1 engine", "HEAD~1", "engine"},
		{"main", "", "main"}, // both a target and a revision
		{"./parse ./... a/...", "", "./parse ./... a/..."},
		{"v1..nothing", "", "v1..nothing"},
		{"enigne", "", "enigne"},
	} {
		revs, targets := sortArgs(strings.Fields(tt.args), known, isRevision)
		if strings.Join(revs, " ") != tt.revs || strings.Join(targets, " ") != tt.targets {
			t.Errorf("%q: revisions %q, targets %q", tt.args, revs, targets)
		}
	}
}

// TakeArgs refuses a second base or head, and reports an ambiguous name.
func TestTakeArgs(t *testing.T) {
	a, commit := workspacetest.New(t)
	base, head := commit("2026-01-01T00:00:00Z"), commit("2026-01-02T00:00:00Z")
	var said []string
	a.Notice = func(text string) { said = append(said, text) }
	for _, tt := range []struct {
		opt        Options
		args       []string
		base, head string
		err        string
	}{
		{Options{}, []string{base}, base, "", ""},
		{Options{}, []string{base, head}, base, head, ""},
		{Options{Head: head}, []string{base}, base, head, ""},
		{Options{Base: base}, []string{"echo"}, base, "", ""},
		{Options{Base: base}, []string{head}, "", "", "use one"},
		{Options{Head: head}, []string{base, head}, "", "", "use one"},
		{Options{}, []string{base, head, "HEAD"}, "", "", "3 revisions"},
	} {
		err := tt.opt.TakeArgs(t.Context(), a, tt.args)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: %v", tt.args, err)
			}
		} else if err != nil || tt.opt.Base != tt.base || tt.opt.Head != tt.head {
			t.Errorf("%q: %+v, %v", tt.args, tt.opt, err)
		}
	}
	if len(said) > 0 {
		t.Errorf("%q", said)
	}
}
