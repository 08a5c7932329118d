package console

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
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/reports"
)

// The files contain the error of every failed command. A verdict already in them is not a failure.
func TestFailureOf(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{t.Context(), nil, ""},
		{t.Context(), GateError{Code: ExitRegression}, ""},
		{t.Context(), GateError{Code: ExitInconclusive}, "strict: something is inconclusive, suspect, failed or missing, which --strict does not allow"},
		{t.Context(), fault.Budget(errors.New("too small")), "budget: too small"},
		{t.Context(), &helptext.Error{Err: errors.New("no"), Command: "perftrack"}, "usage: no (see `perftrack --help`)"},
		{t.Context(), errors.New("disk full"), "io: disk full"},
		{t.Context(), fmt.Errorf("measure: %w", context.Canceled), "interrupted: interrupted"},
		{stopped, errors.New("signal: killed"), "interrupted: interrupted\nsignal: killed"},
	} {
		got := ""
		if f := FailureOf(tt.ctx, tt.err); f != nil {
			got = f.Kind + ": " + f.Message
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

// If the gate failed, the files for CI systems do not show a success, whatever the report lists.
func TestGateIsNoSuccess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xml")
	files, err := outputs.Parse([]string{"junit=" + path}, outputs.Formats, nil)
	if err != nil {
		t.Fatal(err)
	}
	for state, want := range map[reports.State]string{reports.Passed: `errors="1"`, reports.Suspected: `errors="1"`, reports.Regressed: `errors="0"`, reports.Beyond: `errors="0"`} {
		term := &Console{Stderr: io.Discard, Files: files}
		of := []reports.Outcome{{State: state}}
		term.Results = append(term.Results, Always(reports.Report{Outcomes: func() []reports.Outcome { return of }}))
		if err := term.WriteFiles(t.Context(), GateError{Code: ExitRegression}); !errors.Is(err, GateError{Code: ExitRegression}) {
			t.Error(err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", state, err, text)
		}
	}
}

// If a verdict cannot be written to a file, the command fails, whatever the verdict is.
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
	term := &Console{Stderr: &stderr, Files: files, Command: "perftrack check"}
	err = term.WriteFiles(t.Context(), GateError{Code: ExitRegression})
	if code := term.Exit(t.Context(), err); code != ExitError || !strings.Contains(stderr.String(), "write junit to ") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "a.json")); err != nil {
		t.Error(err) // the other file is still written
	}
}

// If one file cannot be written, no other file shows a success.
func TestNoSuccessBesideAFileThatIsLost(t *testing.T) {
	for _, ended := range []error{nil, GateError{Code: ExitRegression}} {
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
		term := &Console{Stderr: &stderr, Files: files, Command: "perftrack check"}
		term.Results = append(term.Results, Always(reports.Report{Outcomes: func() []reports.Outcome { return []reports.Outcome{{State: reports.Passed}} }}))
		err = term.WriteFiles(t.Context(), ended)
		if code := term.Exit(t.Context(), err); code != ExitError {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `errors="1"`) || !strings.Contains(string(text), "write json to ") {
			t.Errorf("%v: %v\n%s", ended, err, text)
		}
	}
}
