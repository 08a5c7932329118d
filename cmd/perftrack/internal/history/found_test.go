package history

import (
	"fmt"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The commit found by a bisection is named in the step in the history, and in the check around it.
// A bisection has found a commit if it measured the commit against its predecessor and the commit
// regressed. Other pairs do not count.
func TestWhatABisectionFound(t *testing.T) {
	a, commit := workspacetest.New(t)
	var line []string
	for i := range 10 {
		line = append(line, commit(fmt.Sprintf("2026-01-%02dT00:00:00Z", i+1)))
	}
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(trial string, at int, side record.Side, name string, ns float64) {
		r := runtest.Read(t, "pkg: m\n"+runtest.Vary(12, name, 1, ns, "ns/op"))
		r.Target, r.Status, r.Commit, r.Trial, r.Side = "m", record.Complete, record.Commit{SHA: line[at]}, trial, side
		r.Protocol.Decision = "typical-and-mean"
		r.Start = time.Date(2026, 2, 1, 0, at, 0, 0, time.UTC)
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	pair := func(trial string, base, head int, name string, from, to float64) {
		put(trial, base, record.Base, name, from)
		put(trial, head, record.Head, name, to)
	}
	for _, at := range []int{0, 1, 2, 7, 8, 9} { // with a step between 2 and 7
		ns := 100.0
		if at > 2 {
			ns = 200
		}
		put("", at, record.NoSide, "Sort", ns)
	}
	pair(workspace.BisectTrialPrefix+"1", 2, 7, "Sort", 100, 200)
	pair(workspace.BisectTrialPrefix+"2", 2, 5, "Sort", 100, 200)
	pair(workspace.BisectTrialPrefix+"3", 6, 7, "Sort", 200, 200)
	pair(workspace.BisectTrialPrefix+"4", 4, 5, "Sort", 100, 200)
	pair(workspace.BisectTrialPrefix+"5", 8, 9, "Sort", 100, 200) // belongs to another step
	pair("check", 0, 9, "Parse", 100, 200)
	pair(workspace.BisectTrialPrefix+"6", 5, 6, "Parse", 100, 200)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	lines, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lines.Close() }()
	_, all, err := lines.All(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if want := (steps.Found{Commit: line[5], Before: line[4]}); len(all.List) != 1 || all.List[0].Step.Found != want {
		t.Errorf("regressions %+v, want one that %+v made", all.List, want)
	}
	want, found := steps.Found{Commit: line[6], Before: line[5]}, false
	for _, p := range all.Proved {
		found = found || p.Name == "Parse" && p.Check.Found == want && !p.Check.Search
	}
	if !found {
		t.Errorf("proved %+v, want that %+v made Parse worse", all.Proved, want)
	}
}
