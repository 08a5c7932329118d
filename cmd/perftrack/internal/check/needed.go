package check

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
)

// MaxListed is the largest number of changed files to compare with the paths in the base's
// configuration. If more files changed, the check is needed. A job that makes the same decision
// gets the changed files from GitHub, which lists slightly more of them.
const MaxListed = 250

// needed reports whether the check is needed according to the configuration at the base or at the
// tip of its branch; the job that judges the check reads the latter. A check triggered by a label
// or a comment is never skipped.
func (c *check) needed(ctx context.Context) (bool, error) {
	if c.opt.IfNeeded == "" {
		return true, nil
	}
	tip, err := c.rulesOf(ctx, c.opt.IfNeeded)
	if err != nil {
		return false, err
	}
	base, head, err := c.commits(ctx)
	if err != nil {
		return false, err
	}
	if head == "" {
		return false, fault.Usagef("--if-needed compares commits: name one with --head")
	}
	files, err := c.where.Repo.ChangedFiles(ctx, [][2]string{{base, head}})
	if err != nil {
		return false, fault.Git(err)
	}
	return len(files[0]) > MaxListed || needs(c.rules.Defaults, files[0]) || needs(tip.Defaults, files[0]), nil
}

// needs reports whether a configuration requires a check if these files changed.
func needs(d config.Defaults, files []string) bool {
	return d.On != config.OnPush || d.Needs(files)
}
