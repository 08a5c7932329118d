package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
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
	t.clearStatus()
	t.say(text)
}

// say prints a message for people. It may quote a program's output: neither
// its escape sequences nor commands to a CI runner may come through.
func (t *terminal) say(text string) {
	fmt.Fprintln(t.stderr, reports.Message("perftrack: "+text))
}

// progress draws the status line, on a terminal only.
func (t *terminal) progress(p runner.Progress) {
	if t.quiet || !isTerminal(t.stderr) || os.Getenv("TERM") == "dumb" {
		return
	}
	if p.Stage == "build" { // each target's own time counts
		t.started = time.Time{}
	} else if t.started.IsZero() {
		t.started = time.Now()
	}
	t.drawStatus(progressLine(p, time.Since(t.started)))
}

// progressLine is the status line for p, elapsed into measuring.
func progressLine(p runner.Progress, elapsed time.Duration) string {
	if p.Stage == "build" {
		return "building " + p.What
	}
	round := fmt.Sprintf("round %d/%d", p.Round, p.Rounds)
	if p.Round == 0 {
		round = "warm-up"
	}
	if p.Open < p.Slots {
		round += fmt.Sprintf(", %d of %d decided", p.Slots-p.Open, p.Slots)
	}
	if p.Stage == "profile" {
		round = fmt.Sprintf("profile %d/%d", p.Round, p.Rounds)
	}
	if p.Stage == "link" {
		return round + ": linking " + p.What
	}
	eta := ""
	if p.Done > 0 && p.Total > p.Done {
		left := elapsed / time.Duration(p.Done) * time.Duration(p.Total-p.Done)
		eta = fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return fmt.Sprintf("%s, %d%%%s: %s", round, 100*p.Done/max(p.Total, 1), eta, p.What)
}

func (t *terminal) drawStatus(line string) {
	if w, _, err := term.GetSize(int(t.stderr.(*os.File).Fd())); err == nil && w > 1 && len(line) >= w {
		line = line[:w-1]
	}
	fmt.Fprintf(t.stderr, "\r%s\x1b[K", line)
	t.status = line
}

func (t *terminal) clearStatus() {
	if t.status != "" {
		fmt.Fprint(t.stderr, "\r\x1b[K")
		t.status = ""
	}
}

func (t *terminal) printErrorJSON(err error) {
	r := reports.Report{}.Failing(reports.Failure{Kind: kindOf(err), Message: err.Error()})
	if err := reports.JSON(t.stdout, r); err != nil {
		fmt.Fprintf(t.stderr, "perftrack: write error as JSON: %v\n", err)
	}
}
