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

	"github.com/perftrack/perftrack/reports/site/documents"
)

// Names of the file and the folder that perftrack adds to a site's folder.
const (
	manifestName  = "perftrack-site.json" // identifies a site written by perftrack
	stagingPrefix = ".perftrack-partial-" // prefix for the folder of an unfinished site
)

// A Progress is called with the number of files made so far and their total.
type Progress func(done, of int)

// Write writes the site and the files in more, given by path, to the folder dir. It creates the
// folder if necessary. It returns an error if the folder has other files, unless the folder is a
// site written earlier. In that case, Write deletes earlier files that the new site does not have,
// and leaves files that it did not write. It writes to a staging folder first, so that a failure
// leaves the earlier site intact or creates no folder. The page is moved into place last. Write
// calls the methods of the source from several goroutines.
func Write(ctx context.Context, dir string, s documents.Source, more map[string][]byte, progress Progress) (err error) {
	if dir == "" {
		return errors.New("write the site: no folder was named")
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
			_ = os.Remove(dir) // fails unless the folder is empty
		}
	}()
	old, err := owned(root, dir)
	if err != nil {
		return err
	}
	staging := fmt.Sprintf("%s%d", stagingPrefix, os.Getpid())
	if err := root.Mkdir(staging, 0o777); err != nil {
		return fmt.Errorf("write the site to %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, root.RemoveAll(staging)) }()
	paths, err := stage(ctx, root, staging, s, more, progress)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("write the site to %s: %w", dir, err)
	}
	if err := install(root, staging, paths, old); err != nil {
		return fmt.Errorf("write the site to %s: %w", dir, err)
	}
	return nil
}

// owned returns the files of the site in a folder, or nil if the folder is empty. It deletes
// staging folders left by a killed Write.
func owned(root *os.Root, dir string) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("write the site to %s: %w", dir, err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && strings.HasPrefix(e.Name(), stagingPrefix) && root.RemoveAll(e.Name()) == nil
	})
	if len(entries) == 0 {
		return nil, nil
	}
	files, err := readManifest(root)
	if err != nil {
		return nil, fmt.Errorf("write the site to %s: %w: name an empty folder, or one that does not exist yet", dir, err)
	}
	return files, nil
}

// stage writes all files to the staging folder and returns their paths.
func stage(ctx context.Context, root *os.Root, staging string, s documents.Source, more map[string][]byte, progress Progress) ([]string, error) {
	static, err := Assets()
	if err != nil {
		return nil, err
	}
	for name, text := range more {
		if static[name] != nil {
			return nil, fmt.Errorf("%s belongs to the site itself", name)
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

// A stagingWriter writes files in as many goroutines as GOMAXPROCS.
type stagingWriter struct {
	root     *os.Root
	staging  string
	progress Progress

	lock  sync.Mutex
	files []file
	known map[string]bool // paths that are taken
	next  int             // index of the next file to write
	done  int
	err   error // first error
}

// add adds files to write. It returns an error if a path is used twice or leads out of the folder.
func (w *stagingWriter) add(files []file) error {
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(f.path)) || w.known[f.path] {
			return fmt.Errorf("document %q: the path is used twice or is outside the folder", f.path)
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

// take returns the next file to write. ok is false if there are no more files or an error has
// occurred.
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

// finish records the result of writing a file and adds the further files it returned. It reports
// whether all of this succeeded.
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
