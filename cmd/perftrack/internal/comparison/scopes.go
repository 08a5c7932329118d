package comparison

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Profiled holds the stored scopes named by one of the user's arguments.
type Profiled struct {
	// Runs are the runs with scopes. For a commit, they contain each suite of each target once per
	// environment, from its newest run.
	Runs   []*record.Run
	Older  int    // number of the commit's runs with all scopes in newer runs
	Commit string // hash of the commit; "" if Word is not a commit
	Word   string
}

// An UnmeasuredError reports a commit without a stored run.
type UnmeasuredError struct{ Name, Word string }

func (e *UnmeasuredError) Error() string {
	return "no run of " + e.Name + " is stored: measure it with `perftrack run --rev " + e.Word + "`"
}

// FindProfiled returns the scopes of the run, trial or commit named by word. For a commit, the hash
// is set even if there is an error.
func FindProfiled(ctx context.Context, a *workspace.Session, word string) (p Profiled, err error) {
	p.Word = word
	where, err := a.Locate(ctx)
	if err != nil {
		return p, err
	}
	r := &Resolver{Session: a, Where: where}
	defer func() { err = errors.Join(err, r.Close()) }()
	s, err := r.Find(ctx, word)
	p.Commit = s.Commit
	switch {
	case err != nil:
		return p, err
	case s.Trial != "":
		infos, err := r.DB.Runs(ctx, store.Filter{Trial: s.Trial})
		if err != nil {
			return p, err
		}
		if s.Runs, err = r.readRuns(ctx, infos); err != nil {
			return p, err
		}
	case s.Commit != "":
		return p, r.scopesOf(ctx, s, &p)
	}
	p.Runs = slices.DeleteFunc(s.Runs, func(r *record.Run) bool { return !hasScopes(r) })
	return p, nil
}

func hasScopes(r *record.Run) bool {
	return slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool { return b.Kind == record.Scope })
}

// scopesOf takes each suite of a commit from its newest run.
func (r *Resolver) scopesOf(ctx context.Context, s Selection, p *Profiled) error {
	if _, err := s.byTarget(); err != nil {
		return err
	}
	type suite struct{ target, environment, pkg, name string }
	seen := map[suite]bool{}
	for _, info := range s.infos {
		runs, err := r.readRuns(ctx, []record.RunInfo{info})
		if err != nil {
			return err
		}
		for _, run := range runs {
			if !hasScopes(run) {
				continue
			}
			of := func(b record.Benchmark) suite { return suite{run.Target, info.EnvironmentID, b.Package, b.Suite} }
			run.Benchmarks = slices.DeleteFunc(run.Benchmarks, func(b record.Benchmark) bool { return b.Kind != record.Scope || seen[of(b)] })
			for _, b := range run.Benchmarks {
				seen[of(b)] = true
			}
			if len(run.Benchmarks) == 0 {
				p.Older++
				continue
			}
			p.Runs = append(p.Runs, run)
		}
	}
	slices.SortStableFunc(p.Runs, func(a, b *record.Run) int { return strings.Compare(a.Target, b.Target) })
	return nil
}

// ScopesOfNoCommit returns the newest profiles without a commit, but no more than most. These are
// profiles of the built-in engine.
func ScopesOfNoCommit(ctx context.Context, a *workspace.Session, most int) ([]record.RunInfo, error) {
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	infos, err := db.Runs(ctx, store.Filter{Newest: true, Measured: true})
	infos = slices.DeleteFunc(infos, func(i record.RunInfo) bool { return i.Commit.SHA != "" || i.Facts.Get(record.KeyMeasured) == "" })
	return infos[:min(len(infos), most)], errors.Join(err, db.Close())
}
