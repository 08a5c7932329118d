package history

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A checkedName names a benchmark in a check.
type checkedName struct {
	target string
	record.BenchmarkID
}

// maxSearches is how many of the newest trials of bisections are looked at.
const maxSearches = 10

// checked returns what was proved of benchmarks on the line that is asked for: by the newest check
// whose head is on it, and by bisections. Of several of one benchmark the one counts whose head is
// the newest. Heads with changes that are in no commit are of no line, and of damaged runs nothing
// is known.
func (r *reader) checked(ctx context.Context, a *workspace.Session) (map[checkedName]*steps.Checked, error) {
	if r.opt.Anchor != "" || r.opt.Environment != "" { // it may be of another one
		return nil, nil
	}
	onLine := func(l comparison.Listed) bool {
		return l.Head.SHA != "" && !l.Head.Dirty && (r.main == nil || r.main[l.Head.SHA])
	}
	list := comparison.Searches(r.runs)
	list = list[:min(len(list), maxSearches)]
	if checks := comparison.List(r.runs, nil); slices.ContainsFunc(checks, onLine) {
		list = append([]comparison.Listed{checks[slices.IndexFunc(checks, onLine)]}, list...)
	}
	found := map[checkedName]*steps.Checked{}
	for _, l := range list {
		if !onLine(l) {
			continue
		}
		c, err := (&comparison.Resolver{Session: a, Where: r.where, DB: r.db}).CompareListed(ctx, l)
		var data *fault.Error
		if errors.As(err, &data) && data.Kind == "data" {
			continue
		}
		if err != nil {
			return nil, err
		}
		for name, check := range checkedRows(c, l) {
			if old := found[name]; old == nil || r.along[check.Head.SHA] > r.along[old.Head.SHA] {
				found[name] = check
			}
		}
	}
	return found, nil
}

// checkedRows are the rows of a comparison that were tested, by their benchmarks.
func checkedRows(c *compare.Comparison, l comparison.Listed) map[checkedName]*steps.Checked {
	found := map[checkedName]*steps.Checked{}
	for row := range c.Rows() {
		if row.Verdict == compare.NoVerdict || row.Kind != record.Bench {
			continue
		}
		name := checkedName{row.Target, row.BenchmarkID}
		if found[name] == nil {
			found[name] = &steps.Checked{Base: l.Base, Head: l.Head, Time: l.Time, Search: workspace.IsBisectTrial(l.Trials[0])}
		}
		found[name].Rows = append(found[name].Rows, steps.CheckedRow{Tidied: row.Unit, Verdict: row.Verdict, Accepted: row.Accepted(), Shift: row.Shift, Rounds: row.Rounds})
	}
	return found
}

// standsFor reports whether a check says how a benchmark stands whose newest run is of a commit:
// nothing was measured after the head of the check.
func (r *reader) standsFor(c *steps.Checked, newest string) bool {
	return c != nil && (newest == c.Head.SHA || r.main[newest] && r.along[newest] < r.along[c.Head.SHA])
}
