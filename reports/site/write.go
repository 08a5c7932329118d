package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Names of a written site beside its own files.
const (
	manifestName  = "perftrack-site.json" // tells a site of ours from a folder of somebody else
	stagingPrefix = ".perftrack-partial-" // what is not finished
)

// Progress is told how many of the site's files are made.
type Progress func(done, of int)

// Write writes the site, and more files by their paths, into the folder dir, which it makes if there is none. A folder with
// files of others is refused, unless it is a site that Write made: then files of an earlier
// site that this one has not are deleted, and what others put beside them stays. All is made
// in a folder of its own first, so that after a failure the earlier site is still there and
// whole, and no folder that there was not. The page itself comes last. The methods of the
// source are called by several goroutines.
func Write(ctx context.Context, dir string, s Source, more map[string][]byte, progress Progress) (err error) {
	if dir == "" {
		return errors.New("write the site: no folder is named")
	}
	_, statErr := os.Stat(dir)
	fresh := errors.Is(statErr, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	defer func() {
		err = errors.Join(err, root.Close())
		if err != nil && fresh {
			_ = os.Remove(dir) // only if it is empty
		}
	}()
	old, err := owned(root, dir)
	if err != nil {
		return err
	}
	staging := fmt.Sprintf("%s%d", stagingPrefix, os.Getpid())
	if err := root.Mkdir(staging, 0o777); err != nil {
		return fmt.Errorf("write the site into %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, root.RemoveAll(staging)) }()
	paths, err := stage(ctx, root, staging, s, more, progress)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("write the site into %s: %w", dir, err)
	}
	if err := install(root, staging, paths, old); err != nil {
		return fmt.Errorf("write the site into %s: %w", dir, err)
	}
	return nil
}

// owned returns the files of the site that is in a folder, none where it is empty. It takes
// away what an earlier Write left that was killed.
func owned(root *os.Root, dir string) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("write the site into %s: %w", dir, err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && strings.HasPrefix(e.Name(), stagingPrefix) && root.RemoveAll(e.Name()) == nil
	})
	if len(entries) == 0 {
		return nil, nil
	}
	files, err := readManifest(root)
	if err != nil {
		return nil, fmt.Errorf("write the site into %s: %w: name an empty folder, or one that does not exist yet", dir, err)
	}
	return files, nil
}

// stage makes all files below the folder staging, and returns their paths.
func stage(ctx context.Context, root *os.Root, staging string, s Source, more map[string][]byte, progress Progress) ([]string, error) {
	static, err := Assets()
	if err != nil {
		return nil, err
	}
	for name, text := range more {
		if static[name] != nil {
			return nil, fmt.Errorf("%s is a file of the site itself", name)
		}
		static[name] = text
	}
	files, err := list(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(static)) {
		files = append(files, file{name, func(context.Context) ([]byte, []file, error) { return static[name], nil, nil }})
	}
	w := &stagingWriter{root: root, staging: staging, progress: progress, known: map[string]bool{}}
	if err := w.add(files); err != nil {
		return nil, err
	}
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(w.known)), nil
}

// A stagingWriter writes files by as many goroutines as there are CPUs.
type stagingWriter struct {
	root     *os.Root
	staging  string
	progress Progress

	lock  sync.Mutex
	files []file
	known map[string]bool // their paths
	next  int             // file that nobody makes yet
	done  int
	err   error // the first
}

// add adds files that are to be written. Of two with one path, one would be lost.
func (w *stagingWriter) add(files []file) error {
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(f.path)) || w.known[f.path] {
			return fmt.Errorf("two documents, or none, are called %q", f.path)
		}
		w.known[f.path] = true
	}
	w.files = append(w.files, files...)
	return nil
}

func (w *stagingWriter) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for f, ok := w.take(ctx); ok; f, ok = w.take(ctx) {
				more, err := w.write(ctx, f)
				if !w.finish(more, err) {
					cancel()
				}
			}
		})
	}
	all.Wait()
	return w.err
}

// take returns the next file to write.
func (w *stagingWriter) take(ctx context.Context) (f file, ok bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.err == nil {
		w.err = ctx.Err()
	}
	if w.err != nil || w.next == len(w.files) {
		return f, false
	}
	w.next++
	return w.files[w.next-1], true
}

// finish notes how the writing of one ended, and which files it found.
func (w *stagingWriter) finish(more []file, err error) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if err == nil {
		err = w.add(more)
	}
	if w.err == nil {
		w.err = err
	}
	w.done++
	if w.progress != nil && err == nil {
		w.progress(w.done, len(w.files))
	}
	return err == nil
}

func (w *stagingWriter) write(ctx context.Context, f file) (more []file, err error) {
	text, more, err := f.make(ctx)
	if err != nil {
		return nil, err
	}
	name := path.Join(w.staging, f.path)
	if err := w.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return nil, err
	}
	return more, w.root.WriteFile(name, text, 0o666)
}
