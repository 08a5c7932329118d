package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pager"
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

	mu      sync.Mutex                // guards what follows, and stderr while something is under way
	ticks   bool                      // what is under way is to be shown again and again
	going   func(at time.Time) string // the line of what is under way, nil for nothing
	since   time.Time                 // when that began
	long    bool                      // it has no rounds, and is to be said once where it takes long
	status  string                    // the status line that is on the screen
	started time.Time                 // of measuring the target; zero while it is built
	told    time.Time                 // when a plain line last said how far it is, or there first was something to say
	reads   time.Time                 // when reading what is stored began
	drawn   time.Time                 // when it last drew a status line
	grouped bool                      // plain lines are in a group of the log of GitHub Actions
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
	return isTerminal(t.stdout) && !dumb(os.Getenv("TERM"))
}

// dumb reports whether a terminal can only print lines. Outside of Windows one that is not
// named is taken for such, as git takes it.
func dumb(term string) bool {
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the terminal's width, 0 where there is none.
func (t *terminal) width() int { return widthOf(t.stdout) }

func widthOf(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// style is how pages and helps are written: no wider than a line that is read easily.
func (t *terminal) style() manual.Style {
	const least, usual, most = 60, 80, 100
	s := manual.Style{Width: usual, Bold: t.colored()}
	if w := t.width(); w > 0 {
		s.Width = min(max(w, least), most)
	}
	return s
}

// page prints a text, on a terminal by the pager of the user.
func (t *terminal) page(ctx context.Context, text string) error {
	if stdout, program := t.pager(ctx); program != "" && pager.Show(ctx, program, []byte(text), stdout, os.Stderr, os.Environ()) {
		return nil
	}
	_, err := io.WriteString(t.stdout, text)
	return err
}

// pager returns the terminal and the program that pages there, "" where nothing is paged.
func (t *terminal) pager(ctx context.Context) (stdout *os.File, program string) {
	stdout, isFile := t.stdout.(*os.File)
	if !isFile || !isTerminal(t.stdout) || dumb(os.Getenv("TERM")) {
		return nil, ""
	}
	return stdout, pager.Program(ctx, os.Getenv)
}

// notice prints a remark for people.
func (t *terminal) notice(text string) {
	if t.quiet {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipeStatus()
	t.say(text)
}

// say prints a message for people. It may quote a program's output: neither
// its escape sequences nor commands to a CI runner may come through.
func (t *terminal) say(text string) {
	fmt.Fprintln(t.stderr, reports.WrapMessage("perftrack: "+text, widthOf(t.stderr)))
}

func (t *terminal) printErrorJSON(err error) {
	r := reports.Report{}.Failing(reports.Failure{Kind: kindOf(err), Message: err.Error()})
	if err := reports.JSON(t.stdout, r); err != nil {
		fmt.Fprintf(t.stderr, "perftrack: write error as JSON: %v\n", err)
	}
}
