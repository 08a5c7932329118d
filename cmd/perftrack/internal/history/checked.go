package history

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A checkedName identifies a benchmark in a check.
type checkedName struct {
	target string
	record.BenchmarkID
}

// maxSearches is the maximum number of bisection trials to read, starting with the newest.
const maxSearches = 10

// maxChecks is the maximum number of checks to read, starting with the newest. Reading a check
// takes as long as a comparison.
const maxChecks = 10

// checked returns the proven verdicts for benchmarks on this line of history, from the newest
// checks and bisections with a head on the line. If a benchmark has several verdicts, the newest proof
// of a change counts: a later head that is as slow as its base is still slow. checked ignores heads
// with uncommitted changes, because they are not on any line, and trials with damaged runs.
func (r *reader) checked(ctx context.Context, a *workspace.Session) (map[checkedName]*steps.Checked, error) {
	if r.opt.Anchor != "" || r.opt.Environment != "" { // the check may have been made in another environment
		return nil, nil
	}
	list := slices.DeleteFunc(comparison.Searches(r.runs), func(l comparison.Listed) bool { return !r.hasHead(l) })
	list = list[:min(len(list), maxSearches)]
	list = slices.Concat(r.checks(), list)
	found := map[checkedName]*steps.Checked{}
	for _, l := range list {
		c, err := r.judged(ctx, a, l)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		for name, check := range checkedRows(c, l) {
			if row := check.Worst(); row != nil && row.Verdict == compare.Regressed {
				check.Found = r.foundIn(name, row.Tidied, l.Base.SHA, l.Head.SHA)
			}
			found[name] = r.standing(found[name], check)
		}
	}
	return found, nil
}

// standing returns the one of two checks of a benchmark that tells how it stands. a may be nil.
func (r *reader) standing(a, b *steps.Checked) *steps.Checked {
	if a == nil {
		return b
	}
	older, newer := a, b
	if r.along[a.Head.SHA] >= r.along[b.Head.SHA] {
		older, newer = b, a
	}
	if newer.Worst() == nil && older.Worst() != nil {
		return older
	}
	return newer
}

// judged returns the comparison of the trials in l, or nil if a run is damaged. It remembers the
// result, because bisections are compared twice: once for the commits they found, and once for
// their verdicts.
func (r *reader) judged(ctx context.Context, a *workspace.Session, l comparison.Listed) (*compare.Comparison, error) {
	key := strings.Join(l.Trials, " ")
	if c, ok := r.judgedBefore[key]; ok && key != "" {
		return c, nil
	}
	c, err := (&comparison.Resolver{Session: a, Where: r.where, DB: r.db}).CompareListed(ctx, l)
	var data *fault.Error
	if errors.As(err, &data) && data.Kind == "data" {
		c, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.judgedBefore[key] = c
	return c, nil
}

// hasHead reports whether the head of a comparison is a commit on the line, without uncommitted
// changes.
func (r *reader) hasHead(l comparison.Listed) bool {
	_, ok := r.place(l.Head)
	return ok && l.Head.SHA != "" && !l.Head.Dirty
}

// checks returns the newest checks with samples on the line, newest commit first. A check without
// samples, such as one after a change to documentation, does not replace earlier verdicts.
func (r *reader) checks() []comparison.Listed {
	measured := map[string]bool{}
	for i := range r.runs {
		if r.runs[i].Benchmarks > 0 {
			measured[r.runs[i].Trial] = true
		}
	}
	list := slices.DeleteFunc(comparison.List(r.runs, nil), func(l comparison.Listed) bool {
		return !r.hasHead(l) || !slices.ContainsFunc(l.Trials, func(id string) bool { return measured[id] })
	})
	slices.SortStableFunc(list, func(x, y comparison.Listed) int {
		atX, _ := r.place(x.Head)
		atY, _ := r.place(y.Head)
		return cmp.Compare(atY, atX)
	})
	return list[:min(len(list), maxChecks)]
}

// place returns the position of a commit on the line, counted from the oldest commit; ok is false
// if the commit is not on the line. Commits missing in this repository come before all others.
func (r *reader) place(c record.Commit) (at int, ok bool) {
	if r.main == nil {
		return 0, true
	}
	if at, ok = r.along[c.SHA]; ok {
		return at, true
	}
	_, _, first := r.line(c)
	return 0, first
}

// checkedRows returns the rows of a comparison with a verdict, by benchmark.
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
		found[name].Rows = append(found[name].Rows, steps.CheckedRow{Tidied: row.Unit, Verdict: row.Verdict, Accepted: row.Accepted(), Shift: row.Shift, Rounds: row.Rounds, ByMean: row.ByMean})
	}
	return found
}

// standsFor reports whether check c is the newest evidence about a benchmark because no commit
// after the check's head was measured. newest is the commit of the benchmark's newest run.
func (r *reader) standsFor(c *steps.Checked, newest string) bool {
	return c != nil && (newest == c.Head.SHA || r.main[newest] && r.along[newest] < r.along[c.Head.SHA])
}
