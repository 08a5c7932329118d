package pullrequest

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
)

// MeasureLabel is the label to request a measurement not required by the base's configuration.
const MeasureLabel = "perf-measure"

// spare sets the status to success if the base's configuration requires no measurement. The pull
// request's own workflow and configuration do not count. spare does nothing if there is a verdict
// on the same commits or any failure, or if a measurement on demand has been requested. It reports
// whether it set the status.
func (c *job) spare(ctx context.Context, j *judgement) (bool, error) {
	rules, err := c.github.BaseConfig(ctx, j.pull)
	if err != nil {
		return false, err
	}
	why, err := c.sparedBy(ctx, j, rules.Defaults)
	if err != nil || why == "" {
		return false, err
	}
	before, err := c.statusesBefore(ctx)
	if err != nil {
		return false, err
	}
	for _, s := range before {
		if decides(s, j.base) || s.State == github.Failure && decides(s, "") || s.Stamp.Asked {
			return false, nil // anyone's status counts, because it can only make us stricter
		}
	}
	message, shown := c.message(ctx, j), c.shown(c.runLink(0))
	j.write = func(o github.Overruled) (string, string) {
		return message(shown.Failed(j.head(), o.State, why, "", o.Why))
	}
	body, summary := message(shown.Unmeasured(j.head(), why))
	j.Result = Result{Body: body, Summary: summary, State: github.Success, Description: why, Pull: j.pull.Number}
	c.session.Noticef("%s", why)
	return true, nil
}

// sparedBy returns the reason why the configuration requires no measurement, or "" if it does
// require one.
func (c *job) sparedBy(ctx context.Context, j *judgement, d config.Defaults) (string, error) {
	name := j.pull.BaseName()
	switch {
	case d.On != config.OnPush && j.group != nil:
		return "not measured in the queue: " + name + " measures only on demand", nil
	case d.On != config.OnPush && (j.pull.HasLabel(MeasureLabel) || slices.ContainsFunc(c.trials, wasBegun)):
		return "", nil
	case d.On == config.OnLabel:
		return "not measured: " + name + " measures pull requests with the label " + MeasureLabel, nil
	case d.On == config.OnComment:
		return "not measured: request it with a comment /perftrack or the label " + MeasureLabel + ", as " + name + " requires", nil
	case len(d.Paths) == 0 || j.base == "":
		return "", nil
	}
	files, all, err := c.github.Changed(ctx, j.base, j.head())
	if err != nil || !all || d.Needs(files) {
		return "", err
	}
	return "not measured: no changed file matches paths in perftrack.toml on " + name, nil
}

// wasBegun reports whether a run of the measuring workflow should have a result. A cancelled or
// never approved run should not.
func wasBegun(m *trialRun) bool {
	return !m.used && (m.run == nil || m.run.Conclusion != "cancelled" && m.run.Conclusion != "action_required")
}
