package githubapi

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
)

// A Group is a merge group: a pull request merged by a merge queue onto its target branch or onto
// the group ahead of it.
type Group struct {
	Branch string // the target branch
	Base   string // the commit below the merged pull request
	Head   string // the merge commit
}

// groupBranch matches the branch name of a merge group. Anyone with push access can create a branch
// with a matching name, so only a merge_group event proves the existence of a group.
var groupBranch = regexp.MustCompile(`^gh-readonly-queue/(.+)/pr-([1-9][0-9]{0,9})-([0-9a-f]{40}|[0-9a-f]{64})$`)

// FindGroup returns the event's merge group and its pull request. It returns a [NoPullError] if the
// group no longer exists or the pull request is no longer open. It relies only on the event and on
// GitHub's responses.
func (g *Client) FindGroup(ctx context.Context, e *Event) (*Group, *PullRequest, error) {
	w := e.WorkflowRun
	part := groupBranch.FindStringSubmatch(w.HeadBranch)
	if part == nil || w.HeadRepository == nil || w.HeadRepository.ID != e.Repository.ID {
		return nil, nil, &NoPullError{fmt.Sprintf("%q is not a merge group's branch in this repository", w.HeadBranch)}
	}
	tip, err := g.BranchTip(ctx, w.HeadBranch)
	if err != nil {
		return nil, nil, err
	}
	if tip != w.HeadSHA {
		return nil, nil, &NoPullError{"the merge group for pull request " + part[2] + " no longer exists"}
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

// MergeBase returns the merge base of two commits, or "" if GitHub does not find one.
func (g *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	var answer struct {
		MergeBase struct {
			SHA string `json:"sha"`
		} `json:"merge_base_commit"`
	}
	// Page 2 does not contain the list of changed files, possibly megabytes long.
	query := url.Values{"per_page": {"1"}, "page": {"2"}}
	_, err := g.Get(ctx, "find the merge base", "compare/"+base+"..."+head, query, &answer)
	return answer.MergeBase.SHA, err
}

// Tree returns the hash of a commit's tree.
func (g *Client) Tree(ctx context.Context, sha string) (string, error) {
	var answer struct {
		Tree struct {
			SHA string `json:"sha"`
		} `json:"tree"`
	}
	_, err := g.Get(ctx, "read a commit", "git/commits/"+sha, nil, &answer)
	return answer.Tree.SHA, err
}
