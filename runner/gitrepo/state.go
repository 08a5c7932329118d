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
	// ignores it. By-products of measuring are exceptions: the .perftrack directory at the root,
	// profiles (*.prof, *.pprof), test binaries (*.test) and the files in [Own].
	Dirty bool
	// Changed lists at most maxChanged of the paths that make the work tree dirty, relative to the
	// root, with slashes, in git's order. The path of an untracked directory ends in a slash. Paths
	// are untrusted text.
	Changed []string
}

// maxChanged is the number of paths that are useful in a message.
const maxChanged = 20

// Own names untracked files that do not make a work tree dirty, because measuring wrote them.
type Own struct {
	Database string   // absolute path; files whose path begins with it belong to it
	Results  []string // files and folders with the results of targets, relative to the root, with slashes
}

// WorkTree returns the state of the work tree. It changes nothing, not even the file times that git
// caches.
func (r *Repo) WorkTree(ctx context.Context, own Own) (State, error) {
	state, err := r.workTree(ctx, own)
	if err != nil {
		return State{}, fmt.Errorf("read state of %s: %w", r.root, err)
	}
	return state, nil
}

func (r *Repo) workTree(ctx context.Context, own Own) (State, error) {
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
		if isKept(file) || untracked && (isByProduct(file) || r.isOwn(file, own)) {
			continue
		}
		changed := []string{file}
		if untracked && own.within(file) {
			if changed, err = r.othersIn(ctx, config, file, own); err != nil {
				return State{}, err
			}
		}
		state.Dirty = state.Dirty || len(changed) > 0
		state.Changed = append(state.Changed, changed[:min(len(changed), maxChanged-len(state.Changed))]...)
	}
	return state, nil
}

// othersIn returns the untracked files in an untracked directory that are no by-products of measuring.
func (r *Repo) othersIn(ctx context.Context, config []string, dir string, own Own) (files []string, err error) {
	out, err := git.Output(ctx, git.Call{Dir: r.root, Config: config, Args: []string{"ls-files",
		"--others", "--exclude-standard", "-z", "--", ":(literal)" + dir}})
	if err != nil {
		return nil, err
	}
	for file := range strings.SplitSeq(string(out), "\x00") {
		if file != "" && !isByProduct(file) && !r.isOwn(file, own) {
			files = append(files, file)
		}
	}
	return files, nil
}

// isKept reports whether the file is in the directory of perftrack's database.
func isKept(file string) bool { return strings.HasPrefix(file, ".perftrack/") }

// isOwn reports whether an untracked file belongs to own.
func (r *Repo) isOwn(file string, own Own) bool {
	return own.Database != "" && strings.HasPrefix(filepath.Join(r.root, filepath.FromSlash(file)), own.Database) ||
		slices.ContainsFunc(own.Results, func(result string) bool {
			return file == result || strings.HasPrefix(file, result+"/")
		})
}

// within reports whether an untracked directory, whose path ends in a slash, may have results in it.
func (o Own) within(dir string) bool {
	return slices.ContainsFunc(o.Results, func(result string) bool {
		return strings.HasSuffix(dir, "/") && strings.HasPrefix(result, dir)
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
