package pullrequest

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
)

// MeasureLabel on a pull request asks for it to be measured, where the base's configuration
// does not ask for all.
const MeasureLabel = "perf-measure"

// spare says so where the configuration of the base does not ask for what was not measured. What
// the pull request did to its own workflow or configuration does not count. A measurement that
// was asked for is waited for, and neither a verdict on the same commits nor a failure is given up.
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
		if decides(s, j.base) || s.State == github.Failure && decides(s, "") || strings.HasPrefix(s.Description, githubapi.AskedFor) {
			return false, nil // also that of somebody else: then it is not green too easily
		}
	}
	message, shown := c.message(ctx, j), c.shown(c.runLink(0))
	j.write = func(o github.Overruled) (string, string) {
		return message(shown.Failed(j.head(), o.State, why, o.Why))
	}
	body, summary := message(shown.Unmeasured(j.head(), why))
	j.Result = Result{Body: body, Summary: summary, State: github.Success, Description: why, Pull: j.pull.Number}
	c.session.Noticef("%s", why)
	return true, nil
}

// sparedBy returns why the configuration does not ask for a measurement, "" if it does.
func (c *job) sparedBy(ctx context.Context, j *judgement, d config.Defaults) (string, error) {
	name := j.pull.BaseName()
	switch {
	case d.On != config.OnPush && j.group != nil:
		return "not measured in the queue: " + name + " measures pull requests that are asked for", nil
	case d.On != config.OnPush && (j.pull.HasLabel(MeasureLabel) || slices.ContainsFunc(c.trials, wasBegun)):
		return "", nil
	case d.On == config.OnLabel:
		return "not measured: " + name + " measures pull requests with the label " + MeasureLabel, nil
	case d.On == config.OnComment:
		return "not measured: for " + name + " a comment /perftrack or the label " + MeasureLabel + " asks for it", nil
	case len(d.Paths) == 0 || j.base == "":
		return "", nil
	}
	files, all, err := c.github.Changed(ctx, j.base, j.head())
	if err != nil || !all || d.Needs(files) {
		return "", err
	}
	return "not measured: no changed file is in paths of perftrack.toml of " + name, nil
}

// wasBegun reports whether a run of the measuring workflow was to measure something, of which
// nobody has the result: one that was cancelled, or was never approved, is no reason to wait.
func wasBegun(m *trialRun) bool {
	return !m.used && (m.run == nil || m.run.Conclusion != "cancelled" && m.run.Conclusion != "action_required")
}
