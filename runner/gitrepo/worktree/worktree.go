// Package worktree checks a commit out into a throw-away folder, where it can be built
// and measured while the user goes on working.
//
// [Add] makes a folder with the commit's files, as git would have written them for the
// user; what differs is in its caveats. The user's files, index, HEAD and branches are
// not touched. The folder goes when its owner says so ([Worktree.Remove]), when the
// owner's process ends in any way, or at the latest with the next [Prune]. Begin with
// worktree.go; prune.go has the locks by which one process knows the folders of another
// that was killed.
package worktree

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// A throw-away worktree is a folder of the temporary directory:
//
//	perftrack-worktree-0123abcd/    mode 0700
//	    owner                       locked by the process that made it, see claim
//	    perftrack/                  the checked out files, the worktree git knows
const (
	worktreePrefix = "perftrack-worktree-"
	ownerFile      = "owner"
	checkoutName   = "perftrack"
)

// removeTimeout is for a clean-up that nothing else limits. Deleting a large checkout
// from a slow disk takes seconds.
const removeTimeout = 2 * time.Minute

// Worktree is a commit checked out into a throw-away directory. It shares the objects
// of the user's repository and nothing else: the user's files, index, HEAD, branches
// and stash are not touched.
type Worktree struct {
	// Dir is the top of the checked out files. All worktrees have a Dir of the same
	// length, because it ends up in programs built without -trimpath, and a different
	// length moves their data.
	Dir string
	// Commit is what is checked out.
	Commit gitrepo.Commit
	// Caveats tell in what the files differ from a checkout by the user's own git.
	Caveats []string

	repo  *gitrepo.Repo
	outer string // the perftrack-worktree-* folder

	mu      sync.Mutex
	owner   int // descriptor that holds the lock on the owner file; -1 once removed
	onDeath *proc.Guard
}

// Add checks commit out into a fresh directory outside the user's tree. The
// caller must call Remove. Should the process be killed before, a [proc.Guard] removes
// the worktree, or the next [Prune] where the guard was killed too; so main must
// have called [proc.Supervise].
func Add(ctx context.Context, repo *gitrepo.Repo, commit gitrepo.Commit) (*Worktree, error) {
	if !git.IsObjectName(commit.SHA) {
		return nil, fmt.Errorf("add worktree: %q is not a full commit id", commit.SHA)
	}
	outer, err := newFolderName(repo)
	if err != nil {
		return nil, fmt.Errorf("add worktree: %w", err)
	}
	w := &Worktree{Dir: filepath.Join(outer, checkoutName), Commit: commit, repo: repo, outer: outer, owner: -1}
	// The guard comes before the folder: at no moment is there a folder without one.
	if w.onDeath, err = w.guard(); err != nil {
		return nil, fmt.Errorf("add worktree: %w", err)
	}
	if w.owner, err = makeFolder(repo, outer); err != nil {
		return nil, fmt.Errorf("add worktree: %w", errors.Join(err, w.onDeath.Release()))
	}
	if err := w.checkOut(ctx); err != nil {
		return nil, fmt.Errorf("add worktree of %s: %w", commit.SHA, errors.Join(err, w.Remove(ctx)))
	}
	return w, nil
}

// newFolderName chooses where a worktree's folder will be.
func newFolderName(repo *gitrepo.Repo) (outer string, err error) {
	temp, err := tempDir()
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(repo.Root(), temp); err == nil && filepath.IsLocal(rel) {
		return "", fmt.Errorf("the temporary directory %s lies inside the repository: set TMPDIR to one outside", temp)
	}
	// Not os.MkdirTemp: its names differ in length.
	var random [4]byte
	_, _ = rand.Read(random[:])
	return filepath.Join(temp, worktreePrefix+hex.EncodeToString(random[:])), nil
}

// makeFolder makes the folder of a worktree and takes the lock on its owner file.
func makeFolder(repo *gitrepo.Repo, outer string) (owner int, err error) {
	if err := os.Mkdir(outer, 0o700); err != nil {
		return -1, err
	}
	if owner, err = claim(outer, repo.GitDir()); err != nil {
		return -1, errors.Join(err, os.RemoveAll(outer))
	}
	return owner, nil
}

