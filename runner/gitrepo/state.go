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

// State is the state of the user's work tree.
type State struct {
	// Commit is what HEAD is; the zero value when Unborn.
	Commit Commit
	// Unborn says that the repository has no commit yet.
	Unborn bool
	// Branch is the branch that is checked out, without refs/heads/; empty when HEAD
	// is detached, as during a bisection or in a CI checkout.
	Branch string
	// Dirty says that what would be built is not what Commit says. Every difference of
	// a tracked file counts, and every untracked file that is not ignored, because a
	// build can read any file. Three things do not count: the .perftrack folder at the
	// root, profiles (*.prof, *.pprof) and test binaries (*.test), which measuring
	// itself leaves behind.
	Dirty bool
	// Changed are the paths that make it dirty, relative to the root with slashes, at
	// most maxChanged of them, in git's order. An untracked folder is one path ending
	// in a slash. Paths are free text.
	Changed []string
}

// maxChanged is enough for a message to say what is dirty.
const maxChanged = 20

// WorkTree tells the state of the work tree. It changes nothing, not even git's
// cached file times. Untracked files whose path begins with one of ours, which are
// absolute, do not count: they are perftrack's own.
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
	// Each setting that status reads from the user's configuration is given, so that
	// dirty means the same everywhere.
	out, err := git.Output(ctx, git.Call{Dir: r.root, Config: config, Args: []string{"status",
		"--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=none"}})
	if err != nil {
		return State{}, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if len(entry) < 4 { // two status letters, a space, a path
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

// isOwn reports whether the file is in the folder of perftrack's database.
func isOwn(file string) bool { return strings.HasPrefix(file, ".perftrack/") }

// isOneOf reports whether the path of the file, relative to the root, begins with one
// of the absolute paths.
func (r *Repo) isOneOf(file string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return strings.HasPrefix(filepath.Join(r.root, filepath.FromSlash(file)), p)
	})
}

// isByProduct reports whether a file is of a kind that measuring leaves behind.
func isByProduct(file string) bool {
	switch path.Ext(file) {
	case ".prof", ".pprof", ".test":
		return true
	}
	return false
}
