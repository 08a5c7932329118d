package gitrepo

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/spelling"
)

// MissingError is a revision that this clone cannot resolve.
type MissingError struct {
	Rev     string
	Shallow bool   // the clone holds only the newest part of the history, and the revision may well exist
	Fetch   string // the command that brings the revision into a shallow clone; may be empty

	final string // why no command brings it, and then all that is said
	tried string // what was looked for
	near  string // what may be meant
}

func (e *MissingError) Error() string {
	why, remedy := "unknown in this repository", "; list what there is with: git branch -a, git tag, git log"
	switch {
	case e.final != "":
		return fmt.Sprintf("resolve revision %q: %s", e.Rev, e.final)
	case e.Fetch != "":
		why, remedy = "not in this shallow clone", "; fetch it with: "+e.Fetch+", or in a workflow with fetch-depth: 0"
	case e.Shallow:
		why, remedy = "not in this shallow clone", "; no remote is configured to fetch it from"
	}
	if e.near != "" {
		why += e.tried + "; did you mean " + e.near + "?"
	} else {
		why += e.tried
	}
	return fmt.Sprintf("resolve revision %q: %s%s", e.Rev, why, remedy)
}

// Near is the revision that may be meant, "" where nothing here is like it.
func (e *MissingError) Near() string {
	if e.final != "" {
		return ""
	}
	return e.near
}

// missing finds out why rev has no commit here and what brings it.
func (r *Repo) missing(ctx context.Context, rev string) error {
	m := &MissingError{Rev: rev}
	if err := r.explain(ctx, m); err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	return m
}

func (r *Repo) explain(ctx context.Context, m *MissingError) error {
	head, err := r.lookup(ctx, "HEAD")
	if err != nil {
		return err
	}
	if head == "" && (m.Rev == "HEAD" || m.Rev == "@") {
		m.final = "the repository has no commit yet: make the first one with git commit"
		return nil
	}
	cut, err := r.boundary()
	if err != nil {
		return err
	}
	m.Shallow = len(cut) > 0
	base, back := splitSteps(m.Rev)
	found, err := r.lookup(ctx, base)
	if err != nil {
		return err
	}
	if found != "" {
		return r.explainSteps(ctx, m, found, back)
	}
	return r.explainName(ctx, m, base, back)
}

// steps are the steps back at the end of a revision.
type steps struct {
	generations int
	firstParent bool // none of them goes to another parent than the first
}

var lastStep = regexp.MustCompile(`([~^])([0-9]*)$`)

// maxGenerations is more than any history; beyond it the count is not precise.
const maxGenerations = 1 << 24

// splitSteps splits HEAD^2~3 into HEAD and its steps.
func splitSteps(rev string) (base string, back steps) {
	back.firstParent = true
	for {
		step := lastStep.FindStringSubmatch(rev)
		if step == nil {
			return rev, back
		}
		rev = strings.TrimSuffix(rev, step[0])
		n, err := strconv.Atoi(cmp.Or(step[2], "1"))
		if err != nil {
			n = maxGenerations
		}
		if step[1] == "^" {
			back.firstParent = back.firstParent && n < 2
			n = min(n, 1)
		}
		back.generations = min(back.generations+n, maxGenerations)
	}
}

// explainSteps explains a revision whose base is here, while its steps lead out of the
// history that this clone has.
func (r *Repo) explainSteps(ctx context.Context, m *MissingError, base string, back steps) error {
	if m.Shallow {
		m.Fetch = "git fetch --unshallow"
	}
	if !back.firstParent {
		return nil
	}
	out, err := r.git(ctx, "rev-list", "--first-parent", "--end-of-options", base)
	if err != nil {
		return err
	}
	line := strings.Fields(string(out))
	last, err := r.commit(ctx, line[len(line)-1])
	if err != nil {
		return err
	}
	switch {
	case len(last.Parents) == 0:
		m.final, m.Fetch = fmt.Sprintf("the history ends before it, %d first-parent commits in all", len(line)), ""
	case m.Shallow && back.generations >= len(line):
		// The boundary of a shallow clone still records the parents that are not here.
		m.Fetch = fmt.Sprintf("git fetch --deepen=%d", back.generations-len(line)+1)
	}
	return nil
}

// plainName is a branch or tag name that needs no quoting in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/+-]*$`)

// explainName explains a revision that begins with an unknown name.
func (r *Repo) explainName(ctx context.Context, m *MissingError, name string, back steps) error {
	full := git.IsObjectName(name)
	if len(name) >= 4 && git.IsHex(name) && !full {
		out, err := r.git(ctx, "rev-parse", "--disambiguate="+name)
		if err != nil {
			return err
		}
		if n := strings.Count(string(out), "\n"); n > 1 {
			m.final = fmt.Sprintf("the short id fits %d objects: give more digits", n)
			return nil
		}
	}
	if plainName.MatchString(name) && !full {
		m.tried = fmt.Sprintf(" (tried %s, refs/tags/%[1]s, refs/heads/%[1]s, refs/remotes/%[1]s)", name)
	}
	// A CI checkout has the other branches, if at all, as those of a remote only.
	refs, err := r.git(ctx, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return err
	}
	names := strings.Fields(string(refs))
	near := spelling.Nearest(name, names)
	for _, ref := range names {
		if _, branch, _ := strings.Cut(ref, "/"); branch == name {
			near = ref
			break
		}
	}
	if near != "" && near != name {
		m.near = near + strings.TrimPrefix(m.Rev, name)
	}
	if m.Shallow {
		m.Fetch, err = r.fetchCommand(ctx, name, back)
	}
	return err
}

// fetchCommand names the fetch after which name and its steps back resolve in this
// shallow clone; "" where there is no remote.
func (r *Repo) fetchCommand(ctx context.Context, name string, back steps) (string, error) {
	remotes, err := r.Remotes(ctx)
	if err != nil || len(remotes) == 0 {
		return "", err
	}
	fetch := fmt.Sprintf("git fetch --depth=%d %s ", back.generations+1, usual(remotes))
	if git.IsObjectName(name) {
		return fetch + name, nil
	}
	if !back.firstParent || !plainName.MatchString(name) || git.IsHex(name) {
		return "git fetch --unshallow", nil // a short id cannot be asked for
	}
	// Always with a destination: after a bare `git fetch origin NAME` only FETCH_HEAD
	// would resolve, and not NAME.
	for _, remote := range remotes {
		if branch, ok := strings.CutPrefix(name, remote+"/"); ok {
			return fmt.Sprintf("git fetch --depth=%d %s %s:refs/remotes/%s", back.generations+1, remote, branch, name), nil
		}
	}
	return fetch + name + ":" + name, nil
}

// usual returns the remote that a command without one means.
func usual(remotes []string) string {
	if slices.Contains(remotes, "origin") {
		return "origin"
	}
	return remotes[0]
}
