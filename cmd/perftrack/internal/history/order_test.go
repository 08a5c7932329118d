package history

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// The order of a history does not depend on any clock, neither the committer's nor the measuring
// machine's.
func TestHistoryOrderIgnoresClocks(t *testing.T) {
	ctx := context.Background()
	a, commit := workspacetest.New(t)
	var want []string
	clocks := []string{
		"2026-11-21T10:00:00Z", "2026-11-21T09:00:00Z", "2036-11-21T09:00:00Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
	}
	for i, date := range []string{
		"@4294967295 +0000", "1970-01-02T00:00:00Z", "2026-03-29T01:30:00+0100", "2026-03-29T01:30:00-0930", "2026-03-29T01:30:00Z",
	} {
		want = append(want, commit(date))
		now, err := time.Parse(time.RFC3339, clocks[i])
		if err != nil {
			t.Fatal(err)
		}
		a.Now = func() time.Time { return now }
		if _, err := measure.Run(ctx, a, measure.Options{Flags: measure.Flags{Rounds: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	// This run is measured last but belongs to the oldest commit.
	if _, err := measure.Run(ctx, a, measure.Options{Rev: want[0], Flags: measure.Flags{Rounds: 1}}); err != nil {
		t.Fatal(err)
	}
	h, err := Read(ctx, a, "X", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range h.Series[0].Points {
		got = append(got, p.Run.Commit.SHA)
	}
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Errorf("history is in the order %v, want %v", got, want)
	}
	h, err = Read(ctx, a, "X", Options{Limit: 2})
	if err != nil || len(h.Series[0].Points) != 2 || h.Series[0].Points[1].Run.Commit.SHA != want[4] {
		t.Errorf("the newest 2 commits are %v, %v", h, err)
	}
}

// An interrupted run is stored but never taken for the commit's result.
func TestPartialRunIsNoBaseline(t *testing.T) {
	a, commit := workspacetest.New(t)
	sha := commit("2026-01-01T00:00:00Z")
	ctx, cancel := context.WithCancel(context.Background())
	a.Progress = func(p runner.Progress) {
		if p.Round == 3 {
			cancel()
		}
	}
	res, err := measure.Run(ctx, a, measure.Options{Flags: measure.Flags{Rounds: 10}})
	if err == nil || len(res.Runs) != 1 || res.Runs[0].Status != record.Partial || res.Runs[0].Rounds() != 2 {
		t.Fatalf("interrupted in round 3: %v, %+v", err, res.Runs)
	}
	ctx = context.Background()
	if _, err := comparison.Compare(ctx, a, []string{sha, sha}); err == nil || !strings.Contains(err.Error(), "no complete run") {
		t.Errorf("compare takes a partial run: %v", err)
	}
	if _, err := Read(ctx, a, "X", Options{}); err == nil || !strings.Contains(err.Error(), "--all") {
		t.Errorf("history takes a partial run: %v", err)
	}
	if h, err := Read(ctx, a, "X", Options{All: true}); err != nil || len(h.Series[0].Points) != 1 {
		t.Errorf("history --all: %v, %v", h, err)
	}
}
