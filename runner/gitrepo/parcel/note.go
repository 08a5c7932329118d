package parcel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// A Note is a text on a remote for the next job to read and replace. Each note
// has its own reference below refs/perftrack-notes/, separate from the parcels, and each version is
// a commit on top of the previous one. A job with an older version therefore cannot replace a newer
// one, and old versions remain visible.
type Note struct {
	Text []byte // nil without a note
	at   string // commit of this version; "" if there is no note
}

const (
	noteRefs    = "refs/perftrack-notes/"
	noteFile    = "note"
	maxNote     = 1 << 20
	noteMessage = "perftrack note"
)

var noteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// ErrNoteChanged means that another job wrote the note after it was read.
var ErrNoteChanged = errors.New("another job wrote it in the meantime")

// ReadNote reads the note with the given name from the remote.
func (c *Clone) ReadNote(ctx context.Context, remote, name string) (Note, error) {
	if !noteName.MatchString(name) {
		return Note{}, fmt.Errorf("invalid note name %q: use lower-case letters, digits and -", name)
	}
	out, err := git.Output(ctx, git.Call{Dir: c.repo.Root(), Network: true, Args: []string{"ls-remote", "--end-of-options", remote, noteRefs + name}})
	if err != nil {
		return Note{}, remoteError(remote, "read", err)
	}
	sha, _, ok := strings.Cut(strings.TrimSpace(string(out)), "\t")
	if !ok {
		return Note{}, nil
	}
	if !git.IsObjectName(sha) {
		return Note{}, fmt.Errorf("unexpected output from git ls-remote: %.200q", out)
	}
	call := git.Call{Dir: c.repo.Root(), Network: true, Config: quietly, Args: []string{
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--no-prune", "--no-filter",
		"--end-of-options", remote, noteRefs + name}}
	if _, err := git.Output(ctx, call); err != nil {
		return Note{}, remoteError(remote, "read", err)
	}
	n := Note{at: sha}
	err = git.Objects(ctx, c.repo.Root(), []string{sha + ":" + noteFile}, func(_ int, o git.Object) (err error) {
		if o.Kind != "blob" || o.Size > maxNote {
			return fmt.Errorf("%s%s on the remote is not a note: remove it with `git push REMOTE :%s%s`", noteRefs, name, noteRefs, name)
		}
		n.Text, err = io.ReadAll(o.Content)
		return err
	})
	return n, err
}

// WriteNote writes a new version of a note on top of before, the version read last, and returns the
// new version.
func (c *Clone) WriteNote(ctx context.Context, remote, name string, before Note, text []byte) (Note, error) {
	object := func(stdin string, args ...string) (string, error) {
		out, err := git.Output(ctx, git.Call{
			Dir: c.repo.Root(), Stdin: strings.NewReader(stdin), Args: args,
			Config: append([]string{"-c", "user.name=perftrack", "-c", "user.email=perftrack", "-c", "commit.gpgSign=false"}, durable...),
		})
		sha := strings.TrimSpace(string(out))
		if err == nil && !git.IsObjectName(sha) {
			err = fmt.Errorf("unexpected output from git %s: %.200q", args[0], out)
		}
		return sha, err
	}
	blob, err := object(string(text), "hash-object", "-w", "--stdin")
	if err != nil {
		return Note{}, fmt.Errorf("write note %s: %w", name, err)
	}
	tree, err := object(fmt.Sprintf("100644 blob %s\t%s\n", blob, noteFile), "mktree")
	if err != nil {
		return Note{}, fmt.Errorf("write note %s: %w", name, err)
	}
	args := []string{"commit-tree", tree, "-m", noteMessage}
	if before.at != "" {
		args = append(args, "-p", before.at)
	}
	commit, err := object("", args...)
	if err != nil {
		return Note{}, fmt.Errorf("write note %s: %w", name, err)
	}
	out, err := git.Output(ctx, git.Call{Dir: c.repo.Root(), Network: true, Config: quietly, Args: []string{
		"push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
		"--end-of-options", remote, commit + ":" + noteRefs + name}})
	switch {
	case err == nil:
		return Note{Text: text, at: commit}, nil
	case strings.Contains(string(out), "fetch first"), strings.Contains(string(out), "non-fast-forward"), strings.Contains(string(out), "already exists"):
		return Note{}, fmt.Errorf("write note %s: %w", name, ErrNoteChanged)
	}
	return Note{}, remoteError(remote, "write", err)
}
