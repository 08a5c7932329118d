package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/spelling"
)

// MissingError reports a revision that this clone cannot resolve.
type MissingError struct {
	Rev     string
	Near    string // revision with a similar name, or ""
	Shallow bool   // the clone lacks older history, so the revision may well exist
	Fetch   string // command that fetches the revision into a shallow clone, or ""

	final string // why no command helps, or ""
}

func (e *MissingError) Error() string {
	why, remedy := "unknown in this repository", "list revisions with `git branch -a`, `git tag` or `git log`"
	switch {
	case e.final != "":
		return fmt.Sprintf("resolve revision %q: %s", e.Rev, e.final)
	case e.Fetch != "":
		why, remedy = "not in this shallow clone", "fetch it with `"+e.Fetch+"`, or set fetch-depth: 0 in the workflow"
	case e.Shallow:
		why, remedy = "not in this shallow clone", "there is no remote to fetch it from"
	}
	if e.Near != "" {
		why += "; did you mean " + e.Near + "?"
	}
	return fmt.Sprintf("resolve revision %q: %s; %s", e.Rev, why, remedy)
}

// missing returns a [MissingError] for rev, or another error if it cannot determine the reason.
func (r *Repo) missing(ctx context.Context, rev string) error {
	m := &MissingError{Rev: rev}
	if err := r.explain(ctx, m); err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	return m
}

func (r *Repo) explain(ctx context.Context, m *MissingError) error {
	name := m.Rev
	if i := strings.IndexAny(name, "~^"); i >= 0 {
		name = name[:i]
	}
	found, err := r.lookup(ctx, name)
	if err != nil {
		return err
	}
	if found == "" && (name == "HEAD" || name == "@") {
		m.final = "the repository has no commits yet: create one with `git commit`"
		return nil
	}
	if len(name) >= 4 && git.IsHex(name) && !git.IsObjectName(name) {
		out, err := r.git(ctx, "rev-parse", "--disambiguate="+name)
		if err != nil {
			return err
		}
		if n := strings.Count(string(out), "\n"); n > 1 {
			m.final = fmt.Sprintf("the short hash is ambiguous, because %d objects match it; give more digits", n)
			return nil
		}
	}
	if found == "" {
		if m.Near, err = r.near(ctx, name, m.Rev[len(name):]); err != nil {
			return err
		}
	}
	cut, err := r.boundary()
	if m.Shallow = len(cut) > 0; !m.Shallow || err != nil {
		return err
	}
	m.Fetch, err = r.fetchCommand(ctx, name, found != "")
	return err
}

// near returns the branch or tag with the name most similar to name, followed by steps, or "". It
// includes remote branches, because a CI checkout usually has no other branches of its own.
func (r *Repo) near(ctx context.Context, name, steps string) (string, error) {
	refs, err := r.git(ctx, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return "", err
	}
	names := strings.Fields(string(refs))
	near := spelling.Nearest(name, names)
	if i := slices.IndexFunc(names, func(ref string) bool {
		_, branch, _ := strings.Cut(ref, "/")
		return branch == name
	}); i >= 0 {
		near = names[i]
	}
	if near == "" || near == name {
		return "", nil
	}
	return near + steps, nil
}

// plainName matches the names of branches and tags that need no quoting in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/+-]*$`)

// fetchCommand returns the command that completes a shallow clone and fetches name if the clone
// does not have it, or "" if there is no remote.
func (r *Repo) fetchCommand(ctx context.Context, name string, found bool) (string, error) {
	remotes, err := r.Remotes(ctx)
	if err != nil || len(remotes) == 0 {
		return "", err
	}
	fetch := "git fetch --unshallow"
	switch {
	case found || !plainName.MatchString(name) || git.IsHex(name) && !git.IsObjectName(name):
		return fetch, nil // a remote cannot resolve short ids
	case git.IsObjectName(name):
		return fetch + " " + usual(remotes) + " " + name, nil
	}
	// Give a destination, because a bare `git fetch origin NAME` only sets FETCH_HEAD.
	for _, remote := range remotes {
		if branch, ok := strings.CutPrefix(name, remote+"/"); ok {
			return fmt.Sprintf("%s %s %s:refs/remotes/%s", fetch, remote, branch, name), nil
		}
	}
	return fmt.Sprintf("%s %s %s:%[3]s", fetch, usual(remotes), name), nil
}

// usual returns git's default remote.
func usual(remotes []string) string {
	if slices.Contains(remotes, "origin") {
		return "origin"
	}
	return remotes[0]
}
