package gitrepo

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// State describes the user's work tree.
type State struct {
	// Commit is the commit that HEAD points to, or the zero value if Unborn is set.
	Commit Commit
	// Unborn is set if the repository has no commits yet.
	Unborn bool
	// Branch is the checked-out branch without refs/heads/. It is empty if HEAD is detached, as
	// during a bisection or in a CI checkout.
	Branch string
	// Dirty is set if a build could differ from a build of Commit. Because a build can read any
	// file, it is set for every change to a tracked file and for every untracked file, unless git
	// ignores it. Three by-products of measuring are exceptions: the .perftrack directory at the
	// root, profiles (*.prof, *.pprof) and test binaries (*.test).
	Dirty bool
	// Changed lists at most maxChanged of the paths that make the work tree dirty, relative to the
	// root, with slashes, in git's order. The path of an untracked directory ends in a slash. Paths
	// are untrusted text.
	Changed []string
}

// maxChanged is the number of paths that are useful in a message.
const maxChanged = 20

// WorkTree returns the state of the work tree. It changes nothing, not even the file times that git
// caches. It ignores untracked files whose absolute path begins with an element of ours, because
// they are perftrack's own files.
func (r *Repo) WorkTree(ctx context.Context, ours ...string) (State, error) {
	state, err := r.workTree(ctx, ours)
	if err != nil {
		return State{}, fmt.Errorf("read state of %s: %w", r.root, err)
	}
	return state, nil
}

func (r *Repo) workTree(ctx context.Context, ours []string) (State, error) {
	var state State
	sha, err := r.lookup(ctx, "HEAD")
	if err != nil {
		return State{}, err
	}
	if state.Unborn = sha == ""; !state.Unborn {
		if state.Commit, err = r.commit(ctx, sha); err != nil {
			return State{}, err
		}
	}
	if state.Branch, err = r.HeadBranch(ctx); err != nil {
		return State{}, err
	}
	config, _, err := git.FilterConfig(ctx, r.root)
	if err != nil {
		return State{}, err
	}
	// Override each setting git status could read from the user's configuration, so dirty means the
	// same everywhere.
	out, err := git.Output(ctx, git.Call{Dir: r.root, Config: config, Args: []string{"status",
		"--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=none"}})
	if err != nil {
		return State{}, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if len(entry) < 4 { // two status letters, a space and a path
			continue
		}
		untracked, file := entry[:2] == "??", entry[3:]
		if isOwn(file) || untracked && (isByProduct(file) || r.isOneOf(file, ours)) {
			continue
		}
		state.Dirty = true
		if len(state.Changed) < maxChanged {
			state.Changed = append(state.Changed, file)
		}
	}
	return state, nil
}

// isOwn reports whether the file is in the directory of perftrack's database.
func isOwn(file string) bool { return strings.HasPrefix(file, ".perftrack/") }

// isOneOf reports whether the absolute path of file, given relative to the root, begins with one of
// paths.
func (r *Repo) isOneOf(file string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return strings.HasPrefix(filepath.Join(r.root, filepath.FromSlash(file)), p)
	})
}

// isByProduct reports whether a file is a by-product of measuring.
func isByProduct(file string) bool {
	switch path.Ext(file) {
	case ".prof", ".pprof", ".test":
		return true
	}
	return false
}
