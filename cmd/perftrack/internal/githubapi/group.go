package githubapi

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
)

// A Group is what a merge queue is about to merge: one pull request, on top of the branch or
// of what is queued before it.
type Group struct {
	Branch string // that it is to be merged into
	Base   string // commit that the pull request is put on
	Head   string // commit that would be merged
}

// groupBranch is how GitHub names the branch of a group. Everybody who may push can make a branch
// of such a name; that it is a group's is known by the event of its run, merge_group.
var groupBranch = regexp.MustCompile(`^gh-readonly-queue/(.+)/pr-([1-9][0-9]{0,9})-([0-9a-f]{40}|[0-9a-f]{64})$`)

// FindGroup finds the merge group that the event is about and the pull request that it adds, if
// both are still there. Like a pull request it is known by the event and GitHub's own answers alone.
func (g *Client) FindGroup(ctx context.Context, e *Event) (*Group, *PullRequest, error) {
	w := e.WorkflowRun
	part := groupBranch.FindStringSubmatch(w.HeadBranch)
	if part == nil || w.HeadRepository == nil || w.HeadRepository.ID != e.Repository.ID {
		return nil, nil, &NoPullError{fmt.Sprintf("%q is not the branch of a merge group of this repository", w.HeadBranch)}
	}
	tip, err := g.BranchTip(ctx, w.HeadBranch)
	if err != nil {
		return nil, nil, err
	}
	if tip != w.HeadSHA {
		return nil, nil, &NoPullError{"the merge group of pull request " + part[2] + " is gone"}
	}
	var p PullRequest
	if _, err := g.Get(ctx, "read the pull request", "pulls/"+part[2], nil, &p); err != nil {
		return nil, nil, err
	}
	if strconv.Itoa(p.Number) != part[2] || p.State != "open" || p.Base.Ref != part[1] || p.Base.Repo == nil || p.Base.Repo.ID != e.Repository.ID {
		return nil, nil, &NoPullError{fmt.Sprintf("pull request %s is not open against %s", part[2], part[1])}
	}
	return &Group{Branch: part[1], Base: part[3], Head: w.HeadSHA}, &p, nil
}

// MergeBase returns the commit in which two commits meet, "" where GitHub does not say.
func (g *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	var answer struct {
		MergeBase struct {
			SHA string `json:"sha"`
		} `json:"merge_base_commit"`
	}
	// Page 2 has no list of changed files, which may be megabytes.
	query := url.Values{"per_page": {"1"}, "page": {"2"}}
	_, err := g.Get(ctx, "find the merge base", "compare/"+base+"..."+head, query, &answer)
	return answer.MergeBase.SHA, err
}

// Tree returns the hash of all files of a commit.
func (g *Client) Tree(ctx context.Context, sha string) (string, error) {
	var answer struct {
		Tree struct {
			SHA string `json:"sha"`
		} `json:"tree"`
	}
	_, err := g.Get(ctx, "read a commit", "git/commits/"+sha, nil, &answer)
	return answer.Tree.SHA, err
}
