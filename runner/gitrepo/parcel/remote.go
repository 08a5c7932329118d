package parcel

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Remote returns the remote for name. If name is "", it returns the usual remote: origin, or the
// only one. A relative path is resolved relative to dir.
func (c *Clone) Remote(ctx context.Context, name, dir string) (string, error) {
	remotes, err := c.repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case name == "" && slices.Contains(remotes, "origin"):
		return "origin", nil
	case name == "" && len(remotes) == 1:
		return remotes[0], nil
	case name == "" && len(remotes) == 0:
		return "", ErrNoRemote
	case name == "":
		return "", fmt.Errorf("choose a remote of %s: there are several, and none is origin; name one of %s", c.repo.Root(), strings.Join(remotes, ", "))
	case strings.HasPrefix(name, "-") || strings.ContainsAny(name, "\x00\n"):
		return "", fmt.Errorf("invalid remote %q: give a remote's name, a URL or a path", name)
	case slices.Contains(remotes, name) || strings.Contains(name, ":") || filepath.IsAbs(name):
		return name, nil
	}
	return filepath.Join(dir, name), nil // path of a repository; if it is not one, git reports that
}

// Lock waits until no other perftrack is exchanging parcels in this clone. Other processes then
// wait until unlock is called, or until this process and all its git processes have ended, because
// git finishes its work even if perftrack is killed. If wait is not nil, it is called once if Lock
// has to wait.
func (c *Clone) Lock(ctx context.Context, wait func()) (unlock func(), err error) {
	path := filepath.Join(c.repo.GitDir(), "perftrack-sync.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock the parcels in %s: its git directory must be writable: %w", c.repo.Root(), err)
	}
	if wait != nil {
		wait = sync.OnceFunc(wait)
	}
	if err := flock.Wait(ctx, file, wait); err != nil {
		_ = file.Close()
		return nil, err
	}
	c.removeStaleLocks()
	c.lock.Store(file)
	return func() {
		c.lock.Store(nil)
		_ = file.Close()
	}, nil
}

// staleLock is the age at which the lock of a reference is considered abandoned. Writing a
// reference takes milliseconds.
const staleLock = 10 * time.Minute

// removeStaleLocks removes the locks on parcels' references left behind by a killed git process or
// a power failure. They would block these references forever.
func (c *Clone) removeStaleLocks() {
	folder := filepath.Join(c.repo.GitDir(), filepath.FromSlash(parcelRefs))
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lock" {
			return nil // git will report anything unreadable
		}
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > staleLock {
			_ = os.Remove(path)
		}
		return nil
	})
}

// ListRemote returns the parcels on the remote, sorted by name, and the number of other references
// below refs/perftrack/.
func (c *Clone) ListRemote(ctx context.Context, remote string) (all []Parcel, others int, err error) {
	call := git.Call{Dir: c.repo.Root(), Network: true, Args: []string{"ls-remote", "--end-of-options", remote, parcelRefs + "*"}}
	all, others, err = parcels(ctx, call)
	if err != nil {
		return nil, 0, remoteError(remote, "read", err)
	}
	return all, others, nil
}

// quietly contains settings for an exchange with a remote. They prevent git from starting a
// repository clean-up in the background, and keep one malformed object on a remote, which is
// checked later, from blocking all others.
var quietly = []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.fsckObjects=false", "-c", "transfer.fsckObjects=false"}

// Fetch fetches the commits of parcels on the remote, with their files, in a single git process. It
// creates no references; [Clone.Keep] does so for valid parcels. If a parcel is no longer on the
// remote, Fetch returns an error and the caller must list the remote again.
func (c *Clone) Fetch(ctx context.Context, remote string, list []Parcel) error {
	if len(list) == 0 {
		return nil
	}
	if len(list) > MaxParcels {
		return fmt.Errorf("fetch from %s: %d parcels exceed the limit of %d", remote, len(list), MaxParcels)
	}
	var in strings.Builder
	for _, p := range list {
		in.WriteString(parcelRefs + p.Name + "\n")
	}
	// Without --no-filter, a partial clone would leave out the files.
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--no-prune", "--no-filter"}
	mine, err := c.List(ctx)
	if err != nil {
		return err
	}
	if len(mine) > 0 {
		// Otherwise git first offers the branches, which have nothing in common with parcels, gives
		// up, and receives files that are already here.
		args = append(args, "--negotiation-tip="+parcelRefs+"*")
	}
	call := git.Call{Dir: c.repo.Root(), Network: true, Config: quietly, Stdin: strings.NewReader(in.String()),
		Args: append(args, "--stdin", "--end-of-options", remote)}
	if _, err := git.Output(ctx, call); err != nil {
		return remoteError(remote, "read", err)
	}
	return nil
}

// pushBatch is the number of references in one git push. Each takes 150 bytes, and macOS allows 1
// MiB of arguments.
const pushBatch = 1000

// A Refusal is the reason why a remote did not change a reference.
type Refusal struct {
	Reason string // git's message, such as [remote rejected] (pre-receive hook declined)
	Said   string // output of the remote about all refused references, untrusted text; may be ""
}

func (r Refusal) String() string {
	if r.Said == "" {
		return r.Reason
	}
	return r.Reason + ": " + r.Said
}

// Push sends the parcels in send, whose commits must be in this clone, and deletes the parcels in
// remove from the remote, using one git process for each pushBatch references. It overwrites
// nothing: the remote refuses a parcel if it has another commit under that name. Push returns the
// names of the refused parcels and why they were refused. An error means the exchange itself
// failed, possibly halfway, and the caller must list the remote again. If done is not nil, it is
// called with the number of references processed so far.
func (c *Clone) Push(ctx context.Context, remote string, send, remove []Parcel, done func(n int)) (refused map[string]Refusal, err error) {
	var specs []string
	for _, p := range send {
		specs = append(specs, p.Commit+":"+parcelRefs+p.Name)
	}
	for _, p := range remove {
		specs = append(specs, ":"+parcelRefs+p.Name)
	}
	refused = map[string]Refusal{}
	settled := 0
	for batch := range slices.Chunk(specs, pushBatch) {
		call := git.Call{Dir: c.repo.Root(), Network: true, Config: quietly, Args: slices.Concat([]string{
			"push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
			"--end-of-options", remote}, batch)}
		out, err := git.Output(ctx, call)
		answers := pushAnswers(string(out), essence(git.Stderr(err)), refused)
		if err != nil && (answers < len(batch) || git.ExitCode(err) != 1) {
			return refused, remoteError(remote, "write", err)
		}
		if settled += answers; done != nil {
			done(settled)
		}
	}
	return refused, nil
}

// pushAnswers parses the lines "flag TAB from:to TAB summary" in the output of git push
// --porcelain. It adds the refusals to refused and returns the total number of such lines.
func pushAnswers(out, said string, refused map[string]Refusal) (answers int) {
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(f) != 3 {
			continue // a line such as "To URL" or "Done"
		}
		answers++
		_, to, _ := strings.Cut(f[1], ":")
		if name, ok := strings.CutPrefix(to, parcelRefs); ok && f[0] == "!" {
			refused[name] = Refusal{f[2], said}
		}
	}
	return answers
}
