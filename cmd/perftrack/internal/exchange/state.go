package exchange

import (
	"context"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/runner/record"
)

// SelectState returns the values of the runs selected by words for a format that describes one
// state, and the number of scopes, which have no values. It returns an error if a target has more
// than one run with benchmarks. Only a commit may have several of them, because each may have
// measured another suite: then the newest value of each benchmark counts.
func SelectState(ctx context.Context, a *workspace.Session, words []string, format string) (values []current.Value, scopes int, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, 0, err
	}
	type part struct {
		measured time.Time
		values   []current.Value
	}
	var parts []part
	commits := map[string]record.Commit{} // by target
	err = eachRun(ctx, a, words, func(r *record.Run) error {
		r.Normalize()
		of, n := current.Of(r)
		current.Direct(of, where.Config.Better)
		scopes += n
		if len(of) == 0 {
			return nil
		}
		if c, several := commits[r.Target]; several && (len(words) != 1 || c.SHA != r.Commit.SHA || c.Dirty != r.Commit.Dirty) {
			return fault.Usagef("there are several runs of target %s, but %s describes one state: name one commit, such as HEAD, or one run (see `perftrack list runs`)", r.Target, format)
		}
		commits[r.Target] = r.Commit
		at, _ := r.Measured()
		parts = append(parts, part{at, of})
		return nil
	})
	slices.SortStableFunc(parts, func(x, y part) int { return y.measured.Compare(x.measured) })
	var state current.State
	for _, p := range parts {
		state.Add(p.values)
	}
	return state.Values(), scopes, err
}
