package fleet

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// Submit queues a check of a trial's commits for a worker that decides, with flags and targets for
// perftrack check. It returns the number of the job. A check of the same commits that waits or runs
// is not queued again.
func Submit(ctx context.Context, a *workspace.Session, env []string, t Trial, args []string) (job string, err error) {
	path, err := Find(a)
	if err != nil {
		return "", err
	}
	argv := []string{"submit", "-repository", t.Repository, "-url", t.URL, "-dir", t.Dir, "-base", t.Base, "-head", t.Head, "-class", t.Class, "-priority", t.Priority}
	if t.PullRequest != "" {
		argv = append(argv, "-pull-request", t.PullRequest)
	}
	if t.Optional {
		argv = append(argv, "-optional")
	}
	cmd := exec.CommandContext(ctx, path, append(append(argv, "--"), args...)...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = env, &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fault.IO(fmt.Errorf("queue the check: %w: %s", err, strings.TrimSpace(stderr.String())))
	}
	return strings.TrimSpace(string(out)), nil
}
