package backfill

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A known holds a target's stored results measured on this machine, or by workers of one class,
// together with one anchor.
type known struct {
	measured map[string]bool   // commits measured in the environment of the work tree, or of the class
	failed   map[string]string // commits with failed benchmarks, and the reason for the first failure
	sources  []source          // results measured with any version of Go
	others   map[string]int    // number of commits measured with other anchors, by anchor
}

// A source is a measured run that may also count for other commits, or a run carried over from
// another commit.
type source struct {
	id, commit string
	code       string // "" if the run was carried over or its code is unknown
	env        record.Settings
}

// A machine is where a backfill measures: here, in an environment, or on workers of a class, which
// count as one machine.
type machine struct {
	env   record.Settings // of the work tree
	class string          // "" means here
}

// measured reports whether a run was measured on the machine, with any version of Go.
func (m machine) measured(r *record.Run) bool {
	if m.class != "" {
		return r.Protocol.Spread.IsOf(m.class)
	}
	return sameMachine(m.env, r.Env)
}

// same reports whether a run was measured in the same environment.
func (m machine) same(r *record.Run) bool {
	return m.class != "" || comparison.SameEnvironment(m.env, r.Env)
}

// readKnown reads the stored results of a target that were measured on a machine.
func readKnown(ctx context.Context, db *store.DB, target, anchor string, selection record.Selection, on machine) (k known, err error) {
	k = known{measured: map[string]bool{}, failed: map[string]string{}, others: map[string]int{}}
	infos, err := db.Runs(ctx, store.Filter{Target: target})
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
		case beside == "" || !anchors.Fits(&r.Run) || workspace.IsBisectTrial(r.Trial) || r.Commit.Dirty || r.Benchmarks == 0 ||
			r.Facts.Get(record.KeyMeasured) != "" || !r.Protocol.Covers(selection) || !on.measured(&r.Run):
		case r.Baseline() && beside == anchor:
			ids[r.ID] = true
			k.sources = append(k.sources, source{id: r.ID, commit: r.Commit.SHA, code: r.Facts.Get(record.KeyCode), env: r.Env})
			if on.same(&r.Run) {
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
	for _, r := range infos { // a carried-over run is valid as long as its source exists
		if from := r.CarriedFrom(); ids[from] && r.Protocol.Covers(selection) {
			k.sources = append(k.sources, source{id: from, commit: r.Commit.SHA, env: r.Env})
			if on.same(&r.Run) {
				k.measured[r.Commit.SHA] = true
			}
		}
	}
	for beside, commits := range other {
		k.others[beside] = len(commits)
	}
	return k, nil
}

// sameMachine reports whether two environments differ at most in the settings printed by benchmark
// programs and in the version of Go, which a commit may choose in its go.mod.
func sameMachine(env, other record.Settings) bool {
	return !slices.ContainsFunc(env.Differences(other), func(key string) bool { return key != record.KeyGoVersion && !record.FromProgram(key) })
}

// in reports whether a commit was measured in the environment env, not necessarily the work tree's.
func (k *known) in(commit string, env record.Settings) bool {
	return slices.ContainsFunc(k.sources, func(s source) bool { return s.commit == commit && comparison.SameEnvironment(s.env, env) })
}

// elsewhere reports whether a commit was measured with any version of Go.
func (k *known) elsewhere(commit string) bool {
	return slices.ContainsFunc(k.sources, func(s source) bool { return s.commit == commit })
}

// withCode returns the run with the given machine code and environment at the nearest commit, or
// nil.
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
