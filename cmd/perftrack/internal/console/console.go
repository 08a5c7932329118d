// Package console prints results and progress, and turns errors into exit codes. Reports go to
// stdout and to files, messages to stderr. Start with console.go.
package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"golang.org/x/term"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pager"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Console holds the three standard streams and their properties. Data goes to stdout, and
// messages for the user go to stderr.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Color          string // auto, always or never
	JSON           bool   // the output is JSON, so errors are printed as JSON, too
	Quiet          bool
	printed        bool                  // a report is on stdout, so no JSON error may follow it
	Damaged        func() error          // returns an error about damaged runs left out; nil before there is a session
	Finish         func(context.Context) // called when the command has not failed; nil before there is a session

	Now     func() time.Time // the clock; nil means time.Now
	Command string           // command line without arguments
	Files   []outputs.File   // files of --output
	Results []func(format string) reports.Report
	Places  func() func(target string, id record.BenchmarkID) reports.Place // returns a function that locates benchmarks; nil before there is a session

	Ticks    bool // start a ticker with the next activity
	progress progress
}

// colored reports whether to color stdout. The flag --color decides first, then NO_COLOR, then
// CLICOLOR_FORCE, then whether stdout is a terminal.
func (t *Console) colored() bool {
	switch {
	case t.Color == "always":
		return true
	case t.Color == "never", os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return IsTerminal(t.Stdout) && !dumb(os.Getenv("TERM"))
}

// dumb reports whether term, the value of TERM, describes a terminal that can only print lines.
// Like git, it assumes so if TERM is empty, except on Windows.
func dumb(term string) bool {
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
}

// IsTerminal reports whether w is a file connected to a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the width of the terminal, or 0 if stdout is not a terminal.
func (t *Console) width() int { return widthOf(t.Stdout) }

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

// Style returns the text style for documentation pages and help. Its width is limited, because very
// long lines are hard to read.
func (t *Console) Style() manual.Style {
	const least, usual, most = 60, 80, 100
	s := manual.Style{Width: usual, Bold: t.colored()}
	if w := t.width(); w > 0 {
		s.Width = min(max(w, least), most)
	}
	return s
}

// Page prints text. On a terminal, it uses the user's pager.
func (t *Console) Page(ctx context.Context, text string) error {
	if stdout, program := t.pager(ctx); program != "" && pager.Show(ctx, program, []byte(text), stdout, os.Stderr, os.Environ()) {
		return nil
	}
	_, err := io.WriteString(t.Stdout, text)
	return err
}

// pager returns the terminal and the pager program. The program is "" if the output must not be
// paged.
func (t *Console) pager(ctx context.Context) (stdout *os.File, program string) {
	stdout, isFile := t.Stdout.(*os.File)
	if !isFile || !IsTerminal(t.Stdout) || dumb(os.Getenv("TERM")) {
		return nil, ""
	}
	return stdout, pager.Program(ctx, os.Getenv)
}

// Notice prints a remark to stderr, unless Quiet is set.
func (t *Console) Notice(text string) {
	if t.Quiet {
		return
	}
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	t.wipeStatus()
	t.Say(text)
}

// Say prints a message to stderr. The message may quote a program's output, so Say neutralizes
// escape sequences and commands to a CI runner.
func (t *Console) Say(text string) {
	fmt.Fprintln(t.Stderr, reports.WrapMessage("perftrack: "+text, widthOf(t.Stderr)))
}

func (t *Console) printErrorJSON(err error) {
	r := reports.Report{}.Failing(reports.Failure{Kind: kindOf(err), Message: err.Error()})
	if err := reports.JSON(t.Stdout, r); err != nil {
		fmt.Fprintf(t.Stderr, "perftrack: write error as JSON: %v\n", err)
	}
}

func (t *Console) now() time.Time {
	if t.Now == nil {
		return time.Now()
	}
	return t.Now()
}
