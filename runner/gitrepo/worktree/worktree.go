// Package worktree checks out a commit into a temporary directory, so that it can be built and
// measured while the user continues to work.
//
// [Add] creates a directory with the commit's files as git would have written them for the user;
// any differences are listed in Caveats. It does not touch the user's files, index, HEAD or
// branches. [Worktree.Remove] removes the directory. If the process is killed first, a guard
// process removes it, or at the latest the next [Prune]. Start with worktree.go. prune.go uses
// locks to find directories left behind by killed processes.
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

// A temporary worktree is a directory within the temporary directory:
//
//	perftrack-worktree-0123abcd/    mode 0700
//	    owner                       locked by the process that created it, see claim
//	    perftrack/                  the checked-out files, which is the worktree known to git
const (
	worktreePrefix = "perftrack-worktree-"
	ownerFile      = "owner"
	checkoutName   = "perftrack"
)

// removeTimeout limits a clean-up that has no other limit. Deleting a large checkout from a slow
// disk takes several seconds.
const removeTimeout = 2 * time.Minute

// Worktree is a commit checked out into a temporary directory. It shares only the objects of the
// user's repository: the user's files, index, HEAD, branches and stash are not touched.
type Worktree struct {
	// Dir is the top-level directory of the checked-out files. It has the same length in all
	// worktrees, because programs built without -trimpath contain it, and a different length would
	// move their data.
	Dir string
	// Commit is the checked-out commit.
	Commit gitrepo.Commit
	// Caveats describes how the files differ from a checkout by the user's own git.
	Caveats []string

	repo  *gitrepo.Repo
	outer string // the perftrack-worktree-* folder

	mu      sync.Mutex
	owner   int // descriptor holding the lock on the owner file; -1 after removal
	onDeath *proc.Guard
}

// Add checks out commit into a new directory outside the user's work tree. The caller must call
// Remove. If the process is killed first, a [proc.Guard] removes the worktree, or the next [Prune]
// if the guard was killed as well. main must therefore have called [proc.Supervise].
func Add(ctx context.Context, repo *gitrepo.Repo, commit gitrepo.Commit) (*Worktree, error) {
	if !git.IsObjectName(commit.SHA) {
		return nil, fmt.Errorf("add worktree: %q is not a full commit id", commit.SHA)
	}
	outer, err := newFolderName(repo)
	if err != nil {
		return nil, fmt.Errorf("add worktree: %w", err)
	}
	w := &Worktree{Dir: filepath.Join(outer, checkoutName), Commit: commit, repo: repo, outer: outer, owner: -1}
	// Start the guard first, so the directory never exists without one.
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

// newFolderName chooses the path for a worktree's directory.
func newFolderName(repo *gitrepo.Repo) (outer string, err error) {
	temp, err := tempDir()
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(repo.Root(), temp); err == nil && filepath.IsLocal(rel) {
		return "", fmt.Errorf("the temporary directory %s is inside the repository: set TMPDIR to a directory outside", temp)
	}
	// os.MkdirTemp cannot be used, because its names differ in length.
	var random [4]byte
	_, _ = rand.Read(random[:])
	return filepath.Join(temp, worktreePrefix+hex.EncodeToString(random[:])), nil
}

// makeFolder creates the directory for a worktree and locks its owner file.
func makeFolder(repo *gitrepo.Repo, outer string) (owner int, err error) {
	if err := os.Mkdir(outer, 0o700); err != nil {
		return -1, err
	}
	if owner, err = claim(outer, repo.GitDir()); err != nil {
		return -1, errors.Join(err, os.RemoveAll(outer))
	}
	return owner, nil
}

// tempDir returns the temporary directory under the name recorded by git.
func tempDir() (string, error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(temp)
}

// checkOut registers the worktree and checks out its files.
func (w *Worktree) checkOut(ctx context.Context) error {
	if _, err := gitIn(ctx, w.repo, "worktree", "add", "--quiet", "--no-checkout", "--detach",
		"--end-of-options", w.Dir, w.Commit.SHA); err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	// The lock keeps git gc from removing the worktree and informs readers of `git worktree list`.
	if _, err := gitIn(ctx, w.repo, "worktree", "lock", "--reason", lockReason(host, os.Getpid()), w.Dir); err != nil {
		return err
	}
	// Read the configuration in the new worktree, because an includeIf can give it a configuration
	// of its own.
	config, drivers, err := git.FilterConfig(ctx, w.Dir)
	if err != nil {
		return err
	}
	if _, err := git.Output(ctx, git.Call{Dir: w.Dir, Config: config, Network: true,
		Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules"}}); err != nil {
		return err
	}
	for _, driver := range drivers {
		w.Caveats = append(w.Caveats, fmt.Sprintf("filter %q, which only the repository's configuration defines, was not run on the files in %s",
			driver, record.ShortHash(w.Commit.SHA)))
	}
	if _, err := os.Lstat(filepath.Join(w.Dir, ".gitmodules")); err == nil {
		w.Caveats = append(w.Caveats, fmt.Sprintf("the submodules of %s were not checked out", record.ShortHash(w.Commit.SHA)))
	}
	return nil
}

// guard starts the process that removes the worktree if this process is killed.
func (w *Worktree) guard() (*proc.Guard, error) {
	argv, err := git.CommandLine(w.repo.GitDir(), unregister(w.Dir)...)
	if err != nil {
		return nil, err
	}
	return proc.OnDeath([]string{w.outer}, proc.Cleanup{Dir: w.repo.GitDir(), Argv: argv})
}

// gitIn runs a git command in the top-level directory of repo's work tree and returns its output.
func gitIn(ctx context.Context, repo *gitrepo.Repo, args ...string) ([]byte, error) {
	return git.Output(ctx, git.Call{Dir: repo.Root(), Args: args})
}

// unregister returns the git command that removes the registration of the worktree at dir, whose
// files may already be gone. The second --force is necessary because the worktree is locked.
func unregister(dir string) []string {
	return []string{"worktree", "remove", "--force", "--force", "--end-of-options", dir}
}

// Remove deletes the worktree and its registration. It may be called more than once, and does its
// work even if ctx is canceled.
func (w *Worktree) Remove(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.owner < 0 {
		return nil
	}
	if err := discard(ctx, w.repo, w.outer); err != nil {
		return fmt.Errorf("remove worktree: %w", err)
	}
	// Release the lock only now, because it keeps Prune in other processes from interfering.
	unclaim(w.owner)
	w.owner = -1
	if w.onDeath != nil {
		_ = w.onDeath.Release() // if the guard has ended, there is nothing left to do
	}
	return nil
}

// discard deletes the directory and the registration of a worktree. The caller must hold the lock.
// The owner file is deleted last, so Prune can find the remains of an interrupted discard.
func discard(ctx context.Context, repo *gitrepo.Repo, outer string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	checkout := filepath.Join(outer, checkoutName)
	// git worktree remove is not used, because it refuses a checkout with a damaged .git file and
	// fails on read-only directories.
	errFiles := proc.RemoveAll(checkout)
	// After this, nothing in git refers to the directory. `git worktree prune` is not used, because
	// it would also remove other worktrees of the user, such as those on an unmounted disk.
	_, err := gitIn(ctx, repo, unregister(checkout)...)
	if err != nil && !strings.Contains(git.Stderr(err), "is not a working tree") {
		return errors.Join(err, errFiles)
	}
	if errFiles != nil {
		return errFiles
	}
	return proc.RemoveAll(outer)
}
