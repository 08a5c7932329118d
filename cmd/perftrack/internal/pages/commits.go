package pages

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Commits returns all measured commits.
func (s *Site) Commits(ctx context.Context) (*documents.Commits, error) {
	s.forking.Do(func() { s.readForks(ctx) })
	return &documents.Commits{List: s.commits}, nil
}

// maxForks is the maximum number of fork points looked up by readForks. Each lookup requires a call
// to git.
const maxForks = 20

// readForks finds, for the newest commits of other branches, the commit at which each branch left
// the site's branch. It skips commits missing from this clone and unrelated histories.
func (s *Site) readForks(ctx context.Context) {
	repo := s.lines.Place().Repo
	if repo == nil || s.meta.Head == "" {
		return
	}
	asked := 0
	for i := len(s.commits) - 1; i >= 0 && s.commits[i].Off && asked < maxForks; i-- {
		if _, here := s.lines.Position(s.commits[i].SHA); !here {
			continue
		}
		asked++
		if base, err := repo.MergeBase(ctx, s.commits[i].SHA, s.meta.Head); err == nil {
			s.commits[i].Fork = s.measuredBy(base.SHA)
		}
	}
}

// measuredBy returns the index of the newest measured commit on the branch not after sha, or nil.
func (s *Site) measuredBy(sha string) *int {
	end, ok := s.lines.Along(sha)
	if !ok {
		return nil
	}
	for i := len(s.commits) - 1; i >= 0; i-- {
		if at, ok := s.lines.Along(s.commits[i].SHA); ok && !s.commits[i].Off && at <= end {
			return &i
		}
	}
	return nil
}

// readCommits lists the commits of all runs, with data about them from git.
func (s *Site) readCommits(ctx context.Context) error {
	var list []record.Commit
	of := map[string]int{}
	var shas []string
	for _, r := range s.runs {
		c := r.Commit
		i, known := of[c.SHA]
		switch {
		case c.SHA == "":
		case !known:
			of[c.SHA] = len(list)
			list, shas = append(list, c), append(shas, c.SHA)
		case !s.lines.First(list[i]) && s.lines.First(c):
			list[i] = c // the commit was measured on two branches
		}
	}
	s.lines.Sort(list)
	var said map[string]gitrepo.Commit
	var tags map[string][]string
	if repo := s.lines.Place().Repo; repo != nil {
		var err error
		if said, err = repo.Commits(ctx, shas); err != nil {
			return fault.Git(err)
		}
		if tags, err = repo.Tags(ctx); err != nil {
			return fault.Git(err)
		}
	}
	at := make(map[string]int, len(list))
	s.commits = make([]documents.Commit, len(list))
	for i, c := range list {
		git := said[c.SHA]
		if c.Time.IsZero() {
			c.Time = git.Time
		}
		out := documents.Commit{SHA: c.SHA, Subject: git.Subject, Author: git.Author, Tags: tags[c.SHA], Off: !s.lines.First(c)}
		if !c.Time.IsZero() {
			out.Time = c.Time.Unix()
		}
		s.commits[i], at[c.SHA] = out, i
	}
	s.at.Commit = placeIn(at)
	return nil
}
