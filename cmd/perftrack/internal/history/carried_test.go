package history

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner/record"
)

// A commit represented by another commit's run, because both have the same machine code, has a
// point with the run's values and anchor. The point names the other commit, and steps do not count
// it as a run.
func TestCarriedOver(t *testing.T) {
	ctx := t.Context()
	a, commit := workspacetest.New(t)
	commits := []string{commit("2026-01-01T00:00:00Z"), commit("2026-01-02T00:00:00Z"), commit("2026-01-03T00:00:00Z")}
	var runs []measure.StoredRun
	for _, i := range []int{2, 0} {
		res, err := measure.Run(ctx, a, measure.Options{Rev: commits[i], Anchor: commits[0], Flags: measure.Flags{Rounds: 4}})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, res.Runs[1])
	}
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		t.Fatal(err)
	}
	carry := func(id string, status record.Status) {
		t.Helper()
		_, _, err = db.Put(ctx, &record.Run{
			Target: "echo", Commit: record.Commit{SHA: commits[1]}, Start: time.Unix(1, 0), Status: status, Trial: "t", Side: record.Head,
			Facts: record.Settings{{Key: record.KeyCarried, Value: id}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	carry(runs[1].ID, record.Complete)
	carry(runs[1].ID, record.Partial)
	carry(strings.Repeat("1", 64), record.Complete) // the source run does not exist
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Anchor: commits[0]}} {
		h, err := Read(ctx, a, "X", opt)
		if err != nil || len(h.Series) != 1 {
			t.Fatalf("%+v: %v", h, err)
		}
		var got, from []string
		for _, p := range h.Series[0].Points {
			got, from = append(got, p.Run.Commit.SHA), append(from, p.CarriedFrom)
			if n := len(p.Benchmark.Samples[0].Present()); n != 4 {
				t.Errorf("%+v: %d samples of %s", opt, n, p.Run.Commit.SHA)
			}
		}
		if !slices.Equal(got, commits) || !slices.Equal(from, []string{"", commits[0], ""}) {
			t.Errorf("%+v: points %q, carried over from %q", opt, got, from)
		}
		if n := len(h.Series[0].Lines[0].Runs); n != 2 {
			t.Errorf("%+v: steps are found in %d runs, measured were 2", opt, n)
		}
	}
}
