package family

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// Gather finds a regression proven by a bisection after a check, and the profiles kept for it by
// perftrack explain, with paths that do not reveal this machine's folders. The newest comparison
// does not contain the bisection.
func TestBisectionAndItsProfilesAreGathered(t *testing.T) {
	a, commit := workspacetest.New(t)
	first, second := commit("2026-01-01T00:00:00Z"), commit("2026-01-02T00:00:00Z")
	db, path, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(trial, benchmark, commit string, side record.Side, ns float64, hour int) {
		r := runtest.Read(t, "pkg: m\n"+runtest.Vary(12, benchmark, 1, ns, "ns/op"))
		r.Target, r.Status, r.Commit, r.Trial, r.Side = "m", record.Complete, record.Commit{SHA: commit}, trial, side
		r.Protocol.Decision = "typical-and-mean"
		r.Start = time.Date(2026, 1, 3, hour, 0, 0, 0, time.UTC)
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	put("check", "Other", first, record.Base, 100, 1)
	put("check", "Other", second, record.Head, 100, 1)
	put(workspace.BisectTrialPrefix+"1", "Sort", first, record.Base, 100, 2)
	put(workspace.BisectTrialPrefix+"1", "Sort", second, record.Head, 200, 2)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for i, sha := range []string{first, second} {
		f := &profile.Function{ID: 1, Name: "m.less"}
		at := &profile.Location{ID: 1, Address: 1, Line: []profile.Line{{Function: f}}}
		p := &profile.Profile{PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1, SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
			Function: []*profile.Function{f}, Location: []*profile.Location{at}, Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{int64(i+1) * 1e9}}}}
		m := profiles.Meta{Target: "m", Package: "m", Benchmark: "Sort", Kind: profiles.CPU, Commit: sha, Operations: 1e7}
		if i == 1 {
			m.Base = first
		}
		if _, err := profiles.Write(profiles.Folder(path), m, p); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Gather(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if unseen := s.Regressions.Unseen(); len(unseen) != 1 || unseen[0].Name != "Sort" || !unseen[0].Check.Search {
		t.Errorf("proved %+v", unseen)
	}
	if len(s.Kept) != 1 || s.Kept[0].Name != "Sort" || s.Kept[0].Base != first || !strings.HasPrefix(s.Kept[0].Files[1], ".perftrack/") {
		t.Errorf("kept %+v", s.Kept)
	}
	all, err := history.Outline(t.Context(), a, history.Options{}, "")
	if err != nil || !slices.ContainsFunc(all.Outlines, func(o steps.Outline) bool { return o.Name == "Sort" && o.Check.Worst() != nil }) {
		t.Errorf("%v: outlines %+v", err, all.Outlines)
	}
	c, err := comparison.Compare(t.Context(), a, nil)
	if err != nil || !slices.ContainsFunc(c.Caveats, func(c compare.Caveat) bool { return c.Code == compare.CodeSearches }) {
		t.Errorf("%v: %v", err, c.Caveats)
	}
}
