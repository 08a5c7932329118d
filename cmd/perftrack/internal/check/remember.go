package check

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Methods are remembered from the newest recentTrials trials among the newest recentRuns runs of
// the target. This is usually enough for a complete trial and a few later ones with selected
// benchmarks.
const recentRuns, recentTrials = 40, 4

// remember finds the sampling methods of earlier trials in the same environment, starting with the
// newest. Those of the current trial are known already. If the user requested a new trial, for
// example because the machine was busy, methods are chosen anew.
func (c *targetCheck) remember(ctx context.Context, env record.Settings) error {
	if c.check.opt.NewTrial {
		return nil
	}
	infos, err := c.check.db.Runs(ctx, store.Filter{Target: c.target.Name, Measured: true, Newest: true, Limit: recentRuns})
	if err != nil {
		return err
	}
	trials, told := 0, map[program.Slot]bool{}
	for _, info := range infos {
		if info.Side != record.Head || info.Trial == c.check.trial.id || !comparison.SameEnvironment(env, info.Env) {
			continue
		}
		ways := info.Protocol.Methods
		if len(ways) == 0 {
			continue
		}
		for _, w := range ways {
			slot := program.Slot{Package: w.Package, Bench: w.Name}
			way, ok := runner.Remember(w)
			if ok && !told[slot] {
				c.remembered[slot] = way
			}
			told[slot] = true // an older trial may have used a method abandoned by this one
		}
		if trials++; trials == recentTrials {
			break
		}
	}
	return nil
}
