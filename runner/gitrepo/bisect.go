package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrNotBisecting means that no git bisect with a known good and bad commit is in progress.
var ErrNotBisecting = errors.New("no git bisect is in progress: start one with git bisect start BAD GOOD")

// BisectState is the state of a git bisect.
type BisectState struct {
	Good, Bad Commit // the commits it started from; if there were several good ones, the first
	Next      Commit // the commit to judge next
}

var bisectLine = regexp.MustCompile(`^# ([^:\[\]]+): \[([0-9a-f]{40}|[0-9a-f]{64})\]`)

// BisectState returns the state of the git bisect in this work tree, or ErrNotBisecting. It reads
// the initial commits from git's bisect log, because git's references for the bisection move with
// each step.
func (r *Repo) BisectState(ctx context.Context) (BisectState, error) {
	var b BisectState
	text, err := r.git(ctx, "bisect", "log")
	if err != nil {
		return b, fmt.Errorf("%w (%w)", ErrNotBisecting, err)
	}
	term := func(flag, standard string) string {
		if out, err := r.git(ctx, "bisect", "terms", flag); err == nil {
			return strings.TrimSpace(string(out))
		}
		return standard
	}
	first := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if m := bisectLine.FindStringSubmatch(line); m != nil && first[m[1]] == "" {
			first[m[1]] = m[2]
		}
	}
	good, bad := first[term("--term-good", "good")], first[term("--term-bad", "bad")]
	if good == "" || bad == "" {
		return b, ErrNotBisecting
	}
	// With --no-checkout, git stores the next commit in BISECT_HEAD and does not move HEAD.
	next, err := r.lookup(ctx, "BISECT_HEAD")
	if err == nil && next == "" {
		next, err = r.lookup(ctx, "HEAD")
	}
	if err != nil {
		return b, fmt.Errorf("read state of git bisect: %w", err)
	}
	for _, c := range []struct {
		sha string
		to  *Commit
	}{{good, &b.Good}, {bad, &b.Bad}, {next, &b.Next}} {
		if *c.to, err = r.commit(ctx, c.sha); err != nil {
			return b, fmt.Errorf("read state of git bisect: %w", err)
		}
	}
	return b, nil
}
