package console

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
)

// progressEvery is the interval between progress lines if there is no status line.
var progressEvery = 30 * time.Second

// firstAfter is the time before the first progress line.
var firstAfter = 5 * time.Second

// WithoutProgress turns off progress lines, so tests get the same output on every machine.
func WithoutProgress() { firstAfter, progressEvery, stageAfter = never, never, never }

const never = 24 * time.Hour

// tickEvery is how often the status line updates the running time of a process.
const tickEvery = time.Second

// stageAfter is the time before the first line about work without rounds, such as a build.
var stageAfter = 2 * time.Second

// longProcess is how long a process must have been running for its running time to be shown.
const longProcess = 10 * time.Second

// progress holds the current activity and the lines printed about it. Its mutex also guards stderr
// during an activity.
type progress struct {
	mu      sync.Mutex
	going   func(at time.Time) string // returns the line of the current activity, or nil
	since   time.Time                 // start of the activity
	long    bool                      // the activity has no rounds: print it once if it takes long
	status  string                    // the status line on the screen
	started time.Time                 // when measuring the target began; zero while it is being built
	told    time.Time                 // time of the last progress line, or of the first activity
	reads   time.Time                 // when reading began
	drawn   time.Time                 // when Reading last drew a status line
	grouped bool                      // progress lines are inside a group of a GitHub Actions log
}

// Progress shows p, in the status line on a terminal and in an occasional progress line elsewhere.
func (t *Console) Progress(p runner.Progress) {
	at := t.now()
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	building := p.Stage == "build" || p.Stage == "reach"
	if building { // each target has its own start time
		t.progress.started = time.Time{}
	} else if t.progress.started.IsZero() {
		t.progress.started = at
	}
	started := cmp.Or(t.progress.started, at)
	since := t.progress.since
	t.under(func(at time.Time) string { return progressLine(p, at, at.Sub(started)) })
	if p.Printed > 0 { // the process is still the same
		t.progress.since = since
	}
	t.progress.long = building
}

// under sets the current activity, until the next call of under or ClearStatus. The caller must
// hold t.progress.mu.
func (t *Console) under(line func(at time.Time) string) {
	if t.Quiet {
		return
	}
	t.progress.going, t.progress.since = line, t.now()
	t.show(t.progress.since)
	if t.Ticks {
		t.Ticks = false
		go func() {
			for range time.Tick(tickEvery) {
				t.tick()
			}
		}()
	}
}

// tick refreshes the line of the current activity, because a single process may run for minutes.
func (t *Console) tick() {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	if t.progress.going != nil {
		t.show(t.now())
	}
}

// show prints the current activity, with its duration if it has already taken a long time.
func (t *Console) show(at time.Time) {
	line := t.progress.going(at)
	took := at.Sub(t.progress.since)
	if took >= longProcess {
		line += fmt.Sprintf(", for %v", took.Round(time.Second))
	}
	switch {
	case t.DrawsStatus():
		t.DrawStatus(line)
	case t.progress.long && took >= stageAfter:
		t.progress.long = false
		t.tell(line)
	case t.progress.told.IsZero():
		t.progress.told = at.Add(firstAfter - progressEvery)
	case at.Sub(t.progress.told) >= progressEvery:
		t.tell(line)
	}
}

// readingAfter is how long reading must have taken before its progress is shown.
const readingAfter = 2 * time.Second

// Reading shows the progress of reading stored runs if reading takes a long time.
func (t *Console) Reading(doing string, done, of int) {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	at := t.now()
	if t.progress.reads.IsZero() {
		t.progress.reads, t.progress.told = at, at
	}
	if t.Quiet || at.Sub(t.progress.reads) < readingAfter {
		return
	}
	line := fmt.Sprintf("%s: %d of %d", doing, done, of)
	switch {
	case !t.DrawsStatus():
		if at.Sub(t.progress.told) >= progressEvery {
			t.tell(line)
		}
	case at.Sub(t.progress.drawn) >= time.Second/10:
		t.progress.drawn = at
		t.DrawStatus(line)
	}
}

// Milestone prints an intermediate result if there is no status line.
func (t *Console) Milestone(text string) {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	if !t.Quiet && !t.DrawsStatus() {
		t.tell(text)
	}
}

