//go:build linux

package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func startScript(t *testing.T, script string) *child {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perftrack")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := startChild(command{Path: path, Args: []string{"rounds"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAsk(t *testing.T) {
	for script, want := range map[string]string{
		`read x; echo '{"first":1,"last":2,"text":"a"}'`: "",
		`read x; echo no`:              "read the answer",
		`read x; echo why >&2; exit 3`: "ended without an answer: exit status 3: why",
		`read x; kill -9 $$`:           "ended without an answer: signal: killed",
		`exit 0`:                       "ended without an answer: exit status 0",
		`read x; exec >&-; sleep 1000`: "ended without an answer: signal: killed",
	} {
		c := startScript(t, script)
		a, err := c.ask(t.Context(), request{First: 1, Last: 2})
		switch {
		case want == "" && (err != nil || a.Last != 2 || a.Text != "a"):
			t.Errorf("%s: %+v, %v", script, a, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", script, err, want)
		}
		c.stop()
	}
}

// A child can be stopped whether it answers, waits, or ignores the end of its input.
func TestStop(t *testing.T) {
	for _, script := range []string{
		`read x; echo '{"first":1,"last":2}'; read y`,
		`read x; sleep 1000`,
		`read x; sleep 1000 & sleep 1000`,
		`trap "" TERM INT HUP; while true; do sleep 1; done`,
	} {
		c := startScript(t, script)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.ask(ctx, request{First: 1, Last: 2}); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", script, err)
		}
		c.stop()
		if c.alive() {
			t.Errorf("%s: the child is alive", script)
		}
	}
}
