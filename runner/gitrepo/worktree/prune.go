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

// Prune removes temporary worktrees of this repository left behind by killed perftrack processes.
// It never removes a worktree in use, because its process holds a lock on the owner file. The
// kernel releases the lock as soon as the process ends, even if it is killed, and a later process
// with the same id does not hold it.
//
// Prune examines the registered worktrees and the temporary directory. If the directory of a
// registered worktree is missing, it removes the registration only if it was made on this host,
// because a container sharing the repository has another temporary directory.
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

// pruneFolder removes the directory outer if it belongs to this user and repository and if its
// process has ended.
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
		return nil // being created or removed, or left over by a cleaner of temporary files
	}
	defer owner.Close()
	if locked, _ := flock.Try(owner); !locked {
		return nil // still in use
	}
	repository, err := io.ReadAll(io.LimitReader(owner, 64<<10))
	if err != nil || string(repository) != repo.GitDir() {
		return nil // belongs to another repository and is registered there
	}
	return discard(ctx, repo, outer)
}

// lockReason returns the reason shown by git for the worktree's lock.
func lockReason(host string, pid int) string {
	return fmt.Sprintf("%s, process %d", lockedBy(host), pid)
}

func lockedBy(host string) string { return "perftrack on " + host }

// registration is an entry in git's list of worktrees.
type registration struct{ dir, reason string }

// registered returns the repository's worktrees and the reason for each lock.
func registered(ctx context.Context, repo *gitrepo.Repo) ([]registration, error) {
	// -z is not used, because it requires git 2.36. A newline in a user's path does no harm,
	// because nothing is removed unless its owner file allows it.
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

// outerFolder returns the perftrack directory containing the worktree at dir. The result is false
// if dir is not in such a directory.
func outerFolder(dir string) (string, bool) {
	outer, name := filepath.Split(filepath.Clean(dir))
	outer = filepath.Clean(outer)
	return outer, name == checkoutName && filepath.IsAbs(dir) && folderName.MatchString(filepath.Base(outer))
}
