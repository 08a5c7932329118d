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

// announce says what is going to be done.
func (b *backfill) announce() {
	done := len(b.chosen) - b.planned
	text := fmt.Sprintf("%s: %s", b.line.name, reports.Plural(len(b.chosen), "commit"))
	if len(b.chosen) < len(b.line.commits) {
		text += fmt.Sprintf(" of %d", len(b.line.commits))
	}
	switch {
	case b.planned == 0:
		done := "all are measured already"
		if res := b.result(); res.Count(Failed) > 0 {
			done = fmt.Sprintf("measured already %d, failed before %d", res.Count(Already), res.Count(Failed))
		}
		b.session.Noticef("%s, nothing to measure: %s, beside the anchor %s", text, done, b.anchorText())
		return
	case done > 0:
		text += fmt.Sprintf(", %d done already", done)
	}
	b.session.Noticef("%s: measuring %d beside the anchor %s, the newest first, then halving the gaps", text, b.planned, b.anchorText())
	for _, t := range b.targets {
		k := b.known[t.Name]
		if len(k.sources) > 0 {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(k.others)) {
			b.session.Noticef("%s of %s measured here beside another anchor, %s: to go on with that, --anchor %[3]s",
				reports.Plural(k.others[other], "commit"), t.Name, record.ShortHash(other))
		}
	}
}

// anchorText names the anchor as the user did.
func (b *backfill) anchorText() string {
	short := record.ShortHash(b.anchor.SHA)
	if name := b.anchorName(); name != short && name != b.anchor.SHA {
		return name + " (" + short + ")"
	}
	return short
}

// report says what became of a commit, and how long the others may take.
func (b *backfill) report(s Step) {
	text := fmt.Sprintf("%d of %d: %s %s", b.visits, b.planned, record.ShortHash(s.Commit.SHA), reports.Day(s.Commit.Time))
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
	if left := b.left(b.visits); left >= time.Second {
		text += fmt.Sprintf("; about %v left", left.Round(time.Second))
	}
	b.session.Noticef("%s", text)
}

// left estimates how long the commits after so many take, from those before.
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

// progress puts in front of what is being done which commit it is of.
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
