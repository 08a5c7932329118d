package pullrequest

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/runner/config"
)

// An intention returns the reason why a row's regression is intended, if it is.
type intention func(*compare.Row) (reason string, ok bool)

// findIntended returns a function that reports which regressions are intended. They can be accepted
// in three ways. A trailer of the head commit accepts the benchmarks named in it, but not in a pull
// request from a fork. The label, which requires triage access, accepts the regressions shown when
// it was set. A record in the base repository accepts its benchmarks. The base branch's
// configuration sets the weakest way that counts. If the records cannot be read, findIntended adds
// a note to the comparison.
func (c *job) findIntended(ctx context.Context, compared *compare.Comparison, weakest string) (intention, error) {
	intended := func(*compare.Row) (string, bool) { return "", false }
	if !hasOpenRegression(compared, intended) {
		return intended, nil // there is nothing to accept
	}
	if !c.pull.FromFork() {
		message, author, err := c.github.CommitMessage(ctx, c.pull.Head.SHA)
		if err != nil {
			return nil, err
		}
		trailers := acceptance.Trailers(message)
		switch {
		case len(trailers) > 0 && weakest != config.AcceptTrailer:
			c.note("The head commit's trailer does not count, because perftrack.toml on %s has accept = %q.", c.pull.BaseName(), weakest)
		case len(trailers) > 0:
			intended = func(r *compare.Row) (string, bool) {
				reason, ok := acceptance.Intended(trailers, r.Name)
				return reason + " (trailer in the head commit, by " + author + ")", ok
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
		c.session.Noticef("read accepted changes: %s", fault.FirstLine(err))
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

// hasOpenRegression reports whether any regression has not been accepted.
func hasOpenRegression(c *compare.Comparison, accepted intention) bool {
	return digest.Of(c, gates.Options{Accepted: func(r *compare.Row) bool { _, ok := accepted(r); return ok }}).Worst != nil
}
