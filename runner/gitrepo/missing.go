package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// MissingError is a revision that this clone cannot resolve.
type MissingError struct {
	Rev string
	// Shallow says that the clone holds only the newest part of the history, so that
	// the revision may well exist.
	Shallow bool
	// Fetch is the command that brings the revision into a shallow clone; empty for a
	// full clone or when no remote is configured.
	Fetch string
	// Tried are the references that a plain name was looked up as.
	Tried []string
	// Suggestion is a revision that exists and may be meant; may be empty.
	Suggestion string

	detail string // what is special about it: no commit yet, an ambiguous id
}

func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "resolve revision %q: ", e.Rev)
	switch {
	case e.detail != "":
		b.WriteString(e.detail)
		return b.String()
	case e.Shallow:
		b.WriteString("not in this shallow clone")
	default:
		b.WriteString("unknown in this repository")
	}
	if len(e.Tried) > 0 {
		fmt.Fprintf(&b, " (tried %s)", strings.Join(e.Tried, ", "))
	}
	if e.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %s?", e.Suggestion)
	}
	switch {
	case e.Fetch != "":
		fmt.Fprintf(&b, "; fetch it with: %s", e.Fetch)
	case e.Shallow:
		b.WriteString("; no remote is configured to fetch it from")
	default:
		b.WriteString("; list what there is with: git branch -a, git tag, git log")
	}
	return b.String()
}

// plainName is a branch or tag name that needs no quoting in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/+-]*$`)

// explainMissing finds out why rev has no commit here and what brings it.
func (r *Repo) explainMissing(ctx context.Context, rev string) error {
	missing := &MissingError{Rev: rev}
	if head, err := r.lookup(ctx, "HEAD"); err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	} else if head == "" && (rev == "HEAD" || rev == "@") {
		missing.detail = "the repository has no commit yet: make the first one with git commit"
		return missing
	}
	shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	missing.Shallow = strings.TrimSpace(string(shallow)) == "true"
	base, back := splitSteps(rev)
	found, err := r.lookup(ctx, base)
	if err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	if found != "" {
		err = r.explainSteps(ctx, missing, found, back)
	} else {
		err = r.explainName(ctx, missing, base, back)
	}
	if err != nil {
		return fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	return missing
}

// steps are the steps back at the end of a revision.
type steps struct {
	generations int
	firstParent bool // none of them goes to another parent than the first
}

var (
	stepsAtEnd = regexp.MustCompile(`(?:~[0-9]*|\^[0-9]*)+$`)
	oneStep    = regexp.MustCompile(`[~^][0-9]*`)
)

// maxGenerations is more than any history; beyond it the count is not precise.
const maxGenerations = 1 << 24

// splitSteps splits HEAD^2~3 into HEAD and its steps.
func splitSteps(rev string) (base string, back steps) {
	suffix := stepsAtEnd.FindString(rev)
	back.firstParent = true
	for _, step := range oneStep.FindAllString(suffix, -1) {
		n := 1
		if len(step) > 1 {
			var err error
			if n, err = strconv.Atoi(step[1:]); err != nil {
				n = maxGenerations
			}
		}
		if step[0] == '^' {
			back.firstParent = back.firstParent && n < 2
			n = min(n, 1)
		}
		back.generations = min(back.generations+n, maxGenerations)
	}
	return strings.TrimSuffix(rev, suffix), back
}

// explainSteps is for a revision whose base is here and whose steps lead out of the
// history that is here.
func (r *Repo) explainSteps(ctx context.Context, missing *MissingError, base string, back steps) error {
	if !back.firstParent {
		if missing.Shallow {
			missing.Fetch = "git fetch --unshallow"
		}
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
		missing.detail = fmt.Sprintf("the history ends before it, %d first-parent commits in all", len(line))
	case missing.Shallow && back.generations >= len(line):
		// The boundary of a shallow clone still records the parents that are not here.
		missing.Fetch = fmt.Sprintf("git fetch --deepen=%d", back.generations-len(line)+1)
	case missing.Shallow:
		missing.Fetch = "git fetch --unshallow"
	}
	return nil
}

// explainName is for a revision that begins with an unknown name.
func (r *Repo) explainName(ctx context.Context, missing *MissingError, name string, back steps) error {
	if len(name) >= 4 && git.IsHex(name) && !git.IsObjectName(name) {
		out, err := r.git(ctx, "rev-parse", "--disambiguate="+name)
		if err != nil {
			return err
		}
		if n := strings.Count(string(out), "\n"); n > 1 {
			missing.detail = fmt.Sprintf("the short id fits %d objects: give more digits", n)
			return nil
		}
	}
	if plainName.MatchString(name) && !git.IsObjectName(name) {
		for _, place := range []string{"", "refs/tags/", "refs/heads/", "refs/remotes/"} {
			missing.Tried = append(missing.Tried, place+name)
		}
	}
	suggestion, err := r.remoteBranch(ctx, name)
	if err != nil {
		return err
	}
	if suggestion != "" {
		missing.Suggestion = suggestion + strings.TrimPrefix(missing.Rev, name)
	}
	if missing.Shallow {
		missing.Fetch, err = r.fetchCommand(ctx, name, back)
	}
	return err
}

// remoteBranch returns the branch of a remote, as origin/NAME, that is called name: a
// CI checkout has the other branches, if at all, under that name only.
func (r *Repo) remoteBranch(ctx context.Context, name string) (string, error) {
	refs, err := r.git(ctx, "for-each-ref", "--format=%(refname)", "refs/remotes")
	if err != nil {
		return "", err
	}
	for ref := range strings.Lines(string(refs)) {
		short := strings.TrimPrefix(strings.TrimSuffix(ref, "\n"), "refs/remotes/")
		if _, branch, _ := strings.Cut(short, "/"); branch == name {
			return short, nil
		}
	}
	return "", nil
}

// fetchCommand names the fetch after which name and its steps back resolve in this
// shallow clone.
func (r *Repo) fetchCommand(ctx context.Context, name string, back steps) (string, error) {
	out, err := r.git(ctx, "remote")
	if err != nil {
		return "", err
	}
	remotes := strings.Fields(string(out))
	if len(remotes) == 0 {
		return "", nil
	}
	remote := remotes[0]
	if slices.Contains(remotes, "origin") {
		remote = "origin"
	}
	depth := back.generations + 1
	if git.IsObjectName(name) {
		return fmt.Sprintf("git fetch --depth=%d %s %s", depth, remote, name), nil
	}
	if !back.firstParent || !plainName.MatchString(name) || git.IsHex(name) {
		return "git fetch --unshallow", nil // a short id cannot be asked for
	}
	// Always with a destination: after a bare `git fetch origin NAME` only FETCH_HEAD
	// would resolve, and not NAME.
	for _, remote := range remotes {
		if branch, ok := strings.CutPrefix(name, remote+"/"); ok {
			return fmt.Sprintf("git fetch --depth=%d %s %s:refs/remotes/%s", depth, remote, branch, name), nil
		}
	}
	return fmt.Sprintf("git fetch --depth=%d %s %s:%s", depth, remote, name, name), nil
}
