package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

func TestProfileFile(t *testing.T) {
	sha := strings.Repeat("0123456789", 4)
	names := map[string]bool{}
	for _, of := range [][2]string{{"x/p", "Sort"}, {"x/q", "Sort"}, {"x/p", "Sort/../../etc"}, {"x/p", "Sort/n=1"}, {"x/p", "Sort#n=1"}, {"x/p", strings.Repeat("long", 100)}} {
		name := profileFile(sha, of[0], of[1], "cpu")
		if names[name] || !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\ ") || len(name) > 120 || !strings.HasPrefix(name, "012345678901-") || !strings.HasSuffix(name, ".cpu.pb.gz") {
			t.Errorf("profileFile of %q is %q", of, name)
		}
		names[name] = true
	}
}

func TestPruneProfiles(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"old.pb.gz", "older.pb.gz", "notes.txt", "new.pb.gz"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 100), 0o644); err != nil {
			t.Fatal(err)
		}
		when := at.Add(time.Duration(i) * time.Hour)
		if name == "older.pb.gz" {
			when = at.Add(-time.Hour)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	for _, tt := range []struct {
		limit int64
		want  []string
	}{
		{300, []string{"new.pb.gz", "notes.txt", "old.pb.gz", "older.pb.gz"}},
		{299, []string{"new.pb.gz", "notes.txt", "old.pb.gz"}},
		{1, []string{"new.pb.gz", "notes.txt"}},
	} {
		if err := pruneProfiles(dir, tt.limit); err != nil {
			t.Fatal(err)
		}
		if got := left(); !slices.Equal(got, tt.want) {
			t.Errorf("limit %d leaves %q, want %q", tt.limit, got, tt.want)
		}
	}
}

func TestRegressedRows(t *testing.T) {
	row := func(name, unit string, v compare.Verdict, delta float64) *compare.Row {
		return &compare.Row{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Unit: unit, Delta: delta, Decision: compare.Decision{Verdict: v}}
	}
	c := &compare.Comparison{Tables: []compare.Table{
		{Rows: []*compare.Row{row("A", "B/op", compare.Regressed, 0.5), row("C", "B/op", compare.Regressed, 0.2)}},
		{Rows: []*compare.Row{row("A", "sec/op", compare.Regressed, 0.1), row("B", "sec/op", compare.Improved, -0.5), row("D", "sec/op", compare.Regressed, 0.3)}},
	}}
	var got []string
	for _, r := range regressedRows(c) {
		got = append(got, r.Name+" "+r.Unit)
	}
	if want := []string{"D sec/op", "C B/op", "A sec/op"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Objects that fill a block each may have shared it with others that a profile lacks.
func TestStacks(t *testing.T) {
	f := &profile.Function{ID: 1, Name: "x/p.f"}
	at := []*profile.Location{{ID: 1, Line: []profile.Line{{Function: f}}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects"}, {Type: "alloc_space"}},
		Sample:     []*profile.Sample{{Location: at, Value: []int64{4, 64}}, {Location: at, Value: []int64{2, 64}}, {Location: at, Value: []int64{0, 0}}},
	}
	for kind, want := range map[string]string{
		"alloc_objects": "[{[x/p.f] 2 true} {[x/p.f] 1 false}]", "alloc_space": "[{[x/p.f] 32 false} {[x/p.f] 32 false}]", "samples": "[]",
	} {
		if got := fmt.Sprint(stacks(p, kind, 0.5)); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
