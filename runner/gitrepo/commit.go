package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Commit is what perftrack keeps of a git commit. Author and subject are free text
// from the repository: every writer must escape them.
type Commit struct {
	SHA     string    // full object name, 40 or 64 hexadecimal digits
	Tree    string    // object name of its tree
	Parents []string  // object names, first parent first; as recorded, also beyond a shallow boundary
	Time    time.Time // committer time in the committer's zone; whole seconds
	Author  string    // author name
	Subject string    // first paragraph of the message, on one line
}

// maxRevision is the longest path there is, hence the longest name of a reference.
const maxRevision = 4096

// Resolve turns a revision as a user writes it (HEAD~3, a branch, a tag, a short id)
// into a commit. A revision that this clone does not have is a [*MissingError].
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	if rev == "" {
		return Commit{}, errors.New("resolve revision: it is empty")
	}
	if len(rev) > maxRevision {
		return Commit{}, fmt.Errorf("resolve revision %q...: longer than %d bytes", rev[:40], maxRevision)
	}
	if c, ok := r.read.Load(rev); ok {
		return c.(Commit), nil
	}
	sha, err := r.lookup(ctx, rev)
	if err != nil {
		return Commit{}, fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	if sha == "" {
		return Commit{}, r.missing(ctx, rev)
	}
	return r.commit(ctx, sha)
}

// lookup returns the commit that rev names, or "" when it names none.
func (r *Repo) lookup(ctx context.Context, rev string) (string, error) {
	if strings.ContainsRune(rev, 0) {
		return "", nil // cannot be an argument of a process, and names nothing
	}
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	sha := strings.TrimSuffix(string(out), "\n")
	switch {
	case err == nil && git.IsObjectName(sha):
		return sha, nil
	case err == nil, git.ExitCode(err) == 1, git.ExitCode(err) == 128 && git.Stderr(err) == "":
		// 1 is "no such revision", and 128 without a word is a reflog that is not so
		// long (HEAD@{99}). An answer that is no object name is an exclusion (^HEAD).
		return "", nil
	}
	return "", err
}

// commit reads the commit with the object name sha.
func (r *Repo) commit(ctx context.Context, sha string) (Commit, error) {
	if c, ok := r.read.Load(sha); ok {
		return c.(Commit), nil
	}
	// The raw object, because git log and git show run what log.showSignature and
	// gpg.program name.
	out, err := r.git(ctx, "cat-file", "commit", sha)
	if err != nil {
		return Commit{}, fmt.Errorf("read commit %s: %w", sha, err)
	}
	c := parseCommit(sha, out)
	r.read.Store(sha, c)
	return c, nil
}

// commits reads the commits with the given object names, in their order, by one git.
func (r *Repo) commits(ctx context.Context, shas []string) ([]Commit, error) {
	commits := make([]Commit, len(shas))
	err := git.Objects(ctx, r.root, shas, func(i int, o git.Object) error {
		if o.Kind == git.Missing {
			return fmt.Errorf("commit %s is not in this clone", shas[i])
		}
		raw, err := io.ReadAll(io.LimitReader(o.Content, maxCommit))
		commits[i] = parseCommit(shas[i], raw)
		return err
	})
	return commits, err
}

// Commits returns the commits with the given object names, by these; those that this clone does
// not have, and names that are no full ids, are absent. One git reads them all.
func (r *Repo) Commits(ctx context.Context, shas []string) (map[string]Commit, error) {
	known, err := r.known(ctx, shas)
	if err != nil {
		return nil, fmt.Errorf("read commits: %w", err)
	}
	all, err := r.commits(ctx, known)
	if err != nil {
		return nil, fmt.Errorf("read commits: %w", err)
	}
	commits := make(map[string]Commit, len(all))
	for _, c := range all {
		commits[c.SHA] = c
	}
	return commits, nil
}

// maxCommit bounds what is read of a commit, in bytes; the rest of its message is not
// looked at.
const maxCommit = 64 << 20

// parseCommit reads a raw commit object. What git itself shows for damaged fields is
// kept: an unreadable date is the epoch.
func parseCommit(sha string, raw []byte) Commit {
	c := Commit{SHA: sha, Time: time.Unix(0, 0).UTC()}
	header, message, _ := bytes.Cut(raw, []byte("\n\n"))
	for line := range strings.Lines(string(header)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			name, _, _ := strings.Cut(value, " <")
			c.Author = strings.ToValidUTF8(name, "\uFFFD")
		case "committer":
			c.Time = parseTime(value[strings.LastIndexByte(value, '>')+1:])
		}
	}
	paragraph, _, _ := strings.Cut(strings.TrimLeft(string(message), "\n"), "\n\n")
	c.Subject = strings.ToValidUTF8(strings.Join(strings.Fields(paragraph), " "), "\uFFFD")
	return c
}

// lastSecond is the end of the year 9999: time.Time has no JSON form after it.
const lastSecond = 253402300799

// parseTime reads "1700000000 -0730". Zones outside a day, which git stores without
// a question and JSON cannot write, become UTC.
func parseTime(s string) time.Time {
	seconds, zone, _ := strings.Cut(strings.TrimSpace(s), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || unix > lastSecond || unix < math.MinInt32 {
		return time.Unix(0, 0).UTC()
	}
	hhmm, err := strconv.Atoi(zone)
	offset := (hhmm/100*60 + hhmm%100) * 60
	if err != nil || offset == 0 || offset <= -24*3600 || offset >= 24*3600 {
		return time.Unix(unix, 0).UTC()
	}
	return time.Unix(unix, 0).In(time.FixedZone("", offset))
}
