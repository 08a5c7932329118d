package pullrequest

import (
	"context"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
)

// A merge queue puts a pull request on top of a newer base and requires a status for the resulting
// commit. That commit is measured like a pull request, under the same rules and acceptances, but it
// gets no comment.

// subject describes the kind of head to judge.
func (j *judgement) subject() string {
	if j.group != nil {
		return "merge group"
	}
	return "pull request"
}

// carryOver uses the verdict on the pull request for its merge group if both sides have the same
// files, so that the same code is not tested twice. It trusts only our own status and GitHub's tree
// hashes. It reports whether there was a verdict to use.
func (c *job) carryOver(ctx context.Context, j *judgement) (bool, error) {
	if j.group == nil || j.base == "" {
		return false, nil
	}
	left, err := c.github.MergeBase(ctx, j.base, j.pull.Head.SHA)
	if err != nil || left == "" {
		return false, ignoreRefusal(err)
	}
	for _, pair := range [][2]string{{left, j.base}, {j.pull.Head.SHA, j.group.Head}} {
		same, err := c.sameFiles(ctx, pair[0], pair[1])
		if err != nil || !same {
			return false, ignoreRefusal(err)
		}
	}
	before, err := c.github.Statuses(ctx, j.pull.Head.SHA)
	if err != nil {
		return false, ignoreRefusal(err)
	}
	s, err := c.ownVerdict(ctx, before, left)
	if err != nil || s == nil {
		return false, err
	}
	said := withoutBases(s)
	text := fmt.Sprintf("The merge group has the same files as pull request %d, which was measured: %s", j.pull.Number, said)
	const title = "perftrack carries over its verdict"
	j.Result = Result{
		State: s.State, Description: fmt.Sprintf("%s; carried over from #%d", said, j.pull.Number), Pull: j.pull.Number,
		Summary: github.StatusSummary(title, s.State, text),
	}
	j.write = func(o github.Overruled) (body, summary string) {
		return "", github.StatusSummary(title, o.State, text, o.Why)
	}
	j.against, j.worse, j.number, j.link = []string{j.base}, s.Stamp.Worse, s.Stamp.Pull, s.Link
	c.session.Noticef("%s", text)
	return true, nil
}

// ignoreRefusal drops the error if GitHub refused a request. The group is then measured.
func ignoreRefusal(err error) error {
	if refused := new(githubapi.Error); errors.As(err, &refused) {
		return nil
	}
	return err
}

// sameFiles reports whether two commits have the same tree.
func (c *job) sameFiles(ctx context.Context, a, b string) (bool, error) {
	if a == b {
		return true, nil
	}
	one, err := c.github.Tree(ctx, a)
	if err != nil {
		return false, err
	}
	other, err := c.github.Tree(ctx, b)
	return one != "" && one == other, err
}
