package notify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/runner/record"
)

// nights holds the runs on a branch with 40 benchmarks in two packages, one run each night at three
// o'clock.
type nights struct {
	measured []history.MeasuredIn
	failed   []record.RunInfo
	place    map[string]int
}

func newNights() *nights {
	n := &nights{place: map[string]int{}}
	for i := range 40 {
		id := record.BenchmarkID{Kind: record.Bench, Package: fmt.Sprint("m/", "ab"[i/20:i/20+1]), Name: fmt.Sprint("B", i)}
		n.measured = append(n.measured, history.MeasuredIn{Target: "t", BenchmarkID: id})
	}
	return n
}

func night(day int) time.Time { return time.Date(2026, 1, day, 3, 0, 0, 0, time.UTC) }

// measure adds a night with the given failures and without the given benchmarks or packages.
func (n *nights) measure(day int, failures []record.Failure, without ...string) {
	r := record.RunInfo{ID: fmt.Sprint("r", day), EnvironmentID: "e", Benchmarks: 40 - len(without)}
	r.Target, r.Status, r.Commit.SHA = "t", record.Complete, fmt.Sprintf("%02d%038x", day, 0)
	r.Start, r.End = night(day), night(day)
	n.place[r.Commit.SHA] = day
	if failures != nil {
		f := r
		f.ID, f.Status, f.Failures, f.Benchmarks = r.ID+"f", record.Failed, failures, 0
		n.failed = append(n.failed, f)
	}
	for i := range n.measured {
		if m := &n.measured[i]; !slices.Contains(without, m.Name) && !slices.Contains(without, m.Package) {
			m.Runs = append(m.Runs, r)
		}
	}
}

func (n *nights) state(at time.Time) State {
	return State{Coverage: history.NewCoverage(n.measured, n.failed, n.place), At: at}
}

// A failure, a lost benchmark and a stopped target are reported once on each channel. They are
// reported again only if they were measured in between.
func TestAlarmsAreToldOnce(t *testing.T) {
	h := newHookServer(t)
	clone, _ := workTree(t)
	f := githubtest.New(t)
	n := newNights()
	var told []string
	tell := func(day int, at time.Time) {
		t.Helper()
		for i, c := range []channel{newIssue(t, f), newTestHook(t, h, clone), newIssue(t, f)} { // the issue's job is rerun
			said, err := Tell(t.Context(), c, n.state(at), one, false)
			if err != nil {
				t.Fatal(err)
			}
			f.Settle()
			if all := strings.Join(said, "; "); i == 0 && all != "" {
				told = append(told, fmt.Sprint(day, ": ", all))
			} else if i == 1 && all != "" && told[len(told)-1] != fmt.Sprint(day, ": ", all) || i == 2 && all != "" {
				t.Errorf("day %d: %s is told %s", day, c.name(), all)
			}
		}
	}
	panics := []record.Failure{{Benchmark: "m/a.B7", Reason: "panic: <!-- @all\nboom"}}
	unbuilt := []record.Failure{{Benchmark: "m/b", Reason: record.NotBuilt + "b.go:1: undefined: x"}}
	var packageB []string
	for _, m := range n.measured[20:] {
		packageB = append(packageB, m.Name)
	}
	for day := 1; day <= 60; day++ {
		switch {
		case day == 26 || day == 27 || day == 29:
			n.measure(day, panics, "B7")
		case day == 32 || day == 33:
			n.measure(day, unbuilt, packageB...)
		case day >= 36 && day < 50:
			n.measure(day, nil, "B9")
		case day >= 52 && day < 55: // no measurement
		default:
			n.measure(day, nil)
		}
		switch {
		case day == 52: // the reporting job runs, but nothing was measured
			tell(day, night(day+1).Add(time.Hour))
		case day >= 26 && day < 37 && day != 31 || day == 48 || day == 50 || day == 55:
			tell(day, night(day).Add(time.Hour))
		}
		if day == 29 && f.Issues[0].State != "open" {
			t.Error("the issue is closed while B7 fails again")
		}
	}
	want := []string{
		"26: t m/a.B7 fails at commit 260000000000: panic: <!-- @all boom",
		"28: t m/a.B7 is measured again",
		"29: t m/a.B7 fails at commit 290000000000: panic: <!-- @all boom",
		"30: t m/a.B7 is measured again",
		"32: t m/b fails at commit 320000000000: not built: b.go:1: undefined: x",
		"34: t m/b is measured again",
		"36: t m/a B9 has not been measured since commit 360000000000; the last commit that has it is 350000000000",
		"52: target t has not been measured for 2 days, since 2026-02-20 03:00 UTC at commit 510000000000, although gaps are usually at most 24 hours: see the measuring workflow's log",
		"55: target t is measured again",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if len(f.Issues) != 1 || f.Issues[0].State != "closed" {
		t.Errorf("%d issues, %+v", len(f.Issues), f.Issues)
	}
	if h.sent != len(want) {
		t.Errorf("%d letters to the webhook, want %d", h.sent, len(want))
	}
}

// Nothing is reported without enough evidence: for a short history, parts imported in turns,
// another machine, or a branch with newer commits in another job.
func TestTooLittleForAlarms(t *testing.T) {
	young := newNights()
	for day := 1; day <= 20; day++ {
		young.measure(day, nil)
	}
	parts := newNights()
	for day := 1; day <= 30; day++ {
		parts.measure(day, nil, []string{"m/a", "m/b"}[day%2])
	}
	machines := newNights()
	for day := 1; day <= 30; day++ {
		if day <= 25 {
			machines.measure(day, nil)
			continue
		}
		machines.measure(day, nil, "B3") // another machine, which has never measured B3
		for i := range machines.measured {
			if runs := machines.measured[i].Runs; machines.measured[i].Name != "B3" {
				runs[len(runs)-1].EnvironmentID = "other"
			}
		}
	}
	removed := newNights() // a target that never worked and was removed again
	for day := 1; day <= 30; day++ {
		removed.measure(day, nil)
	}
	removed.failed = append(removed.failed, removed.measured[0].Runs[9])
	gone := &removed.failed[0]
	gone.ID, gone.Target, gone.Status, gone.Benchmarks, gone.Failures = "x", "u", record.Failed, 0, []record.Failure{{Benchmark: "u", Reason: "exit status 3"}}
	ended := newNights()
	for day := 1; day <= 30; day++ {
		ended.measure(day, nil)
	}
	older := newNights()
	older.measure(1, []record.Failure{{Benchmark: "m/a.B7", Reason: "exit status 2"}}, "B7")
	behind := older.state(night(1))
	behind.Coverage.Behind = true
	if all := ended.state(night(80)).alarms(); len(all) != 1 || all[0].Kind != Stopped {
		t.Errorf("stopped: %v", all)
	}
	for name, now := range map[string]State{
		"young": young.state(night(60)), "parts": parts.state(night(31)), "machines": machines.state(night(31)), "older": behind, "removed": removed.state(night(31)), "ended": ended.state(night(95)), "nothing": newNights().state(night(1)),
	} {
		if events, next := alarmDifferences(nil, now); len(events)+len(next) != 0 {
			t.Errorf("%s: %v", name, events)
		}
	}
}
