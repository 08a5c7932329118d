package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrNotBisecting says that no git bisect is going on that knows both ends.
var ErrNotBisecting = errors.New("no git bisect is going on: start one with git bisect start BAD GOOD")

// BisectState is the state of a git bisect.
type BisectState struct {
	Good, Bad Commit // the ends that it was started with; of several good ones the first
	Next      Commit // the commit that git wants to know about
}

var bisectLine = regexp.MustCompile(`^# ([^:\[\]]+): \[([0-9a-f]{40}|[0-9a-f]{64})\]`)

// BisectState reads the state of the git bisect that is going on in this work tree, or
// ErrNotBisecting. The references that git keeps of it move with each step; its log
// says where it began.
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
	// With --no-checkout, git names the commit there and leaves HEAD alone.
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
