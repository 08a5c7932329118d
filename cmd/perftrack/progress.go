package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
)

// progressEvery is how often a plain line says how far a measurement is, where no status line can.
var progressEvery = 30 * time.Second

// firstAfter is when the first of these lines comes: what is quicker is over before anybody asks.
var firstAfter = 5 * time.Second

// tickEvery is how often the status line says how long a process has been running.
const tickEvery = time.Second

// stageAfter is how long something has to take that has no rounds, such as a build, before a plain
// line says what it is.
var stageAfter = 2 * time.Second

// longProcess is from when on it is said how long a process has been running.
const longProcess = 10 * time.Second

// progress draws the status line on a terminal; elsewhere it now and then prints a line.
func (t *terminal) progress(p runner.Progress) {
	at := now()
	t.mu.Lock()
	defer t.mu.Unlock()
	building := p.Stage == "build" || p.Stage == "reach"
	if building { // each target's own time counts
		t.started = time.Time{}
	} else if t.started.IsZero() {
		t.started = at
	}
	started := cmp.Or(t.started, at)
	t.under(func(at time.Time) string { return progressLine(p, at, at.Sub(started)) })
	t.long = building
}

// under shows what is under way from now on, until something else is or clearStatus ends it. It is
// called with the lock held.
func (t *terminal) under(line func(at time.Time) string) {
	if t.quiet {
		return
	}
	t.going, t.since = line, now()
	t.show(t.since)
	if t.ticks {
		t.ticks = false
		go func() {
			for range time.Tick(tickEvery) {
				t.tick()
			}
		}()
	}
}

// tick shows again what is under way: one process may run for minutes.
func (t *terminal) tick() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.going != nil {
		t.show(now())
	}
}

// show says what is under way, and for how long if that is long.
func (t *terminal) show(at time.Time) {
	line := t.going(at)
	took := at.Sub(t.since)
	if took >= longProcess {
		line += fmt.Sprintf(", for %v", took.Round(time.Second))
	}
	switch {
	case t.drawsStatus():
		t.drawStatus(line)
	case t.long && took >= stageAfter:
		t.long = false
		t.tell(line)
	case t.told.IsZero():
		t.told = at.Add(firstAfter - progressEvery)
	case at.Sub(t.told) >= progressEvery:
		t.tell(line)
	}
}

// readingAfter is how long reading may take before anything is said of it.
const readingAfter = 2 * time.Second

// reading shows how far the reading of what is stored is, where that takes long.
func (t *terminal) reading(doing string, done, of int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := now()
	if t.reads.IsZero() {
		t.reads, t.told = at, at
	}
	if t.quiet || at.Sub(t.reads) < readingAfter {
		return
	}
	line := fmt.Sprintf("%s: %d of %d", doing, done, of)
	switch {
	case !t.drawsStatus():
		if at.Sub(t.told) >= progressEvery {
			t.tell(line)
		}
	case at.Sub(t.drawn) >= time.Second/10:
		t.drawn = at
		t.drawStatus(line)
	}
}

// milestone prints where a measurement stands, where no status line shows it all the time.
func (t *terminal) milestone(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.quiet && !t.drawsStatus() {
		t.tell(text)
	}
}

// tell prints a plain line of progress, in GitHub Actions into a group that is folded in the log.
func (t *terminal) tell(line string) {
	t.told = now()
	if !t.grouped && os.Getenv("GITHUB_ACTIONS") == "true" {
		t.grouped = true
		fmt.Fprintf(t.stderr, "::group::%s: progress\n", t.command)
	}
	t.say(line)
}

// drawsStatus reports whether stderr is a terminal that can draw a line anew.
func (t *terminal) drawsStatus() bool {
	return isTerminal(t.stderr) && !dumb(os.Getenv("TERM"))
}

// progressLine is the status line for p at a time, elapsed into measuring. Where a budget ends it,
// rounds are counted: nobody knows how many there will be.
func progressLine(p runner.Progress, at time.Time, elapsed time.Duration) string {
	switch p.Stage {
	case "build":
		return "building " + p.What
	case "reach":
		return "finding out which benchmarks of " + p.What + " reach changed code"
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
	return round + ": " + p.What
}

func (t *terminal) drawStatus(line string) {
	width := math.MaxInt
	if w := widthOf(t.stderr); w > 1 {
		width = w - 1
	}
	line = reports.Fit(line, width)
	fmt.Fprintf(t.stderr, "\r%s%s", line, over(t.status, reports.Columns(line)))
	t.status = line
}

// clearStatus ends what shows progress.
func (t *terminal) clearStatus() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.going = nil
	t.wipeStatus()
	if t.grouped {
		t.grouped = false
		fmt.Fprintln(t.stderr, "::endgroup::")
	}
}

func (t *terminal) wipeStatus() {
	if t.status != "" {
		fmt.Fprintf(t.stderr, "\r%s\r", over(t.status, 0))
		t.status = ""
	}
}

// over are the blanks that hide what stands of a line behind its first columns, as not every
// terminal knows escape sequences.
func over(line string, columns int) string {
	return strings.Repeat(" ", max(0, reports.Columns(line)-columns))
}
