package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner"
)

func TestProgressLine(t *testing.T) {
	for _, tt := range []struct {
		p       runner.Progress
		elapsed time.Duration
		want    string
	}{
		{runner.Progress{Stage: "measure", Round: 11, Rounds: 40, Done: 20, Total: 100, What: "Sort head", Open: 5, Slots: 29}, 10 * time.Second,
			"round 11/40, 24 of 29 decided, 20%, about 40s left: Sort head"},
		{runner.Progress{Stage: "build", What: "engine (base)"}, 0, "building engine (base)"},
		{runner.Progress{Stage: "measure", Rounds: 10, Total: 110, What: "X"}, 0, "warm-up, 0%: X"},
		{runner.Progress{Stage: "link", Round: 2, Rounds: 10, What: "engine"}, 0, "round 2/10: linking engine"},
		{runner.Progress{Stage: "measure", Round: 5, Rounds: 10, Done: 50, Total: 100, What: "X"}, 10 * time.Second, "round 5/10, 50%, about 10s left: X"},
	} {
		if got := progressLine(tt.p, tt.elapsed); got != tt.want {
			t.Errorf("progressLine(%+v) = %q, want %q", tt.p, got, tt.want)
		}
	}
}

// Colours follow the flag, then NO_COLOR, then CLICOLOR_FORCE; what is no
// terminal gets none.
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
		if got := (&terminal{color: tt.flag, stdout: &bytes.Buffer{}}).colored(); got != tt.want {
			t.Errorf("--color %s, NO_COLOR=%q, CLICOLOR_FORCE=%q: %v", tt.flag, tt.no, tt.force, got)
		}
	}
}

// An interruption hides nothing else that went wrong.
func TestExitInterrupted(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{context.Canceled, "perftrack: interrupted\n"},
		{errors.Join(fmt.Errorf("measure: %w", context.Canceled), errors.New("open store x: disk full")), "perftrack: interrupted\nopen store x: disk full\n"},
	} {
		var stderr bytes.Buffer
		if code := (&terminal{stderr: &stderr}).exit(t.Context(), tt.err); code != exitInterrupted || stderr.String() != tt.want {
			t.Errorf("exit(%v) = %d, %q, want %q", tt.err, code, stderr.String(), tt.want)
		}
	}
}
