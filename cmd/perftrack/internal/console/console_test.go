package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner"
)

func TestProgressLine(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		p       runner.Progress
		elapsed time.Duration
		want    string
	}{
		{runner.Progress{Stage: "measure", Round: 11, Rounds: 40, Done: 20, Total: 100, What: "Sort head", Open: 5, Slots: 29}, 10 * time.Second,
			"round 11/40, 24 of 29 decided, 20%, about 40s left: Sort head"},
		{runner.Progress{Stage: "build", What: "engine (base)"}, 0, "building engine (base)"},
		{runner.Progress{Stage: "measure", Rounds: 10, Total: 110, What: "X"}, 0, "warm-up: X"},
		{runner.Progress{Stage: "reach", What: "lib"}, 0, "finding the benchmarks in lib that reach changed code"},
		{runner.Progress{Stage: "measure", Round: 2, Rounds: 40, Done: 1, Total: 1000, What: "X", Look: 10, Until: at.Add(20 * time.Second)}, time.Minute,
			"round 2 of at least 10, about 20s of the budget left: X"},
		{runner.Progress{Stage: "measure", Round: 12, Rounds: 40, Done: 90, Total: 100, What: "X", Look: 10, Until: at.Add(time.Hour)}, 90 * time.Second,
			"round 12/40, about 10s left: X"},
		{runner.Progress{Stage: "measure", Rounds: 40, Total: 1000, What: "X", Look: 10, Until: at.Add(-time.Second)}, time.Minute, "warm-up, about 0s of the budget left: X"},
		{runner.Progress{Stage: "measure", Rounds: 10, Total: 11, What: "suite", Printed: 12}, 0, "warm-up: suite, 12 lines printed"},
		{runner.Progress{Stage: "measure", Rounds: 10, Total: 11, What: "suite", Printed: 12, Last: "Sort\x1b[31m"}, 0, "warm-up: suite, 12 lines printed, the last Sort [31m"},
		{runner.Progress{Stage: "link", Round: 2, Rounds: 10, What: "engine"}, 0, "round 2/10: linking engine"},
		{runner.Progress{Stage: "measure", Round: 5, Rounds: 10, Done: 50, Total: 100, What: "X"}, 10 * time.Second, "round 5/10, 50%, about 10s left: X"},
	} {
		if got := progressLine(tt.p, at, tt.elapsed); got != tt.want {
			t.Errorf("progressLine(%+v) = %q, want %q", tt.p, got, tt.want)
		}
	}
}

// If stderr is not a terminal, a progress line is printed after a few seconds and then every half
// minute, and each milestone is printed. In GitHub Actions, these lines form a group.
func TestPlainProgress(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := func() time.Time { return at }
	play := func(term *Console) {
		for i := range 14 { // ten seconds each
			term.Progress(runner.Progress{Stage: "measure", Round: i + 1, Rounds: 20, Done: i, Total: 20, What: "X\n::error::"})
			if at = at.Add(10 * time.Second); i == 9 {
				term.Milestone("10 rounds: 3 of 9 decided")
				term.Notice("kept")
			}
		}
		term.ClearStatus()
	}
	lines := `perftrack: round 2/20, 5%, about 3m10s left: X
∶:error::
perftrack: round 5/20, 20%, about 2m40s left: X
∶:error::
perftrack: round 8/20, 35%, about 2m10s left: X
∶:error::
perftrack: 10 rounds: 3 of 9 decided
perftrack: kept
perftrack: round 14/20, 65%, about 1m10s left: X
∶:error::
`
	for _, tt := range []struct {
		actions string
		quiet   bool
		want    string
	}{
		{"", false, lines},
		{"true", false, "::group::perftrack check: progress\n" + lines + "::endgroup::\n"},
		{"true", true, ""},
	} {
		t.Setenv("GITHUB_ACTIONS", tt.actions)
		var stderr bytes.Buffer
		play(&Console{Now: now, Stderr: &stderr, Quiet: tt.quiet, Command: "perftrack check"})
		if stderr.String() != tt.want {
			t.Errorf("GITHUB_ACTIONS=%q, quiet %v:\n%s\nwant\n%s", tt.actions, tt.quiet, stderr.String(), tt.want)
		}
	}
}

// Progress lines are printed even while a single process runs for minutes. They include its running
// time.
func TestProgressOfOneProcess(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := func() time.Time { return at }
	var stderr bytes.Buffer
	term := &Console{Now: now, Stderr: &stderr}
	term.tick() // before any activity
	term.Progress(runner.Progress{Stage: "measure", Rounds: 2, Total: 4, What: "X"})
	for range 70 {
		at = at.Add(time.Second)
		term.tick()
	}
	term.ClearStatus()
	at = at.Add(time.Hour)
	term.tick() // after the activity
	const want = "perftrack: warm-up: X\nperftrack: warm-up: X, for 35s\nperftrack: warm-up: X, for 1m5s\n"
	if stderr.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", stderr.String(), want)
	}
}

// Colors depend on the flag first, then on NO_COLOR, and then on CLICOLOR_FORCE. Without any of
// them, output to anything but a terminal has no colors.
func TestColored(t *testing.T) {
	for _, tt := range []struct {
		flag, no, force string
		want            bool
	}{
		{"auto", "", "", false}, {"auto", "", "1", true}, {"auto", "", "0", false}, {"auto", "1", "1", false},
		{"always", "1", "", true}, {"never", "", "1", false},
	} {
		t.Setenv("NO_COLOR", tt.no)
		t.Setenv("CLICOLOR_FORCE", tt.force)
		if got := (&Console{Color: tt.flag, Stdout: &bytes.Buffer{}}).colored(); got != tt.want {
			t.Errorf("--color %s, NO_COLOR=%q, CLICOLOR_FORCE=%q: %v", tt.flag, tt.no, tt.force, got)
		}
	}
}

// A terminal cannot interpret escape sequences if TERM is "dumb" or, except on Windows, empty.
func TestDumb(t *testing.T) {
	for term, want := range map[string]bool{"dumb": true, "": runtime.GOOS != "windows", "xterm-256color": false, "vt100": false} {
		if got := dumb(term); got != want {
			t.Errorf("TERM=%s: dumb is %v", term, got)
		}
	}
}

// The message about an interruption does not hide other errors.
func TestExitInterrupted(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{context.Canceled, "perftrack: interrupted\n"},
		{errors.Join(fmt.Errorf("measure: %w", context.Canceled), errors.New("open store x: disk full")), "perftrack: interrupted\nopen store x: disk full\n"},
	} {
		var stderr bytes.Buffer
		if code := (&Console{Stderr: &stderr}).Exit(t.Context(), tt.err); code != ExitInterrupted || stderr.String() != tt.want {
			t.Errorf("exit(%v) = %d, %q, want %q", tt.err, code, stderr.String(), tt.want)
		}
	}
}

// An activity without rounds is printed once if it takes a long time.
func TestStageIsSaid(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	defer func(after time.Duration) { stageAfter = after }(stageAfter)
	now := func() time.Time { return at }
	stageAfter = 2 * time.Second
	var stderr bytes.Buffer
	term := &Console{Now: now, Stderr: &stderr}
	term.Progress(runner.Progress{Stage: "build", What: "lib (base)"})
	at = at.Add(time.Second)
	term.tick()
	term.Progress(runner.Progress{Stage: "reach", What: "lib"})
	for range 5 {
		at = at.Add(time.Second)
		term.tick()
	}
	if got, want := stderr.String(), "perftrack: finding the benchmarks in lib that reach changed code\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