// tempDir is the temporary directory by the name that git records it under.
func tempDir() (string, error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(temp)
}

// checkOut registers the worktree and fills it.
func (w *Worktree) checkOut(ctx context.Context) error {
	if _, err := gitIn(ctx, w.repo, "worktree", "add", "--quiet", "--no-checkout", "--detach",
		"--end-of-options", w.Dir, w.Commit.SHA); err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	// Keeps git gc away, and tells the user who reads `git worktree list`.
	if _, err := gitIn(ctx, w.repo, "worktree", "lock", "--reason", lockReason(host, os.Getpid()), w.Dir); err != nil {
		return err
	}
	// The configuration is asked in the new worktree, where an includeIf can make it
	// another one than in the user's.
	config, drivers, err := git.FilterConfig(ctx, w.Dir)
	if err != nil {
		return err
	}
	if _, err := git.Output(ctx, git.Call{Dir: w.Dir, Config: config, Network: true,
		Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules"}}); err != nil {
		return err
	}
	for _, driver := range drivers {
		w.Caveats = append(w.Caveats, fmt.Sprintf("filter %q of the repository's own configuration was not run on the files of %s",
			driver, record.ShortHash(w.Commit.SHA)))
	}
	if _, err := os.Lstat(filepath.Join(w.Dir, ".gitmodules")); err == nil {
		w.Caveats = append(w.Caveats, fmt.Sprintf("submodules of %s are not checked out", record.ShortHash(w.Commit.SHA)))
	}
	return nil
}

// guard starts the process that removes the worktree when this one is killed.
func (w *Worktree) guard() (*proc.Guard, error) {
	argv, err := git.CommandLine(w.repo.GitDir(), unregister(w.Dir)...)
	if err != nil {
		return nil, err
	}
	return proc.OnDeath([]string{w.outer}, proc.Cleanup{Dir: w.repo.GitDir(), Argv: argv})
}

// gitIn runs a git command at the top of the work tree of repo and returns its output.
func gitIn(ctx context.Context, repo *gitrepo.Repo, args ...string) ([]byte, error) {
	return git.Output(ctx, git.Call{Dir: repo.Root(), Args: args})
}

// unregister is the git command that forgets the worktree at dir, whose files may be
// gone already. The second --force is for its lock.
func unregister(dir string) []string {
	return []string{"worktree", "remove", "--force", "--force", "--end-of-options", dir}
}

// Remove deletes the worktree and its registration. It may be called more than once,
// and does its work even when ctx is cancelled.
func (w *Worktree) Remove(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.owner < 0 {
		return nil
	}
	if err := discard(ctx, w.repo, w.outer); err != nil {
		return fmt.Errorf("remove worktree: %w", err)
	}
	// Only now: while the lock is held, no Prune of another process interferes.
	unclaim(w.owner)
	w.owner = -1
	if w.onDeath != nil {
		_ = w.onDeath.Release() // a guard that is gone already has nothing left to do
	}
	return nil
}

// discard deletes the folder of a worktree, whose lock the caller holds, and its
// registration. The files go first and the owner file last, so that whatever point it
// is interrupted at, Prune finds the rest.
func discard(ctx context.Context, repo *gitrepo.Repo, outer string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	checkout := filepath.Join(outer, checkoutName)
	// Not left to git worktree remove, which refuses a checkout whose .git file was
	// damaged and stops at read-only folders.
	errFiles := proc.RemoveAll(checkout)
	// After this git has nothing that names the folder. `git worktree prune` would do
	// as well, but drops other worktrees of the user, on a disk that is not mounted.
	_, err := gitIn(ctx, repo, unregister(checkout)...)
	if err != nil && !strings.Contains(git.Stderr(err), "is not a working tree") {
		return errors.Join(err, errFiles)
	}
	if errFiles != nil {
		return errFiles
	}
	return proc.RemoveAll(outer)
}
