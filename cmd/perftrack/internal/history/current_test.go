package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// putRuns stores runs.
func putRuns(t *testing.T, a *workspace.Session, runs ...*record.Run) {
	t.Helper()
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// of returns a complete run of a commit with a time for each name.
func of(commit string, value float64, names string) *record.Run {
	r := &record.Run{Target: "lib", Commit: record.Commit{SHA: commit}, Status: record.Complete, Start: time.Unix(int64(value), 0), Env: record.Settings{{Key: "goos", Value: "linux"}}}
	for name := range strings.FieldsSeq(names) {
		r.Benchmarks = append(r.Benchmarks, record.Benchmark{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Rounds: []record.Round{{N: 1}},
			Samples: []record.Samples{{Unit: "ns/op", Values: []float64{value}}},
		})
	}
	return r
}

// Each benchmark has the value of the newest commit that measured it, unless a newer run of all
// benchmarks lacks it. Runs that are no points of HEAD's line have no current values.
func TestCurrent(t *testing.T) {
	a, commit := workspacetest.New(t)
	var shas []string
	for i := range 4 {
		shas = append(shas, commit(fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1)))
	}
	some := of(shas[2], 103, "A")
	some.Protocol.Selection = &record.Selection{Bench: "A"}
	partial, dirty := of(shas[3], 104, "A"), of(shas[3], 105, "A")
	partial.Status, dirty.Commit.Dirty = record.Partial, true
	calibration := of(shas[3], 106, "A")
	calibration.Trial, calibration.Side, calibration.Protocol.Procedure = "t1", record.Head, pairs.ProcedureCalibrate
	profile := of(shas[3], 107, "A")
	profile.Facts = profile.Facts.Set(record.KeyMeasured, workspace.MeasuredScopes)
	aside := of(strings.Repeat("e", 40), 108, "A Aside")
	aside.Target, aside.Commit.Branch = "aside", "topic"
	other := of(shas[0], 200, "A")
	other.Target = "other"
	putRuns(t, a, some, of(shas[1], 102, "A B"), of(shas[0], 101, "A B Deleted"), partial, dirty, calibration, profile, aside, other) // not in the order of the commits
	lines, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	values, err := lines.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range values {
		got = append(got, fmt.Sprintf("%s %s %v %s", v.Target, v.Name, v.Center, v.Commit))
	}
	want := []string{"lib A 103 " + record.ShortHash(shas[2]), "lib B 102 " + record.ShortHash(shas[1]), "other A 200 " + record.ShortHash(shas[0])}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The number of runs that are read has a limit.
func TestCurrentLimit(t *testing.T) {
	a, commit := workspacetest.New(t)
	for i := range maxCurrent + 2 {
		r := of(commit(time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339)), float64(100+i), fmt.Sprint("X", i))
		r.Protocol.Selection = &record.Selection{Bench: r.Benchmarks[0].Name}
		putRuns(t, a, r)
	}
	lines, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	if values, err := lines.Current(t.Context()); err != nil || len(values) != maxCurrent || values[0].Name != "X10" {
		t.Errorf("%d values, %v", len(values), err)
	}
}
