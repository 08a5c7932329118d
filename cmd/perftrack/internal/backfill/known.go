package backfill

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A known is what is stored of a target, measured on this machine beside one anchor.
type known struct {
	measured map[string]bool   // commits, in the environment of the work tree
	failed   map[string]string // commits of which some benchmarks failed, and the first reason
	sources  []source          // what there is, whatever the version of Go
	others   map[string]int    // commits that were measured beside other anchors, by those
}

// A source is a run that was measured, and may count for other commits, too; or one that was
// carried over.
type source struct {
	id, commit string
	code       string // "" of one that was carried over, or whose code is not known
	env        record.Settings
}

// readKnown reads what is stored. The environment is that of the work tree, the selection what
// is to be measured in the words of the command line.
func readKnown(ctx context.Context, db *store.DB, target, anchor, selection string, env record.Settings) (k known, err error) {
	k = known{measured: map[string]bool{}, failed: map[string]string{}, others: map[string]int{}}
	infos, err := db.Runs(ctx, store.Filter{Target: target})
	if err == nil {
		infos, err = db.Sound(ctx, infos, nil)
	}
	if err != nil {
		return k, err
	}
	bases, other := map[string]string{}, map[string]map[string]bool{}
	for _, r := range infos {
		if r.Side == record.Base && r.Trial != "" {
			bases[r.Trial] = r.Commit.SHA
		}
	}
	ids := map[string]bool{}
	for _, r := range infos {
		beside := bases[r.Trial]
		switch {
		case beside == "" || !compare.Anchored(&r.Run) || workspace.IsBisectTrial(r.Trial) || r.Commit.Dirty || r.Benchmarks == 0 ||
			r.Facts.Get(record.KeyMeasured) != "" || !compare.SelectionCovers(&r.Run, selection) || !sameMachine(env, r.Env):
		case r.Baseline() && beside == anchor:
			ids[r.ID] = true
			k.sources = append(k.sources, source{id: r.ID, commit: r.Commit.SHA, code: r.Facts.Get(record.KeyCode), env: r.Env})
			if comparison.SameEnvironment(env, r.Env) {
				k.measured[r.Commit.SHA] = true
			}
		case r.Baseline():
			if other[beside] == nil {
				other[beside] = map[string]bool{}
			}
			other[beside][r.Commit.SHA] = true
		case r.Status == record.Failed && beside == anchor && len(r.Failures) > 0:
			k.failed[r.Commit.SHA] = r.Failures[0].Benchmark + ": " + r.Failures[0].Reason
		}
	}
	for _, r := range infos { // what was carried over stays so while its source is there
		if from := r.CarriedFrom(); ids[from] && compare.SelectionCovers(&r.Run, selection) {
			k.sources = append(k.sources, source{id: from, commit: r.Commit.SHA, env: r.Env})
			if comparison.SameEnvironment(env, r.Env) {
				k.measured[r.Commit.SHA] = true
			}
		}
	}
	for beside, commits := range other {
		k.others[beside] = len(commits)
	}
	return k, nil
}

// sameMachine reports whether environments differ at most in the version of Go, which a commit
// may choose by its go.mod.
func sameMachine(env, other record.Settings) bool {
	return !slices.ContainsFunc(env.Differences(other), func(key string) bool { return key != record.KeyGoVersion && !record.FromProgram(key) })
}

// in reports whether a commit was measured in an environment, whatever that of the work tree is.
func (k *known) in(commit string, env record.Settings) bool {
	return slices.ContainsFunc(k.sources, func(s source) bool { return s.commit == commit && comparison.SameEnvironment(s.env, env) })
}

// elsewhere reports whether a commit was measured with another version of Go than that of the
// work tree, which may be its own.
func (k *known) elsewhere(commit string) bool {
	return slices.ContainsFunc(k.sources, func(s source) bool { return s.commit == commit })
}

// withCode returns the run with that machine code in that environment whose commit is nearest
// on the line; nil if there is none.
func (k *known) withCode(code string, env record.Settings, distance func(commit string) int) *source {
	var found *source
	for i := range k.sources {
		s := &k.sources[i]
		if code != "" && s.code == code && comparison.SameEnvironment(s.env, env) && (found == nil || distance(s.commit) < distance(found.commit)) {
			found = s
		}
	}
	return found
}
