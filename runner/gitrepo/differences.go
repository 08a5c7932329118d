package gitrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// maxHashed is the maximum size in bytes of a file identified by its content; a larger file is
// identified by its size and modification time.
const maxHashed = 64 << 20

// Differences maps each file of a work tree that differs from a commit to a string identifying its
// content. Paths are relative to the root of the work tree, with slashes.
type Differences map[string]string

// Differences returns how the work tree differs from a commit. Like [Repo.WorkTree], it ignores
// files that do not make a work tree dirty.
func (r *Repo) Differences(ctx context.Context, commit string, own Own) (Differences, error) {
	files, err := r.differing(ctx, commit, own)
	if err != nil {
		return nil, fmt.Errorf("read changes in %s: %w", r.root, err)
	}
	d := Differences{}
	for _, file := range files {
		if d[file], err = content(filepath.Join(r.root, filepath.FromSlash(file))); err != nil {
			return nil, fmt.Errorf("read changes in %s: %w", r.root, err)
		}
	}
	return d, nil
}

// Changed returns the sorted paths of the files that changed between since and d, both differences
// from the same commit. A file that was only committed in between has not changed.
func (d Differences) Changed(since Differences) (files []string) {
	for file, is := range d {
		if was, differed := since[file]; !differed || was != is {
			files = append(files, file)
		}
	}
	for file := range since {
		if _, differs := d[file]; !differs {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// differing returns the paths of the files differing from a commit.
func (r *Repo) differing(ctx context.Context, commit string, own Own) (files []string, err error) {
	config, _, err := git.FilterConfig(ctx, r.root)
	if err != nil {
		return nil, err
	}
	tracked, err := git.Output(ctx, git.Call{Dir: r.root, Config: config, Args: []string{"diff",
		"--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", commit, "--"}})
	if err != nil {
		return nil, err
	}
	untracked, err := git.Output(ctx, git.Call{Dir: r.root, Config: config, Args: []string{"ls-files", "--others", "--exclude-standard", "-z"}})
	if err != nil {
		return nil, err
	}
	for file := range strings.SplitSeq(string(tracked), "\x00") {
		if file != "" && !isKept(file) {
			files = append(files, file)
		}
	}
	for file := range strings.SplitSeq(string(untracked), "\x00") {
		if file != "" && !isKept(file) && !isByProduct(file) && !r.isOwn(file, own) {
			files = append(files, file)
		}
	}
	return files, nil
}

// content returns a string identifying the content of a file or the target of a link, or "" if path
// does not exist.
func content(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return "link to " + to, err
	case !info.Mode().IsRegular():
		return info.Mode().Type().String(), nil
	case info.Size() > maxHashed:
		return fmt.Sprintf("%v %d %v", info.Mode(), info.Size(), info.ModTime()), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return info.Mode().String() + " " + hex.EncodeToString(h.Sum(nil)), nil
}
