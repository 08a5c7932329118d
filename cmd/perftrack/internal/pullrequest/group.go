package pullrequest

import (
	"context"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
)

// A merge queue puts a pull request on a commit that may have more than the one that it left,
// and asks for the status of what comes out. That is measured like a pull request, by the rules
// and acceptances of it, and gets no comment: what is there to say is said on the pull request.

// what names what is judged.
func (j *judgement) what() string {
	if j.group != nil {
		return "merge group"
	}
	return "pull request"
}

// carryOver takes the verdict on the pull request for that on its merge group, where both sides
// have the very files that the verdict is on: the same code is not tested twice. Only our own
// status and GitHub's word for the files count.
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
	said := againstBases.ReplaceAllString(s.Description, "")
	text := fmt.Sprintf("The merge group has the files that were measured on pull request %d: %s", j.pull.Number, said)
	const title = "perftrack carries its verdict over"
	j.Result = Result{
		State: s.State, Description: fmt.Sprintf("%s; carried over from #%d", said, j.pull.Number), Pull: j.pull.Number,
		Summary: github.Standing(title, s.State, text),
	}
	j.write = func(o github.Overruled) (body, summary string) {
		return "", github.Standing(title, o.State, text, o.Why)
	}
	j.against, j.link = j.base, s.Link
	c.session.Noticef("%s", text)
	return true, nil
}

// ignoreRefusal drops what GitHub does not tell: then the group has to be measured.
func ignoreRefusal(err error) error {
	if refused := new(githubapi.Error); errors.As(err, &refused) {
		return nil
	}
	return err
}

// sameFiles reports whether two commits have the same files.
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
