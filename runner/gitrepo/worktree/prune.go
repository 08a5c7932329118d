package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// Prune removes what perftrack processes that were killed left of this repository's
// throw-away worktrees. A worktree in use is never touched: its process holds a lock
// on the owner file, which the kernel gives up at the moment the process ends, however
// it ends, and which no later process with the same id has.
//
// It looks at the registered worktrees and into the temporary directory. The
// registration of a worktree whose folder is gone is dropped only when this host made
// it: a container that shares the repository has another temporary directory.
func Prune(ctx context.Context, repo *gitrepo.Repo) error {
	if err := prune(ctx, repo); err != nil {
		return fmt.Errorf("prune worktrees of %s: %w", repo.Root(), err)
	}
	return nil
}

func prune(ctx context.Context, repo *gitrepo.Repo) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	registered, err := registered(ctx, repo)
	if err != nil {
		return err
	}
	var errs []error
	outers := make(map[string]bool)
	for _, w := range registered {
		outer, ok := outerFolder(w.dir)
		if !ok {
			continue
		}
		outers[outer] = true
		if _, err := os.Lstat(outer); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(w.reason, lockedBy(host)) {
			continue
		}
		if _, err := gitIn(ctx, repo, unregister(w.dir)...); err != nil {
			errs = append(errs, err)
		}
	}
	temp, err := tempDir()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if outer := filepath.Join(temp, entry.Name()); folderName.MatchString(entry.Name()) {
			outers[outer] = true
		}
	}
	for outer := range outers {
		errs = append(errs, pruneFolder(ctx, repo, outer))
	}
	return errors.Join(errs...)
}

// pruneFolder removes the folder when it is one of this user and repository and the
// process that made it is gone.
func pruneFolder(ctx context.Context, repo *gitrepo.Repo, outer string) error {
	info, err := os.Lstat(outer)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return nil
	}
	if !isOurs(info) {
		return nil
	}
	owner, err := os.Open(filepath.Join(outer, ownerFile))
	if err != nil {
		return nil // being made, or being removed, or the leftover of a temp cleaner
	}
	defer owner.Close()
	if locked, _ := flock.Try(owner); !locked {
		return nil // in use
	}
	repository, err := io.ReadAll(io.LimitReader(owner, 64<<10))
	if err != nil || string(repository) != repo.GitDir() {
		return nil // of another repository, which has its registration
	}
	return discard(ctx, repo, outer)
}

// lockReason is what git shows for the worktree.
func lockReason(host string, pid int) string {
	return fmt.Sprintf("%s, process %d", lockedBy(host), pid)
}

func lockedBy(host string) string { return "perftrack on " + host }

// registration is a worktree that git knows.
type registration struct{ dir, reason string }

// registered lists the linked worktrees and the reasons of their locks.
func registered(ctx context.Context, repo *gitrepo.Repo) ([]registration, error) {
	// Without -z, which git has only since 2.36. A line break in a path of the user's
	// own is harmless here: nothing is removed but what its owner file allows.
	out, err := gitIn(ctx, repo, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var all []registration
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "worktree":
			all = append(all, registration{dir: value})
		case "locked":
			if len(all) > 0 {
				all[len(all)-1].reason = value
			}
		}
	}
	return all, nil
}

var folderName = regexp.MustCompile("^" + worktreePrefix + "[0-9a-f]{8}$")

// outerFolder returns the perftrack folder that holds the worktree at dir.
func outerFolder(dir string) (string, bool) {
	outer, name := filepath.Split(filepath.Clean(dir))
	outer = filepath.Clean(outer)
	return outer, name == checkoutName && filepath.IsAbs(dir) && folderName.MatchString(filepath.Base(outer))
}
