package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/reports"
)

// However a command ends, its files say it; a verdict that they show is no failure.
func TestFailureOf(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{t.Context(), nil, ""},
		{t.Context(), gateError{exitRegression}, ""},
		{t.Context(), gateError{exitInconclusive}, "strict: something is inconclusive, suspect, failed or missing, and --strict asks for all"},
		{t.Context(), fault.Budget(errors.New("too small")), "budget: too small"},
		{t.Context(), &usageError{errors.New("no"), "perftrack"}, "usage: no (see `perftrack --help`)"},
		{t.Context(), errors.New("disk full"), "io: disk full"},
		{t.Context(), fmt.Errorf("measure: %w", context.Canceled), "interrupted: interrupted"},
		{stopped, errors.New("signal: killed"), "interrupted: interrupted\nsignal: killed"},
	} {
		got := ""
		if f := failureOf(tt.ctx, tt.err); f != nil {
			got = f.Kind + ": " + f.Message
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

// A gate that tripped is no success to a CI, whatever the report lists.
func TestGateIsNoSuccess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xml")
	files, err := outputs.Parse([]string{"junit=" + path}, outputs.Formats, nil)
	if err != nil {
		t.Fatal(err)
	}
	for state, want := range map[reports.State]string{reports.Passed: `errors="1"`, reports.Suspected: `errors="1"`, reports.Regressed: `errors="0"`, reports.Beyond: `errors="0"`} {
		term := &terminal{stderr: io.Discard, files: files}
		of := []reports.Outcome{{State: state}}
		term.results = append(term.results, always(reports.Report{Outcomes: func() []reports.Outcome { return of }}))
		if err := term.writeFiles(t.Context(), gateError{exitRegression}); !errors.Is(err, gateError{exitRegression}) {
			t.Error(err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", state, err, text)
		}
	}
}

// A verdict that could not be written is an error, whatever the verdict is.
func TestVerdictLost(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := outputs.Parse([]string{"junit=" + filepath.Join(folder, "a.xml"), "json=" + filepath.Join(dir, "a.json")}, outputs.Formats, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	term := &terminal{stderr: &stderr, files: files, command: "perftrack check"}
	err = term.writeFiles(t.Context(), gateError{exitRegression})
	if code := term.exit(t.Context(), err); code != exitError || !strings.Contains(stderr.String(), "write junit to ") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "a.json")); err != nil {
		t.Error(err) // one that can be written is
	}
}

// Where one file cannot be written, no other one shows a success.
func TestNoSuccessBesideAFileThatIsLost(t *testing.T) {
	for _, ended := range []error{nil, gateError{exitRegression}} {
		dir := t.TempDir()
		folder, path := filepath.Join(dir, "folder"), filepath.Join(dir, "a.xml")
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		files, err := outputs.Parse([]string{"junit=" + path, "json=" + filepath.Join(folder, "a.json")}, outputs.Formats, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(folder); err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		term := &terminal{stderr: &stderr, files: files, command: "perftrack check"}
		term.results = append(term.results, always(reports.Report{Outcomes: func() []reports.Outcome { return []reports.Outcome{{State: reports.Passed}} }}))
		err = term.writeFiles(t.Context(), ended)
		if code := term.exit(t.Context(), err); code != exitError {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `errors="1"`) || !strings.Contains(string(text), "write json to ") {
			t.Errorf("%v: %v\n%s", ended, err, text)
		}
	}
}
