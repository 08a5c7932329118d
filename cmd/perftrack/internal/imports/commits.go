package imports

import (
	"context"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// A commitFinder finds the commits that files name, which may be abbreviated, in the repository.
type commitFinder struct {
	known map[string]*gitrepo.Commit // by the hash in the file; nil if git does not know it
}

// find looks up the commits of an input, all at once.
func (f *commitFinder) find(ctx context.Context, a *workspace.Session, in *input) error {
	if f.known == nil {
		f.known = map[string]*gitrepo.Commit{}
	}
	var asked []string
	for sha := range in.commits {
		if _, ok := f.known[sha]; !ok {
			f.known[sha] = nil
			asked = append(asked, sha)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil {
		return err
	}
	found, err := where.Repo.CommitsOf(ctx, asked)
	if err != nil {
		return fault.Git(err)
	}
	for sha, c := range found {
		f.known[sha] = &c
	}
	return nil
}

// settle completes the hash of a run's commit and takes its time from git, which knows it better than
// the file. --time is the user's own word about the commit of --commit.
func (f *commitFinder) settle(r *decode.Packed, header record.Commit, own time.Time) {
	c := &r.Header.Commit
	if r.Ours || c.SHA == header.SHA && !own.IsZero() {
		return
	}
	if known := f.known[c.SHA]; known != nil {
		c.SHA, c.Time = known.SHA, known.Time
	}
}

// note remembers the commit of a run for [commitFinder.find].
func (in *input) note(r *decode.Packed) {
	header := r.Header
	complete(&header, in.header)
	if header.Commit.SHA == "" || r.Ours {
		return
	}
	if in.commits == nil {
		in.commits = map[string]bool{}
	}
	in.commits[header.Commit.SHA] = true
}
