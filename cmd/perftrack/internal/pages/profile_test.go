package pages

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

const hostileName = "m.<img src=x onerror=alert(1)>"

// side returns the profiles of one side of a benchmark that takes perOp seconds and allocates the
// given number of bytes per operation.
func side(perOp float64, bytes int64) runner.FunctionProfile {
	make := func(types []string, values ...int64) *profile.Profile {
		p := &profile.Profile{PeriodType: &profile.ValueType{Type: types[0], Unit: "count"}, Period: 1}
		for _, t := range types {
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
		}
		at := &profile.Location{ID: 1, Address: 1}
		for i, name := range []string{hostileName, "m.BenchmarkSort", "testing.(*B).runN"} {
			f := &profile.Function{ID: uint64(i + 1), Name: name}
			p.Function, at.Line = append(p.Function, f), append(at.Line, profile.Line{Function: f})
		}
		p.Location, p.Sample = []*profile.Location{at}, []*profile.Sample{{Location: []*profile.Location{at}, Value: values}}
		return p
	}
	allocs := []string{"alloc_objects", "alloc_space"}
	return runner.FunctionProfile{
		CPU: []*profile.Profile{make([]string{"samples", "cpu"}, 100, 1e9)}, PerOp: perOp,
		Few: make(allocs, 2, 2*bytes), Many: make(allocs, 12, 12*bytes), Operations: 10,
	}
}

const scopes = `profile: scopes
suite: deep
Infer 1 1000000 ns/op 200000 self-ns/op 4096 B/op 2 allocs/op
Infer/Token 4 200000 ns/op 200000 self-ns/op 1024 B/op 1 allocs/op
`

// withProfiles returns a site with the profiles of one benchmark at two commits and the scopes of
// one suite.
func withProfiles(t *testing.T) *Site {
	t.Helper()
	a, commit := workspacetest.New(t)
	first, second := commit("2026-01-01T00:00:00Z"), commit("2026-01-02T00:00:00Z")
	db, path, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run := runtest.Read(t, scopes)
	run.Target, run.Status, run.Commit = "engine", record.Complete, record.Commit{SHA: second, Time: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	run.Start = run.Commit.Time
	record.SetProcesses(run, []record.Process{{Suite: "deep", Round: 1, Resident: 64 << 20}})
	if _, _, err := db.Put(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	nothing := profiles.Benchmark{Target: "m", Package: "m", Name: "Idle", Sides: []runner.FunctionProfile{{Few: side(1, 1).Few, Many: side(1, 1).Few, Operations: 10}},
		Commits: []string{second}, Time: 1767400000} // has no profile to show, because it allocates nothing
	if _, err := nothing.Write(profiles.Folder(path)); err != nil {
		t.Fatal(err)
	}
	kept := profiles.Benchmark{Target: "m", Package: "m", Name: "Sort/n=1000", Sides: []runner.FunctionProfile{side(1e-3, 1024), side(3e-3, 512)},
		Commits: []string{first, second}, Time: 1767400000}
	if _, err := kept.Write(profiles.Folder(path)); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestProfiles(t *testing.T) {
	s := withProfiles(t)
	rows, err := s.profiles(t.Context())
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	seen := map[string]int{}
	for _, r := range rows {
		p, err := s.Profile(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if p.ID != r.ID || p.Kind != r.Kind || len(p.Calls) == 0 || len(p.Functions) == 0 || len(p.Flames) == 0 {
			t.Errorf("the document of %s: %+v", r.ID, p)
		}
		if needs := slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "64.00 MiB") }); needs != (r.Kind == "scopes") {
			t.Errorf("the notes of %s: %q", r.ID, p.Notes)
		}
		text, err := site.Script("p/"+r.ID, p, "x")
		if err != nil || bytes.Contains(text, []byte("<img")) {
			t.Errorf("the script of %s has markup: %v", r.ID, err)
		}
		for _, g := range p.Flames {
			page, err := s.Flame(t.Context(), g.File)
			if err != nil || !bytes.Contains(page, []byte(`href="../index.html#/p/`)) || bytes.Contains(page, []byte("<img")) {
				t.Errorf("the flame graph %s: %v", g.File, err)
			}
		}
		seen[r.Kind]++
		if r.BaseHash != "" {
			seen[r.Kind+" difference"]++
		}
	}
	if seen["cpu"] != 1 || seen["alloc"] != 1 || seen["scopes"] != 1 || seen["cpu difference"] != 1 || seen["alloc difference"] != 1 {
		t.Errorf("listed: %v", seen)
	}
}

func TestProfileOfTwoSides(t *testing.T) {
	s := withProfiles(t)
	rows, err := s.profiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.BaseHash == "" {
			continue
		}
		p, err := s.Profile(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		wantTotal, wantBase, unit := 3e-3, 1e-3, "sec/op"
		if r.Kind == "alloc" {
			wantTotal, wantBase, unit = 512, 1024, "B/op"
		}
		if !near(p.Total, wantTotal) || !near(p.BaseTotal, wantBase) || p.Unit != unit {
			t.Errorf("%s: %v against %v in %s, want %v against %v", r.Kind, p.Total, p.BaseTotal, p.Unit, wantTotal, wantBase)
		}
		if last := p.Calls[len(p.Calls)-1]; last.Name != hostileName || last.Parent != 0 || !near(last.Base, wantBase) || !near(last.Self, wantTotal) {
			t.Errorf("%s: the innermost call is %+v", r.Kind, last)
		}
		var graphs []string
		for _, g := range p.Flames {
			graphs = append(graphs, g.What+" "+g.Side)
		}
		if got := strings.Join(graphs, ", "); !strings.Contains(got, "difference") || !strings.Contains(got, "base") {
			t.Errorf("%s has the graphs %s", r.Kind, got)
		}
	}
}

func near(got documents.Number, want float64) bool {
	return float64(got) > want*(1-1e-6) && float64(got) < want*(1+1e-6)
}

func TestProfileOfScopes(t *testing.T) {
	s := withProfiles(t)
	p, err := s.Profile(t.Context(), s.suites()[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if p.Unit != "sec" || !near(p.Total, 1e-3) || p.BaseTotal == p.BaseTotal || len(p.Calls) != 2 {
		t.Fatalf("%+v", p)
	}
	token := p.Calls[1]
	if token.Name != "Token" || token.Parent != 0 || token.Count != 4 || !near(token.Total, 0.8e-3) || token.Bytes != 4096 {
		t.Errorf("a scope is %+v", token)
	}
}

func TestUnknownProfiles(t *testing.T) {
	s := withProfiles(t)
	for _, id := range []string{"", "nothing", "scopes-", "scopes-0123", "../../etc/passwd", "scopes-../x"} {
		if _, err := s.Profile(t.Context(), id); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("profile %q: %v", id, err)
		}
		if _, err := s.Flame(t.Context(), id+".html"); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("flame graph %q: %v", id, err)
		}
	}
}
