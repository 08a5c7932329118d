package check

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Of so many runs of the target, the newest, the ways of so many trials are remembered: one of all
// benchmarks, and a few of those that were selected since.
const recentRuns, recentTrials = 40, 4

// remember finds how earlier trials in the same environment measured the benchmarks of the target, the
// newest first. The trial's own ways are known already. Who asks for a new trial does so because the machine
// was busy: that one chooses anew.
func (c *course) remember(ctx context.Context, env record.Settings) error {
	if c.check.opt.NewTrial {
		return nil
	}
	infos, err := c.check.db.Runs(ctx, store.Filter{Target: c.target.Name, Measured: true, Newest: true, Limit: recentRuns})
	if err != nil {
		return err
	}
	trials, told := 0, map[runner.Slot]bool{}
	for _, info := range infos {
		if info.Side != record.Head || info.Trial == c.check.trial.id || !comparison.SameEnvironment(env, info.Env) {
			continue
		}
		ways := record.Ways(&info.Run)
		if len(ways) == 0 {
			continue
		}
		for _, w := range ways {
			slot := runner.Slot{Package: w.Package, Bench: w.Name}
			way, ok := runner.Remember(w)
			if ok && !told[slot] {
				c.remembered[slot] = way
			}
			told[slot] = true // an older trial may have what this one gave up
		}
		if trials++; trials == recentTrials {
			break
		}
	}
	return nil
}
