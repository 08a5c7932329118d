package notify

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A dry run reads the last report but writes nothing.
func TestDryRun(t *testing.T) {
	f := githubtest.New(t)
	said, err := Tell(t.Context(), newIssue(t, f), State{Standings: standings(13)}, one, true)
	if err != nil || len(f.Issues) != 0 || len(told(t, strings.Join(said, "\n"))) != 5 {
		t.Errorf("%d issues, %q, %v", len(f.Issues), said, err)
	}
	for _, r := range f.Requests {
		if !strings.HasPrefix(r, "GET ") {
			t.Error(r)
		}
	}
	if said, err = Tell(t.Context(), nobody{}, State{Standings: standings(6)}, one, true); err != nil || said != nil {
		t.Errorf("of no steps %q, %v", said, err)
	}
}

// Series without data keep their last report: they are reported neither as recovered nor a second
// time.
func TestWhatIsNotMeasuredStaysAsTold(t *testing.T) {
	_, before := Differences(nil, standings(14))
	if len(before) == 0 {
		t.Fatal("no unresolved regression")
	}
	for name, now := range map[string][]history.Standing{
		"nothing": nil,
		"too few": {{Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Comes"}, Environment: "e", Unit: "ns/op", Tidied: "sec/op"}},
	} {
		events, next := Differences(before, now)
		if len(events) != 0 || !slices.Equal(next, before) {
			t.Errorf("%s: %v, %v", name, events, next)
		}
	}
}

// A job rerun for an older commit does not change later reports.
func TestOlderRunLeavesAsTold(t *testing.T) {
	_, before := Differences(nil, standings(26))
	if len(before) == 0 {
		t.Fatal("no unresolved regression")
	}
	for _, n := range []int{7, 9, 13, 16} {
		older := map[Key]bool{}
		for _, s := range before {
			for _, now := range standings(n) {
				older[s.Key] = older[s.Key] || keyOf(now) == s.Key && !now.Has(s.UpTo)
			}
		}
		events, next := Differences(before, standings(n))
		for _, e := range events {
			if older[e.Key] {
				t.Errorf("after %d runs %s %s", n, e.Kind, e.Benchmark)
			}
		}
		for _, s := range before {
			if older[s.Key] && !slices.Contains(next, s) {
				t.Errorf("after %d runs %s is told otherwise", n, s.Benchmark)
			}
		}
	}
	if events, next := Differences(before, standings(7)); len(events) != 0 || !slices.Equal(next, before) {
		t.Errorf("%v, %v", events, next)
	}
}

// A level creeping up is reported again once it is far enough from the reported level, even if the
// change since the last run is small.
func TestCreepingIsWorseInTheEnd(t *testing.T) {
	step := steps.Step{From: 100, To: 120, Unresolved: true}
	step.Shift.Lo, step.Shift.Hi = 0.19, 0.21
	at := func(value float64) []history.Standing {
		return []history.Standing{{Target: "t", BenchmarkID: record.BenchmarkID{Name: "X"}, Tidied: "sec/op", Threshold: 0.05, Unresolved: []steps.Step{step}, Value: value, Enough: true}}
	}
	_, known := Differences(nil, at(120))
	var kinds []string
	for _, value := range []float64{121, 122, 123.5, 124, 110, 114, math.Inf(1)} {
		events, next := Differences(known, at(value))
		for _, e := range events {
			kinds = append(kinds, fmt.Sprint(e.Kind, " ", value))
		}
		known = next
	}
	if got := strings.Join(kinds, ", "); got != "worse 123.5, worse 114, worse +Inf" {
		t.Error(got)
	}
}

// A recovery is reported as starting from the last reported value, even if the level improved
// before the recovery.
func TestRecoveryBeginsWithWhatWasTold(t *testing.T) {
	step := steps.Step{From: 1.0, To: 1.6, Unresolved: true}
	step.Shift.Lo, step.Shift.Hi = 0.5, 0.7
	at := func(value float64, unresolved ...steps.Step) []history.Standing {
		return []history.Standing{{Target: "t", BenchmarkID: record.BenchmarkID{Name: "X"}, Tidied: "sec/op", Threshold: 0.05, Unresolved: unresolved, Value: value, Enough: true}}
	}
	var told []string
	var known []Step
	for _, now := range [][]history.Standing{at(1.598, step), at(1.307, step), at(1.2, step), at(0.998)} {
		events, next := Differences(known, now)
		for _, e := range events {
			told = append(told, fmt.Sprintf("%s %v to %v", e.Kind, e.From, e.To))
		}
		known = next
	}
	if got, want := strings.Join(told, ", "), "new 1 to 1.598, recovered 1.598 to 0.998"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
