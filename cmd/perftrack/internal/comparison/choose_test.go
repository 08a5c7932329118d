package comparison

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Two commits are decided only by the checks and the trials of fixed length that compare them,
// including those interrupted or failed in part.
func TestEvidence(t *testing.T) {
	info := func(trial string, side record.Side, change func(*record.RunInfo)) record.RunInfo {
		i := record.RunInfo{Run: record.Run{Trial: trial, Side: side, Status: record.Complete}, Benchmarks: 1}
		if change != nil {
			change(&i)
		}
		return i
	}
	procedure := func(name string) func(*record.RunInfo) {
		return func(i *record.RunInfo) { i.Protocol.Procedure = name }
	}
	for _, tt := range []struct {
		name   string
		trial  string
		change func(*record.RunInfo)
		want   bool
	}{
		{"a check", "x", procedure(pairs.ProcedureCheck), true},
		{"of fixed length", "x", nil, true},
		{"interrupted", "x", func(i *record.RunInfo) { i.Status = record.Partial }, true},
		{"failed", "x", func(i *record.RunInfo) { i.Status = record.Failed }, true},
		{"nothing to measure", "x", func(i *record.RunInfo) { i.Benchmarks = 0 }, true},
		{"a bisection", workspace.BisectTrialPrefix + "x-1234567-89abcde", nil, false},
		{"a calibration", "x", procedure(pairs.ProcedureCalibrate), false},
		{"an anchor", "x", procedure(anchors.Procedure), false},
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
	// The runs are ordered newest first, as the store lists them. A trial with only one side does
	// not count.
	base := []record.RunInfo{info("c", record.Base, nil), info("b", record.Base, nil), info("a", record.Base, nil)}
	head := []record.RunInfo{info("d", record.Head, nil), info("c", record.Head, nil), info("c", record.Head, nil), info("a", record.Head, nil)}
	if got := decidingTrials(base, head); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("trials %v, oldest first", got)
	}
}

// The runs of a bisection represent a commit only if one side has no other runs.
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

// If a commit has reports on several suites, each suite is compared. Of several reports on one
// suite, the newest is compared, in a common environment of both sides if there is one.
func TestChoose(t *testing.T) {
	// "2 env=x deep standard" is run 2 with two suites.
	of := func(runs ...string) Selection {
		s := Selection{Commit: "a", suites: map[string][]store.Suite{}}
		for _, run := range runs {
			words := strings.Fields(run)
			i := record.RunInfo{ID: words[0], EnvironmentID: "e", Run: record.Run{Status: record.Complete}, Benchmarks: 1}
			for _, w := range words[1:] {
				if env, ok := strings.CutPrefix(w, "env="); ok {
					i.EnvironmentID = env
				} else {
					s.suites[i.ID] = append(s.suites[i.ID], store.Suite{Kind: record.Scope, Name: w})
				}
			}
			s.infos = append(s.infos, i)
		}
		return s
	}
	for _, tt := range []struct {
		name       string
		base, head Selection
		want       string
	}{
		{"two suites against one", of("2 standard", "1 deep"), of("3 deep"), "2 1 | 3"},
		{"the newest report of each", of("4 deep", "3 standard", "2 deep", "1 standard"), of("5 deep"), "4 3 and 2 older | 5"},
		{"a part of an older run", of("2 deep", "1 deep standard"), of("3 standard"), "2 1:standard | 3"},
		{"the environment of both", of("3 env=x deep", "2 deep", "1 standard"), of("4 deep"), "2 1 | 4"},
		{"another where it alone has a suite", of("2 env=x standard", "1 deep"), of("3 deep"), "1 2 | 3"},
		{"no environment of both", of("2 env=x deep", "1 env=x deep"), of("3 deep"), "2 and 1 older | 3"},
		{"one commit", of("2 deep", "1 standard"), Selection{}, "2 1 |"},
	} {
		text := func(c chosen) (words string) {
			for _, one := range c.runs {
				words += one.ID
				for _, s := range one.suites {
					words += ":" + s.Name
				}
				words += " "
			}
			if c.older > 0 {
				words += fmt.Sprintf("and %d older ", c.older)
			}
			return words
		}
		base, head, err := choose(tt.base, tt.head)
		if got := strings.TrimSpace(text(base) + "| " + text(head)); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestSplitRange(t *testing.T) {
	if got := fmt.Sprint(SplitRange([]string{"a..b"}), SplitRange([]string{"a..."}), SplitRange([]string{"a.."})); got != "[a b] [a...] [a]" {
		t.Errorf("SplitRange: %s", got)
	}
}
