package comparison

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// What decides on two commits: every check and every trial of fixed length of them, also
// one that was interrupted or failed in part, and nothing that is no trial of them.
func TestEvidence(t *testing.T) {
	info := func(trial string, side record.Side, change func(*record.RunInfo)) record.RunInfo {
		i := record.RunInfo{Run: record.Run{Trial: trial, Side: side, Status: record.Complete}, Benchmarks: 1}
		if change != nil {
			change(&i)
		}
		return i
	}
	procedure := func(name string) func(*record.RunInfo) {
		return func(i *record.RunInfo) { i.Facts = i.Facts.Set(record.KeyProcedure, name) }
	}
	for _, tt := range []struct {
		name   string
		trial  string
		change func(*record.RunInfo)
		want   bool
	}{
		{"a check", "x", procedure(compare.ProcedureCheck), true},
		{"of fixed length", "x", nil, true},
		{"interrupted", "x", func(i *record.RunInfo) { i.Status = record.Partial }, true},
		{"failed", "x", func(i *record.RunInfo) { i.Status = record.Failed }, true},
		{"nothing to measure", "x", func(i *record.RunInfo) { i.Benchmarks = 0 }, true},
		{"a bisection", workspace.BisectTrialPrefix + "x-1234567-89abcde", nil, false},
		{"a calibration", "x", procedure(compare.ProcedureCalibrate), false},
		{"an anchor", "x", procedure(compare.ProcedureAnchor), false},
		{"a profile", "x", func(i *record.RunInfo) { i.Facts = i.Facts.Set(record.KeyMeasured, workspace.MeasuredScopes+" deep") }, false},
		{"a changed work tree", "x", func(i *record.RunInfo) { i.Commit.Dirty = true }, false},
		{"measured alone", "", nil, false},
	} {
		base, head := info(tt.trial, record.Base, tt.change), info(tt.trial, record.Head, tt.change)
		if got := len(decidingTrials([]record.RunInfo{base}, []record.RunInfo{head})) == 1; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if ids := decidingTrials([]record.RunInfo{head}, []record.RunInfo{base}); len(ids) > 0 {
			t.Errorf("%s: of the other direction", tt.name)
		}
	}
	// Newest first, as the store lists them; half a trial is none.
	base := []record.RunInfo{info("c", record.Base, nil), info("b", record.Base, nil), info("a", record.Base, nil)}
	head := []record.RunInfo{info("d", record.Head, nil), info("c", record.Head, nil), info("c", record.Head, nil), info("a", record.Head, nil)}
	if got := decidingTrials(base, head); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("trials %v, oldest first", got)
	}
}

// The runs of a bisection stand in for a commit only where one side has no others.
func TestWithoutSearches(t *testing.T) {
	of := func(trials ...string) Selection {
		s := Selection{Commit: "a"}
		for _, trial := range trials {
			s.infos = append(s.infos, record.RunInfo{Run: record.Run{Trial: trial, Status: record.Complete}, Benchmarks: 1})
		}
		return s
	}
	const search = workspace.BisectTrialPrefix + "x"
	for _, tt := range []struct {
		name       string
		base, head Selection
		want       [2]int
	}{
		{"searches are the newest", of(search, "", search), of(search, "t"), [2]int{1, 1}},
		{"nothing else on one side", of(search, ""), of(search), [2]int{2, 1}},
		{"no searches", of("", "t"), of("t"), [2]int{2, 1}},
		{"one commit", of(search, ""), Selection{}, [2]int{1, 0}},
		{"a file beside a commit", of(search, ""), Selection{word: "old.txt"}, [2]int{1, 0}},
	} {
		base, head := withoutSearches(tt.base, tt.head)
		if got := [2]int{len(base.infos), len(head.infos)}; got != tt.want {
			t.Errorf("%s: %v runs are left, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSplitRange(t *testing.T) {
	if got := fmt.Sprint(SplitRange([]string{"a..b"}), SplitRange([]string{"a..."}), SplitRange([]string{"a.."})); got != "[a b] [a...] [a]" {
		t.Errorf("SplitRange: %s", got)
	}
}