// tell prints a progress line. On GitHub Actions, it first opens a group, so progress lines can be
// folded in the log.
func (t *Console) tell(line string) {
	t.progress.told = t.now()
	if !t.progress.grouped && os.Getenv("GITHUB_ACTIONS") == "true" {
		t.progress.grouped = true
		fmt.Fprintf(t.Stderr, "::group::%s: progress\n", t.Command)
	}
	t.Say(line)
}

// DrawsStatus reports whether stderr is a terminal that can redraw a line.
func (t *Console) DrawsStatus() bool {
	return IsTerminal(t.Stderr) && !dumb(os.Getenv("TERM"))
}

// progressLine returns the status line for p, where elapsed is the time since measurement of the
// target began. If the number of rounds depends on the results, it omits the percentage.
func progressLine(p runner.Progress, at time.Time, elapsed time.Duration) string {
	switch p.Stage {
	case "build":
		return "building " + p.What
	case "reach":
		return "finding the benchmarks in " + p.What + " that reach changed code"
	}
	round := fmt.Sprintf("round %d/%d", p.Round, p.Rounds)
	switch {
	case p.Stage == "profile":
		round = fmt.Sprintf("profile %d/%d", p.Round, p.Rounds)
	case p.Round == 0:
		round = "warm-up"
	case p.Round < p.Look:
		round = fmt.Sprintf("round %d of at least %d", p.Round, p.Look)
	}
	if p.Open < p.Slots {
		round += fmt.Sprintf(", %d of %d decided", p.Slots-p.Open, p.Slots)
	}
	if p.Stage == "link" {
		return round + ": linking " + p.What
	}
	if done := 100 * p.Done / max(p.Total, 1); done > 0 && p.Look == 0 {
		round += fmt.Sprintf(", %d%%", done)
	}
	left := time.Duration(0)
	if p.Done > 0 && p.Total > p.Done {
		left = elapsed / time.Duration(p.Done) * time.Duration(p.Total-p.Done)
	}
	budget := max(0, p.Until.Sub(at))
	switch {
	case !p.Until.IsZero() && (left == 0 || left > budget):
		round += fmt.Sprintf(", about %v of the budget left", budget.Round(time.Second))
	case left > 0:
		round += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return round + ": " + p.What + printed(p)
}

// printed describes the output of the running process. Its last line is untrusted text, and empty if
// it tells nothing.
func printed(p runner.Progress) string {
	count := fmt.Sprintf(", %s printed", reports.Plural(p.Printed, "line"))
	switch {
	case p.Printed == 0:
		return ""
	case p.Last == "":
		return count
	}
	last := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, p.Last)
	return count + ", the last " + last
}

func (t *Console) DrawStatus(line string) {
	width := math.MaxInt
	if w := widthOf(t.Stderr); w > 1 {
		width = w - 1
	}
	line = reports.Fit(line, width)
	fmt.Fprintf(t.Stderr, "\r%s%s", line, over(t.progress.status, reports.Columns(line)))
	t.progress.status = line
}

// ClearStatus ends the current activity.
func (t *Console) ClearStatus() {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	t.progress.going = nil
	t.wipeStatus()
	if t.progress.grouped {
		t.progress.grouped = false
		fmt.Fprintln(t.Stderr, "::endgroup::")
	}
}

func (t *Console) wipeStatus() {
	if t.progress.status != "" {
		fmt.Fprintf(t.Stderr, "\r%s\r", over(t.progress.status, 0))
		t.progress.status = ""
	}
}

// over returns spaces to erase line after the given number of columns. Unlike escape sequences,
// spaces work on every terminal.
func over(line string, columns int) string {
	return strings.Repeat(" ", max(0, reports.Columns(line)-columns))
}

// Activity sets the line of the current activity. Without a status line, the line is printed
// immediately if announce is set, or after a while if long is set.
func (t *Console) Activity(line string, announce, long bool) {
	t.progress.mu.Lock()
	defer t.progress.mu.Unlock()
	if announce && !t.Quiet && !t.DrawsStatus() {
		t.tell(line)
	}
	t.progress.long = long
	t.under(func(time.Time) string { return line })
}
