package check

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
)

// MaxListed is how many changed files are compared with the paths of the base's configuration;
// where there are more, the check is needed. GitHub lists a few more than that, to the job that
// comes to the same answer by itself.
const MaxListed = 250

// needed reports whether the configuration of the base, or that of the tip of its branch, asks
// for this check: whoever judges it reads the latter. Only what was not asked for otherwise, by a
// label or a comment, is spared: then on is not push.
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
		return false, fault.Usagef("--if-needed is of commits: name one with --head")
	}
	files, err := c.where.Repo.ChangedFiles(ctx, [][2]string{{base, head}})
	if err != nil {
		return false, fault.Git(err)
	}
	return len(files[0]) > MaxListed || needs(c.rules.Defaults, files[0]) || needs(tip.Defaults, files[0]), nil
}

// needs reports whether a configuration asks for a check of these files, for all that it knows.
func needs(d config.Defaults, files []string) bool {
	return d.On != config.OnPush || d.Needs(files)
}
