package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// pullOfSubject is what a forge writes into the subject of the commit by which it merges
// a pull request.
var pullOfSubject = regexp.MustCompile(`\(#([1-9][0-9]{0,8})\)$|^Merge pull request #([1-9][0-9]{0,8}) from `)

// Landed returns the commits by which pull requests came into the first-parent history of
// tip, a full object name, by their numbers; of several of one number the oldest. Those
// that were rebased name none.
func (r *Repo) Landed(ctx context.Context, tip string) (map[int]string, error) {
	if !git.IsObjectName(tip) {
		return nil, fmt.Errorf("list merged pull requests of %q: not an object name", tip)
	}
	out, err := r.git(ctx, "log", "--first-parent", "--no-show-signature", "--format=%H %s", "-E", "--grep=#[1-9][0-9]*", tip, "--")
	if err != nil {
		return nil, fmt.Errorf("list merged pull requests of %s: %w", tip, err)
	}
	landed := map[int]string{}
	for line := range strings.Lines(string(out)) {
		sha, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if m := pullOfSubject.FindStringSubmatch(subject); m != nil {
			if n, err := strconv.Atoi(m[1] + m[2]); err == nil {
				landed[n] = sha // the newest come first
			}
		}
	}
	return landed, nil
}
