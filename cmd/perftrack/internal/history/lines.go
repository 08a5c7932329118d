package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Lines gives access to the complete histories of all benchmarks in a database. Its methods may
// be called from several goroutines.
type Lines struct{ r *reader }

// Open opens the database for reading. It uses only Target, Suite, Unit, Branch, Environment and
// All of the options.
func Open(ctx context.Context, a *workspace.Session, opt Options) (*Lines, error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	if r.where.Repo == nil && r.branch == "" { // the newest run decides which line comes first
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

// DB returns the database.
func (l *Lines) DB() *store.DB { return l.r.db }

// State returns the state of the database when it was opened, see [store.DB.State]. Later reads may
// see newer runs.
func (l *Lines) State() string { return l.r.state }

// Place returns the user's directory with its repository and configuration.
func (l *Lines) Place() workspace.Place { return l.r.where }

// Branch returns the name of the first line of development, or "" if the name is unknown.
func (l *Lines) Branch() string { return l.r.branch }

// Basis returns a description of the inputs of the histories, apart from each benchmark's runs and
// the order of the commits. A history changes only if the description, the benchmark's runs or the
// order of the commits changes.
func (l *Lines) Basis() string {
	r := l.r
	var carried []string
	for _, run := range r.carried {
		carried = append(carried, run.ID)
	}
	return fmt.Sprintf("%q %q %v %+v %+v %v %v %v", r.branch, r.config, r.where.Repo != nil, r.intended, r.found, carried, r.merged, r.onMerged)
}

// configText returns the text of the configuration file at path, or "" if path is "".
func configText(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fault.IO(err)
	}
	return string(text), nil
}

// Stamps returns the stamps of the histories for answers kept by this version of perftrack.
func (l *Lines) Stamps(version string) *Stamps { return l.r.newStamps(version) }

// Config returns the text of the configuration file, or "" if there is none.
func (l *Lines) Config() string { return l.r.config }

// Benchmarks returns all benchmarks with samples.
func (l *Lines) Benchmarks() []store.BenchmarkInfo { return l.r.all }

// Intended returns the acceptances that have not been revoked.
func (l *Lines) Intended() acceptance.List { return l.r.intended }

// Position returns the position of a commit in the history; ok is false if this repository lacks
// the commit.
func (l *Lines) Position(sha string) (at int, ok bool) {
	at, ok = l.r.position[sha]
	return at, ok
}

// Along returns the position of a commit on the first line of development, counted along first
// parents; ok is false if the commit is not on that line.
func (l *Lines) Along(sha string) (at int, ok bool) {
	at, ok = l.r.along[sha]
	return at, ok
}

// Newest returns the comparison in all with the newest head on the first line of development, and
// reports whether there is one. Trials take precedence over unpaired runs, and a commit takes
// precedence over uncommitted changes based on it.
func (l *Lines) Newest(all []comparison.Listed) (comparison.Listed, bool) {
	return comparison.Newest(all, l.r.place)
}

// Searched returns the regressions on the first line of development that bisections proved or
// located, unless a check of a newer commit contradicts them.
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

// Commits returns the measured commits on the first line of development, oldest first.
func (l *Lines) Commits() (shas []string) {
	for _, run := range l.r.runs {
		if _, ok := l.r.along[run.Commit.SHA]; ok {
			shas = append(shas, run.Commit.SHA)
		}
	}
	slices.SortFunc(shas, func(x, y string) int { return cmp.Compare(l.r.along[x], l.r.along[y]) })
	return slices.Compact(shas)
}

// Merged returns the number of commits on merged branches that are part of the first line's
// history, because their merge commits were not measured.
func (l *Lines) Merged() int { return len(l.r.merged) }

// First reports whether a commit is on the first line of development.
func (l *Lines) First(c record.Commit) bool {
	_, _, first := l.r.line(c)
	return first
}

// A Line is the series of a benchmark on one line of development.
type Line struct {
	steps.Series
	First bool                // whether this is HEAD's line or the chosen branch
	Units []*steps.UnitPoints // see [steps.UnitsOf]
	// All holds the benchmark's points as they are stored, including the points of anchors.
	All []record.HistoryPoint
}

// Read returns the history of a benchmark, with one entry for each line of development, beginning
// with the first line.
func (l *Lines) Read(ctx context.Context, b store.BenchmarkInfo) ([]Line, error) {
	series, all, err := l.r.seriesOf(ctx, b, l.r.anchor == nil, l.r.notes)
	if err != nil {
		return nil, err
	}
	out := make([]Line, len(series))
	for i, s := range series {
		out[i] = Line{s.Series, s.first, s.units, all}
	}
	return out, nil
}

// Levelled reports whether the values of a run are scaled to the level of the anchor measured with
// it.
func (l *Lines) Levelled(run *record.RunInfo) bool {
	l.r.notes.mu.Lock()
	defer l.r.notes.mu.Unlock()
	return l.r.notes.levelled[run.Seq]
}

// Sort sorts commits in the order of a history, oldest first. Commits not on the first line come
// last.
func (l *Lines) Sort(commits []record.Commit) {
	slices.SortStableFunc(commits, func(x, y record.Commit) int {
		return cmp.Or(compareBool(l.First(y), l.First(x)), l.r.compare(x, y))
	})
}

// compareBool orders false before true.
func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}
