package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A terminal is the three streams and what they can do. stdout is data, stderr
// is people.
type terminal struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	color          string // auto, always, never
	json           bool   // the command's output is JSON, so its errors are too
	quiet          bool
	printed        bool         // a report is on stdout: no second document may follow
	damaged        func() error // what was left out of it, nil before there is a session

	command string         // that was typed
	files   []outputs.File // of --output
	results []func(format string) reports.Report
	places  func() func(target string, id record.BenchmarkID) reports.Place // of benchmarks; nil before there is a session

	status  string    // the status line that is on the screen
	started time.Time // of measuring the target; zero while it is built
	told    time.Time // when a plain line last said how far it is, or there first was something to say
	grouped bool      // plain lines are in a group of the log of GitHub Actions
}

// colored reports whether stdout gets colours: the flag, then NO_COLOR, then
// CLICOLOR_FORCE, then whether it is a terminal.
func (t *terminal) colored() bool {
	switch {
	case t.color == "always":
		return true
	case t.color == "never", os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return isTerminal(t.stdout) && os.Getenv("TERM") != "dumb"
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the terminal's width, 0 where there is none.
func (t *terminal) width() int {
	f, ok := t.stdout.(*os.File)
	if !ok {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// notice prints a remark for people.
func (t *terminal) notice(text string) {
	if t.quiet {
		return
	}
	t.wipeStatus()
	t.say(text)
}

// say prints a message for people. It may quote a program's output: neither
// its escape sequences nor commands to a CI runner may come through.
func (t *terminal) say(text string) {
	fmt.Fprintln(t.stderr, reports.Message("perftrack: "+text))
}

func (t *terminal) printErrorJSON(err error) {
	r := reports.Report{}.Failing(reports.Failure{Kind: kindOf(err), Message: err.Error()})
	if err := reports.JSON(t.stdout, r); err != nil {
		fmt.Fprintf(t.stderr, "perftrack: write error as JSON: %v\n", err)
	}
}
