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

// Remote returns the remote that name means, "" for the usual one: origin, or the only
// one. A path is taken from dir.
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
		return "", fmt.Errorf("choose a remote of %s: there are several and none is called origin: name one of %s", c.repo.Root(), strings.Join(remotes, ", "))
	case strings.HasPrefix(name, "-") || strings.ContainsAny(name, "\x00\n"):
		return "", fmt.Errorf("%q is no remote: give its name, a URL or a path", name)
	case slices.Contains(remotes, name) || strings.Contains(name, ":") || filepath.IsAbs(name):
		return name, nil
	}
	return filepath.Join(dir, name), nil // of a repository; git says so if it is none
}

// Lock waits until no other perftrack exchanges the parcels of this clone, and
// keeps others waiting until unlock is called, or this process and any git it started
// have ended. A git whose perftrack was killed still finishes its work. wait, which may be
// nil, is called once when there is something to wait for.
func (c *Clone) Lock(ctx context.Context, wait func()) (unlock func(), err error) {
	path := filepath.Join(c.repo.GitDir(), "perftrack-sync.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock the parcels of %s: its git directory has to be writable: %w", c.repo.Root(), err)
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

// staleLock is how old a lock of a reference is that no git holds any more: it takes
// milliseconds to write one.
const staleLock = 10 * time.Minute

// removeStaleLocks removes the locks of parcels' references that a git left which was
// killed itself, as when the power failed. They would refuse these references for ever.
func (c *Clone) removeStaleLocks() {
	folder := filepath.Join(c.repo.GitDir(), filepath.FromSlash(parcelRefs))
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lock" {
			return nil // whatever cannot be looked at, git will complain of
		}
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > staleLock {
			_ = os.Remove(path)
		}
		return nil
	})
}

// ListRemote returns the parcels that the remote has, sorted by name, and how many
// references below refs/perftrack/ are none.
func (c *Clone) ListRemote(ctx context.Context, remote string) (all []Parcel, others int, err error) {
	call := git.Call{Dir: c.repo.Root(), Network: true, Args: []string{"ls-remote", "--end-of-options", remote, parcelRefs + "*"}}
	all, others, err = parcels(ctx, call)
	if err != nil {
		return nil, 0, remoteError(remote, "read", err)
	}
	return all, others, nil
}

// quietly are the settings of an exchange: it neither starts a cleaning of the
// repository in the background, nor lets one odd object of a remote, which is looked at
// later, stop all others.
var quietly = []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.fsckObjects=false", "-c", "transfer.fsckObjects=false"}

// Fetch brings the commits of parcels of the remote here, with their files, by one
// git for all. It makes no reference: what is good is kept by [Clone.Keep]. A
// parcel that the remote has no longer is an error, and the list is to be read again.
func (c *Clone) Fetch(ctx context.Context, remote string, list []Parcel) error {
	if len(list) == 0 {
		return nil
	}
	if len(list) > MaxParcels {
		return fmt.Errorf("fetch from %s: %d parcels are more than %d", remote, len(list), MaxParcels)
	}
	var in strings.Builder
	for _, p := range list {
		in.WriteString(parcelRefs + p.Name + "\n")
	}
	// In a partial clone, the files would else be left out.
	call := git.Call{Dir: c.repo.Root(), Network: true, Config: quietly, Stdin: strings.NewReader(in.String()), Args: []string{
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--no-prune", "--no-filter",
		"--stdin", "--end-of-options", remote}}
	if _, err := git.Output(ctx, call); err != nil {
		return remoteError(remote, "read", err)
	}
	return nil
}

// pushBatch is how many references one git push is told of: 150 bytes each, and macOS
// allows 1 MiB of arguments.
const pushBatch = 1000

// A Refusal is a remote's reason for not changing one reference.
type Refusal struct {
	Reason string // of git, such as [remote rejected] (pre-receive hook declined)
	Said   string // by the remote while it looked at all of them, free text; may be ""
}

func (r Refusal) String() string {
	if r.Said == "" {
		return r.Reason
	}
	return r.Reason + ": " + r.Said
}

// Push sends parcels whose commits are here, and removes others from the remote,
// by one git for each pushBatch of them. Nothing is overwritten: where the remote has
// another commit under the name, it refuses. The names that it refused come with why;
// an error says that the exchange itself failed, perhaps in the middle: what the
// remote has then is to be read again. done is called with the number settled so far.
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

// pushAnswers reads the lines "flag TAB from:to TAB summary" of git push --porcelain,
// adds the refusals to refused and returns how many there are in all.
func pushAnswers(out, said string, refused map[string]Refusal) (answers int) {
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(f) != 3 {
			continue // To URL, Done
		}
		answers++
		_, to, _ := strings.Cut(f[1], ":")
		if name, ok := strings.CutPrefix(to, parcelRefs); ok && f[0] == "!" {
			refused[name] = Refusal{f[2], said}
		}
	}
	return answers
}
