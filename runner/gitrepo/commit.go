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

// Commit is the part of a git commit that perftrack uses. Author and subject are untrusted text
// from the repository, so any code that writes them must escape them.
type Commit struct {
	SHA     string    // full object name, 40 or 64 hexadecimal digits
	Tree    string    // object name of the tree
	Parents []string  // object names, first parent first; also recorded for commits at a shallow boundary
	Time    time.Time // committer time in the committer's time zone; whole seconds
	Author  string    // author name
	Subject string    // first paragraph of the message, on one line
}

// maxRevision is the maximum length of a path, and therefore of the name of a reference.
const maxRevision = 4096

// Resolve resolves a user's revision (HEAD~3, a branch, a tag, a short id) to a commit. It returns
// a [*MissingError] if the revision is missing in this clone.
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

// lookup returns the object name of the commit that rev denotes, or "" if rev is unknown.
func (r *Repo) lookup(ctx context.Context, rev string) (string, error) {
	if strings.ContainsRune(rev, 0) {
		return "", nil // cannot be a process argument and does not name anything
	}
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	sha := strings.TrimSuffix(string(out), "\n")
	switch {
	case err == nil && git.IsObjectName(sha):
		return sha, nil
	case err == nil, git.ExitCode(err) == 1, git.ExitCode(err) == 128 && git.Stderr(err) == "":
		// Exit status 1 means "no such revision". 128 without a message means that the reflog is
		// too short (HEAD@{99}). An answer that is not an object name is an exclusion (^HEAD).
		return "", nil
	}
	return "", err
}

// commit reads the commit with the object name sha.
func (r *Repo) commit(ctx context.Context, sha string) (Commit, error) {
	if c, ok := r.read.Load(sha); ok {
		return c.(Commit), nil
	}
	// Read the raw object, because git log and git show run the commands in log.showSignature and
	// gpg.program.
	out, err := r.git(ctx, "cat-file", "commit", sha)
	if err != nil {
		return Commit{}, fmt.Errorf("read commit %s: %w", sha, err)
	}
	c := parseCommit(sha, out)
	r.read.Store(sha, c)
	return c, nil
}

// commits reads the commits with the given object names in a single git process and returns them in
// the same order.
func (r *Repo) commits(ctx context.Context, shas []string) ([]Commit, error) {
	commits := make([]Commit, len(shas))
	err := git.Objects(ctx, r.root, shas, func(i int, o git.Object) error {
		if o.Kind == git.Missing {
			return fmt.Errorf("commit %s does not exist in this clone", shas[i])
		}
		raw, err := io.ReadAll(io.LimitReader(o.Content, maxCommit))
		commits[i] = parseCommit(shas[i], raw)
		return err
	})
	return commits, err
}

// Commits returns the commits with the given object names, keyed by object name. It omits commits
// missing in this clone and names that are not full ids. It reads all of them in a single git
// process.
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

// maxCommit is the maximum number of bytes read from a commit; the rest of its message is ignored.
const maxCommit = 64 << 20

// parseCommit parses a raw commit object. It treats damaged fields as git does when it shows them:
// an unreadable date becomes the epoch.
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

// lastSecond is the end of the year 9999, because time.Time cannot be written to JSON after that.
const lastSecond = 253402300799

// parseTime parses a time like "1700000000 -0730". Time zones with an offset of a day or more,
// which git accepts but JSON cannot represent, become UTC.
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
