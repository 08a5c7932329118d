package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// ErrNotRepository means that a directory is not in a git work tree.
var ErrNotRepository = errors.New("not a git repository")

// Repo is a git repository with a work tree. It is safe for concurrent use.
type Repo struct {
	root   string   // top-level directory of the work tree
	common string   // git directory shared by all worktrees of the repository
	read   sync.Map // commits read one by one, keyed by object name
}

// Open opens the repository whose work tree, possibly a linked worktree, contains dir. If dir is
// not in a repository, the error matches [ErrNotRepository].
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("open repository %s: not a directory", dir)
	}
	// --show-toplevel comes last because it fails without a work tree; the earlier answers then
	// show the reason.
	out, err := git.Output(ctx, git.Call{Dir: dir, Args: []string{"rev-parse",
		"--is-bare-repository", "--is-inside-git-dir", "--git-common-dir", "--show-toplevel"}})
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, explainOpen(string(out), dir, err))
	}
	var common, root string
	if answers := strings.Split(string(out), "\n"); len(answers) == 5 {
		common, root = answers[2], answers[3]
	} else if common, root, err = openOddly(ctx, dir); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if !filepath.IsAbs(common) {
		// The path is relative to dir with symbolic links resolved.
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return nil, fmt.Errorf("open repository: %w", err)
		}
		common = filepath.Join(dir, common)
	}
	return &Repo{root: root, common: common}, nil
}

// openOddly reads each path in a separate call, because one of the paths contains a newline.
func openOddly(ctx context.Context, dir string) (common, root string, err error) {
	for option, path := range map[string]*string{"--git-common-dir": &common, "--show-toplevel": &root} {
		out, err := git.Output(ctx, git.Call{Dir: dir, Args: []string{"rev-parse", option}})
		if err != nil {
			return "", "", err
		}
		*path = strings.TrimSuffix(string(out), "\n")
	}
	return common, root, nil
}

// explainOpen turns an error from rev-parse into an error with advice for the user.
func explainOpen(answers, dir string, err error) error {
	stderr := git.Stderr(err)
	switch {
	case strings.Contains(stderr, "not a git repository"):
		return ErrNotRepository
	case strings.Contains(stderr, "dubious ownership"):
		// git names the directory to allow, which may differ from dir.
		_, remedy, ok := strings.Cut(stderr, "git config --global")
		if !ok {
			return err
		}
		return fmt.Errorf("it belongs to another user; if you trust it, run `git config --global%s`",
			strings.TrimRight(remedy, "\n"))
	case strings.HasPrefix(answers, "true\n"):
		return errors.New("a bare repository has no work tree; use a clone, or a worktree created with `git worktree add`")
	case strings.HasPrefix(answers, "false\ntrue\n"):
		return errors.New("it is the git directory; run perftrack in the work tree")
	}
	return err
}

// Root returns the absolute path of the top-level directory of the work tree, with symbolic links
// resolved.
func (r *Repo) Root() string { return r.root }

// GitDir returns the absolute path of the git directory shared by all worktrees of the repository.
func (r *Repo) GitDir() string { return r.common }

// MainWorkTree returns the root of the repository's main work tree, or "" if the repository is bare
// or the work tree no longer exists.
func (r *Repo) MainWorkTree(ctx context.Context) (string, error) {
	if info, err := os.Stat(filepath.Join(r.root, ".git")); err == nil && info.IsDir() {
		return r.root, nil
	}
	// .git is a file in a linked work tree, in a submodule, and in a repository whose git directory
	// is elsewhere.
	out, err := r.git(ctx, "rev-parse", "--git-dir")
	if err != nil {
		return "", fmt.Errorf("find the main work tree of %s: %w", r.root, err)
	}
	own := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(own) {
		own = filepath.Join(r.root, own)
	}
	if sameDirectory(own, r.common) {
		return r.root, nil
	}
	if out, err = r.git(ctx, "worktree", "list", "--porcelain"); err != nil {
		return "", fmt.Errorf("find the main work tree of %s: %w", r.root, err)
	}
	first, _, _ := strings.Cut(string(out), "\n\n")
	path, rest, _ := strings.Cut(first, "\n")
	path = strings.TrimPrefix(path, "worktree ")
	if info, err := os.Stat(path); err != nil || !info.IsDir() || strings.HasPrefix(rest, "bare") {
		return "", nil
	}
	return path, nil
}

func sameDirectory(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, two)
}

// Remotes returns the names of the remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes of %s: %w", r.root, err)
	}
	return strings.Fields(string(out)), nil
}

// git runs a git command in the top-level directory of the work tree and returns its output.
func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return git.Output(ctx, git.Call{Dir: r.root, Args: args})
}
