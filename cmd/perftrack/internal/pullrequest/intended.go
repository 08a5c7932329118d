package pullrequest

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
)

// An intention reports whether a regression is intended, and why.
type intention func(*compare.Row) (reason string, ok bool)

// findIntended finds out which regressions are intended, by whom and how: those of a
// benchmark that a trailer of the head commit names, in a branch of the same repository;
// those that were shown when the label was set, which only who may triage can do; those
// that the base repository keeps a record of. The weakest that counts is the base
// branch's choice. Where the records cannot be read, the comparison says so.
func (c *job) findIntended(ctx context.Context, compared *compare.Comparison, weakest string) (intention, error) {
	intended := func(*compare.Row) (string, bool) { return "", false }
	if !hasOpenRegression(compared, intended) {
		return intended, nil // no need to ask what nobody needs to know
	}
	if !c.pull.FromFork() {
		message, author, err := c.github.CommitMessage(ctx, c.pull.Head.SHA)
		if err != nil {
			return nil, err
		}
		trailers := compare.Trailers(message)
		switch {
		case len(trailers) > 0 && weakest != config.AcceptTrailer:
			c.note("The trailer of the head commit does not count: perftrack.toml of %s has accept = %q.", c.pull.BaseName(), weakest)
		case len(trailers) > 0:
			intended = func(r *compare.Row) (string, bool) {
				reason, ok := compare.Intended(trailers, r.Name)
				return reason + " (trailer of the head commit, by " + author + ")", ok
			}
		}
	}
	if c.pull.HasLabel(acceptLabel) && hasOpenRegression(compared, intended) {
		var err error
		if intended, err = c.acceptByLabel(ctx, compared, intended, weakest); err != nil {
			return nil, err
		}
	}
	if !hasOpenRegression(compared, intended) {
		return intended, nil
	}
	records, earlier, err := readAcceptances(ctx, c.github, c.pull)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		c.session.Noticef("accepted changes: %s", fault.FirstLine(err))
		comparison.NoteUnreadAcceptances(compared, err)
	}
	recorded, err := c.acceptByRecord(ctx, compared, records)
	if err != nil {
		return nil, err
	}
	either := func(r *compare.Row) (string, bool) {
		if reason, ok := intended(r); ok {
			return reason, ok
		}
		return recorded(r)
	}
	c.noteEarlier(compared, either, earlier)
	return either, nil
}

// hasOpenRegression reports whether there is a regression that is not intended.
func hasOpenRegression(comparison *compare.Comparison, intended intention) bool {
	for r := range comparison.Rows() {
		if _, ok := intended(r); r.Verdict == compare.Regressed && !ok {
			return true
		}
	}
	return false
}
