package backfill

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// announce prints the plan before measuring.
func (b *backfill) announce() {
	done := len(b.chosen) - b.planned
	text := fmt.Sprintf("%s: %s", b.line.name, reports.Plural(len(b.chosen), "commit"))
	if len(b.chosen) < len(b.line.commits) {
		text += fmt.Sprintf(" of %d", len(b.line.commits))
	}
	switch {
	case b.planned == 0:
		done := "all are already measured"
		if res := b.result(); res.Count(Failed) > 0 {
			done = fmt.Sprintf("%d already measured, %d failed earlier", res.Count(Already), res.Count(Failed))
		}
		b.session.Noticef("%s, nothing to measure: %s, together with the anchor %s", text, done, b.anchorText())
		return
	case done > 0:
		text += fmt.Sprintf(", %d already done", done)
	}
	b.session.Noticef("%s: measuring %d together with the anchor %s, the newest first, then halving the gaps", text, b.planned, b.anchorText())
	for _, t := range b.targets {
		k := b.known[t.Name]
		if len(k.sources) > 0 {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(k.others)) {
			b.session.Noticef("%s of %s were measured here with another anchor, %s: to continue with it, use --anchor %[3]s",
				reports.Plural(k.others[other], "commit"), t.Name, record.ShortHash(other))
		}
	}
}

// anchorText returns the anchor's name as the user gave it, along with the anchor's hash.
func (b *backfill) anchorText() string {
	short := record.ShortHash(b.anchor.SHA)
	if name := b.anchorName(); name != short && name != b.anchor.SHA {
		return name + " (" + short + ")"
	}
	return short
}

// report prints the outcome for a commit, the n-th, and an estimate of the time left.
func (b *backfill) report(s Step, n int) {
	text := fmt.Sprintf("%d of %d: %s %s", n, b.planned, record.ShortHash(s.Commit.SHA), reports.Day(s.Commit.Time))
	if len(b.targets) > 1 {
		text += " " + s.Target
	}
	text += ": " + string(s.State)
	if s.State == Measured {
		text += fmt.Sprintf(" in %v", s.Took.Round(time.Second/10))
	}
	if s.Detail != "" && s.State == CarriedOver {
		text += " from " + s.Detail
	} else if s.Detail != "" {
		text += ", " + s.Detail
	}
	if left := b.left(n); left >= time.Second {
		text += fmt.Sprintf("; about %v left", left.Round(time.Second))
	}
	b.session.Noticef("%s", text)
}

// left estimates the time left after done commits, from their average duration.
func (b *backfill) left(done int) time.Duration {
	spent := b.session.Now().Sub(b.began)
	if done == 0 {
		return 0
	}
	left := spent / time.Duration(done) * time.Duration(b.planned-done)
	if b.opt.Budget > 0 {
		left = min(left, b.opt.Budget-spent)
	}
	return left
}

// progress reports a measurement's progress, prefixed with the commit's number and the time left.
func (b *backfill) progress(p runner.Progress) {
	if b.session.Progress == nil {
		return
	}
	where := fmt.Sprintf("commit %d of %d", b.visits, b.planned)
	if left := b.left(b.visits - 1); left >= time.Second {
		where += fmt.Sprintf(", in all about %v left", left.Round(time.Second))
	}
	p.What = where + ": " + p.What
	b.session.Progress(p)
}
