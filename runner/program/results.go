package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A Writer is a program that writes its results to files instead of printing them.
type Writer interface {
	// ClearResults removes the results of earlier processes. It must be called before the Command of
	// each process. It returns false if the program prints its results.
	ClearResults() (writes bool, err error)
	// ReadResults calls file with each result file and folder with each result folder, in the order
	// of the target's list. A name is a path in fsys, the target's folder.
	ReadResults(file func(fsys fs.FS, name string) error, folder func(fsys fs.FS, name string) error) error
}

// results returns the target's results, as paths in its folder with slashes.
func (c *commandProgram) results() (names []string) {
	for _, name := range c.plan.Target.Results {
		names = append(names, filepath.ToSlash(filepath.Clean(name)))
	}
	return names
}

// checkResults returns an error if a result is a file that git tracks, because it would be removed.
func (c *commandProgram) checkResults(ctx context.Context) error {
	if len(c.plan.Target.Results) == 0 {
		return nil
	}
	tracked, _, err := gitrepo.Listed(ctx, c.dir)
	if err != nil {
		return ctx.Err() // outside a repository nothing is tracked
	}
	if i := slices.IndexFunc(tracked, c.isResult); i >= 0 {
		return fmt.Errorf("target %s: results are removed before each process, but git tracks %s", c.plan.Target.Name, tracked[i])
	}
	return nil
}

// ClearResults implements [Writer]. It never leaves the target's folder: a path through a symbolic
// link to the outside is an error, and a link in the place of a result is itself removed.
func (c *commandProgram) ClearResults() (bool, error) {
	names := c.results()
	if len(names) == 0 {
		return false, nil
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return true, err
	}
	defer root.Close()
	for _, name := range names {
		if err := c.clear(root, name); err != nil {
			return true, fmt.Errorf("remove earlier results of target %s: %w", c.plan.Target.Name, err)
		}
	}
	return true, nil
}

// clear removes a result and creates the folder above it. In a box, only paths that already exist
// can be writable, so an empty file or folder takes its place.
func (c *commandProgram) clear(root *os.Root, name string) error {
	boxed, folder := c.plan.Isolate, isFolder(name)
	info, err := root.Lstat(name)
	switch {
	case err == nil && boxed && folder && info.IsDir():
		return empty(root, name) // a box that is in use shows this very folder
	case err == nil && boxed && !folder && info.Mode().IsRegular():
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
		return errors.Join(err, f.Close())
	}
	if err := root.RemoveAll(name); err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch {
	case !boxed:
		return nil
	case folder:
		return root.Mkdir(name, 0o755)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// isFolder reports whether a result is a folder, judging by its name. This matters only in a box.
func isFolder(name string) bool { return filepath.Ext(name) == "" }

// empty removes everything in a folder, but not the folder itself.
func empty(root *os.Root, name string) error {
	entries, err := fs.ReadDir(root.FS(), name)
	for _, e := range entries {
		err = errors.Join(err, root.RemoveAll(name+"/"+e.Name()))
	}
	return err
}

// ReadResults implements [Writer].
func (c *commandProgram) ReadResults(file, folder func(fsys fs.FS, name string) error) error {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range c.results() {
		info, err := root.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && c.plan.Isolate && blank(root, name, info):
			return fmt.Errorf("the run line wrote no %s (%s)", name, c.plan.Target.Run)
		case err != nil:
			return err
		case info.IsDir():
			err = folder(root.FS(), name)
		case info.Mode().IsRegular():
			err = file(root.FS(), name)
		default:
			err = fmt.Errorf("%s is neither a file nor a folder", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// blank reports whether a result is still as clear left it for a process in a box.
func blank(root *os.Root, name string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return info.Size() == 0
	}
	entries, err := fs.ReadDir(root.FS(), name)
	return err == nil && len(entries) == 0
}

// writable returns the paths of the results, which a process in a box may change. They are inside
// the target's folder without symbolic links, because ClearResults has created them.
func (c *commandProgram) writable() (paths []string) {
	for _, name := range c.results() {
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		if real, err := filepath.EvalSymlinks(path); err == nil && within(real, c.realDir()) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (c *commandProgram) realDir() string {
	real, err := filepath.EvalSymlinks(c.dir)
	if err != nil {
		return c.dir
	}
	return real
}

// isResult reports whether a path in the target's folder, with slashes, is a result or inside one.
func (c *commandProgram) isResult(name string) bool {
	return slices.ContainsFunc(c.results(), func(r string) bool { return name == r || strings.HasPrefix(name, r+"/") })
}
