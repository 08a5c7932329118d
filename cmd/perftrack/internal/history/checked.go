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

// A checkedName names a benchmark in a check.
type checkedName struct {
	target string
	record.BenchmarkID
}

// maxSearches is how many of the newest trials of bisections are looked at.
const maxSearches = 10

// maxChecks is how many of the newest checks are looked at, each as expensive as a comparison.
const maxChecks = 10

// checked returns what was proved of benchmarks on the line that is asked for: by the newest checks
// whose heads are on it, and by bisections. Of several of one benchmark the one counts whose head is
// the newest. Heads with changes that are in no commit are of no line, and of damaged runs nothing
// is known.
func (r *reader) checked(ctx context.Context, a *workspace.Session) (map[checkedName]*steps.Checked, error) {
	if r.opt.Anchor != "" || r.opt.Environment != "" { // it may be of another one
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
			if old := found[name]; old == nil || r.along[check.Head.SHA] > r.along[old.Head.SHA] {
				found[name] = check
			}
		}
	}
	return found, nil
}

// judged compares what is listed, once, since the trials of bisections are asked for what they found
// and for what they proved. It is nil where what it rests on is damaged.
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

// hasHead reports whether the head of a comparison is a commit of the line, without uncommitted changes.
func (r *reader) hasHead(l comparison.Listed) bool {
	_, ok := r.place(l.Head)
	return ok && l.Head.SHA != "" && !l.Head.Dirty
}

// checks returns the newest checks on the line that measured something, that of the newest commit
// first. One without a sample, as of documentation alone, leaves all that earlier ones proved.
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

// place is where a commit is on the line, the oldest first; ok is false for one that is not on it.
// What this repository does not have is before all that it has.
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
		found[name].Rows = append(found[name].Rows, steps.CheckedRow{Tidied: row.Unit, Verdict: row.Verdict, Accepted: row.Accepted(), Shift: row.Shift, Rounds: row.Rounds, ByMean: row.ByMean})
	}
	return found
}

// standsFor reports whether a check says how a benchmark stands whose newest run is of a commit:
// nothing was measured after the head of the check.
func (r *reader) standsFor(c *steps.Checked, newest string) bool {
	return c != nil && (newest == c.Head.SHA || r.main[newest] && r.along[newest] < r.along[c.Head.SHA])
}
