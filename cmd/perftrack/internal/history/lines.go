package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Lines hands out the histories of all benchmarks of a database, whole. Its methods may be
// called by several goroutines.
type Lines struct{ r *reader }

// Open opens the database for reading. Of the options Target, Suite, Unit, Branch, Environment
// and All count.
func Open(ctx context.Context, a *workspace.Session, opt Options) (*Lines, error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	if r.where.Repo == nil && r.branch == "" { // nothing but what was stored last says whose line goes first
		newest, err := r.db.Runs(ctx, store.Filter{Newest: true, Limit: 1})
		if err != nil {
			return nil, errors.Join(err, r.db.Close())
		}
		if len(newest) > 0 {
			r.branch = newest[0].Commit.Branch
		}
	}
	return &Lines{r}, nil
}

// Close closes the database.
func (l *Lines) Close() error { return l.r.db.Close() }

// DB is the database.
func (l *Lines) DB() *store.DB { return l.r.db }

// State is that of the database when it was opened: see [store.DB.State]. What was stored since
// may be among what is read.
func (l *Lines) State() string { return l.r.state }

// Place is where the user stands.
func (l *Lines) Place() workspace.Place { return l.r.where }

// Branch is the name of the line of development that goes first, "" where there is none.
func (l *Lines) Branch() string { return l.r.branch }

// Basis is all that the histories are made of beside the runs of each benchmark and the order of
// the commits: equal texts, equal histories.
func (l *Lines) Basis() (string, error) {
	r := l.r
	config, err := r.configText()
	if err != nil {
		return "", err
	}
	var carried []string
	for _, run := range r.carried {
		carried = append(carried, run.ID)
	}
	return fmt.Sprintf("%q %q %v %+v %+v %v %v %v", r.branch, config, r.where.Repo != nil, r.intended, r.found, carried, r.merged, r.onMerged), nil
}

// Benchmarks are all that have samples.
func (l *Lines) Benchmarks() []store.BenchmarkInfo { return l.r.all }

// Intended are the acceptances in force.
func (l *Lines) Intended() compare.Accepted { return l.r.intended }

// Position returns the place of a commit in the history; ok is false for one that this
// repository does not have.
func (l *Lines) Position(sha string) (at int, ok bool) {
	at, ok = l.r.position[sha]
	return at, ok
}

// Along returns the place of a commit on the line of development that goes first, counted along
// first parents; ok is false for one that is not on it.
func (l *Lines) Along(sha string) (at int, ok bool) {
	at, ok = l.r.along[sha]
	return at, ok
}

// Newest returns the comparison of the newest commit of the line of development that goes first: a
// trial, or where there is none commits that were measured apart. Uncommitted changes count as their
// commit, but after it.
func (l *Lines) Newest(all []comparison.Listed) (comparison.Listed, bool) {
	return comparison.Newest(all, l.r.place)
}

// Searched returns what bisections proved to have regressed on that line, or found the commit of, and no check
// of a newer commit says otherwise.
func (l *Lines) Searched(ctx context.Context, a *workspace.Session) (all []steps.Proved, err error) {
	if len(comparison.Searches(l.r.runs)) == 0 {
		return nil, nil
	}
	checked, err := l.r.checked(ctx, a)
	for name, check := range checked {
		if p := (steps.Proved{Target: name.target, BenchmarkID: name.BenchmarkID, Check: check}); (check.Search || check.Found.Commit != "") && p.Regressed() {
			all = append(all, p)
		}
	}
	return all, err
}

// Commits are the measured commits of the line of development that goes first, the oldest first, as
// far as this repository has them.
func (l *Lines) Commits() (shas []string) {
	for _, run := range l.r.runs {
		if _, ok := l.r.along[run.Commit.SHA]; ok {
			shas = append(shas, run.Commit.SHA)
		}
	}
	slices.SortFunc(shas, func(x, y string) int { return cmp.Compare(l.r.along[x], l.r.along[y]) })
	return slices.Compact(shas)
}

// Merged counts the commits of that line that are on merged branches, because its own commits were
// not measured.
func (l *Lines) Merged() int { return len(l.r.merged) }

// First reports whether a commit is on the line of development that goes first.
func (l *Lines) First(c record.Commit) bool {
	_, _, first := l.r.line(c)
	return first
}

// A Line is the series of a benchmark on one line of development.
type Line struct {
	steps.Series
	First bool // the line of HEAD, or of the branch that was asked for
	// All are the points of the benchmark as they are stored, those of anchors among them.
	All []record.HistoryPoint
}

// Read returns the history of one benchmark, each line of development apart, the first one first.
func (l *Lines) Read(ctx context.Context, b store.BenchmarkInfo) ([]Line, error) {
	series, all, err := l.r.seriesOf(ctx, b, l.r.anchor == nil)
	if err != nil {
		return nil, err
	}
	out := make([]Line, len(series))
	for i, s := range series {
		out[i] = Line{s.Series, s.first, all}
	}
	return out, nil
}

// Levelled reports whether the values of a run that was read are told at the level of the anchor beside
// it, not as they were measured.
func (l *Lines) Levelled(run string) bool {
	l.r.noting.Lock()
	defer l.r.noting.Unlock()
	return l.r.levelled[run]
}

// Sort puts commits in the order in which a history shows them, the oldest first: those that are
// not on the first line come last.
func (l *Lines) Sort(commits []record.Commit) {
	slices.SortStableFunc(commits, func(x, y record.Commit) int {
		return cmp.Or(compareBool(l.First(y), l.First(x)), l.r.compare(x, y))
	})
}

// compareBool has false before true.
func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}
