package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// inFolders counts the files in folders.
type inFolders struct {
	read   int
	passed []string // in no known format
	quotes []string // only quote results
	empty  []error  // one error for each file without results
	bad    []error  // one error for each unreadable file
}

// maxFiles is the number of files in a folder. A history of a commit a day has that many in 270
// years.
const maxFiles = 100_000

// noCommit is the reason for leaving out a run in a folder, which is a history.
const noCommit = "neither the file nor its name gives a commit; --commit names one for all files"

// folder stores the runs of the files in a folder and below it. The commit of a file that does not
// name one is taken from its name. Files in no known format are passed over, and unreadable ones do
// not keep the others from being stored. A folder in a known format, such as Criterion's, is one
// input.
func (im *fileImport) folder(ctx context.Context, dir string) error {
	if f, ok := format.OfFolder(os.DirFS(dir), dir); ok && (im.opt.From == "" || im.opt.From == f.Name) {
		defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
		in := &input{format: f, file: bytes.NewReader(nil), label: dir, header: im.header}
		if err := im.out.check(in); err != nil {
			return err
		}
		return im.save(ctx, dir, in)
	}
	if _, err := format.ByName(im.opt.From); err != nil && im.opt.From != "" {
		return fault.Usage(fmt.Errorf("read %s: %w", dir, err))
	}
	paths, err := filesIn(dir)
	if err != nil {
		return err
	}
	before := im.read - len(im.passed) - len(im.quotes)
	for i, path := range paths {
		if im.opt.Progress != nil {
			im.opt.Progress(i+1, len(paths), path)
		}
		if err := im.fileIn(ctx, path); err != nil {
			return err
		}
	}
	if im.read-len(im.passed)-len(im.quotes) == before {
		return fault.Data(fmt.Errorf("no benchmark results in %s: none of its %d files has a known format; see `perftrack formats`", dir, len(paths)))
	}
	return nil
}

// filesIn lists the files in a folder and below it, without hidden ones.
func filesIn(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != dir && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return filepath.SkipDir
		case strings.HasPrefix(d.Name(), ".") || !d.Type().IsRegular():
			return nil
		case len(paths) == maxFiles:
			return fault.Usagef("read %s: it has more than %d files, the limit for a folder", dir, maxFiles)
		}
		paths = append(paths, path)
		return nil
	})
	if errors.As(err, new(*fs.PathError)) {
		return nil, fault.IO(err)
	}
	return paths, err
}

// fileIn stores the runs of a file in a folder.
func (im *fileImport) fileIn(ctx context.Context, path string) error {
	im.read++
	err := withFile(path, nil, func(file io.ReadSeeker, label string) error {
		f, _, looks, err := formatOf(im.opt.From, file)
		switch {
		case isUndetected(err), err == nil && looks != wholeReport && im.opt.From == "":
			im.pass(path, looks)
			return nil
		case err != nil:
			return err
		}
		in := &input{format: f, file: file, label: label, header: im.header}
		in.name = sync.OnceValues(func() (record.Commit, error) { return im.commitOf(ctx, path) })
		switch err := im.out.check(in); {
		case errors.Is(err, reading.ErrCompanion):
			im.read--
			return nil
		case err != nil && looks == noReport: // it is not in the format of --from
			im.pass(path, looks)
			return nil
		case errors.Is(err, errNoRuns):
			im.empty = append(im.empty, err)
			return nil
		case err != nil:
			im.bad = append(im.bad, err)
			return nil
		}
		return im.save(ctx, path, in)
	})
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		im.bad = append(im.bad, err)
		return nil
	}
	return err
}

// pass records a file that is passed over.
func (im *fileImport) pass(path string, looks shape) {
	if looks == quotesReport {
		im.quotes = append(im.quotes, path)
	} else {
		im.passed = append(im.passed, path)
	}
}

// commitOf returns the commit that the name of a file gives: a revision of the repository, a hash, or
// a hash among other words, as in linux-1a2b3c4.txt.
func (im *fileImport) commitOf(ctx context.Context, path string) (record.Commit, error) {
	name := filepath.Base(path)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return !record.IsHashPrefix(w) || len(w) < shortestHash || w == name })
	slices.Reverse(words)
	words = append([]string{name}, words...)
	where, err := im.session.Locate(ctx)
	if err != nil {
		return record.Commit{}, err
	}
	for _, rev := range words {
		if where.Repo == nil {
			break
		}
		if c, err := where.Repo.Resolve(ctx, rev); err == nil {
			return record.Commit{SHA: c.SHA, Tree: c.Tree, Time: c.Time}, nil
		}
	}
	for _, hash := range words {
		if isHash(hash) {
			return record.Commit{SHA: hash}, nil
		}
	}
	return record.Commit{}, ctx.Err()
}

// shortestHash is the length of the hashes that git abbreviates to.
const shortestHash = 7

// isHash reports whether a word is the hash of a commit that the repository does not have. A short
// one has a letter and a digit, because a date has no letters and a word has no digits.
func isHash(word string) bool {
	if len(word) < shortestHash || !record.IsHashPrefix(word) {
		return false
	}
	return len(word) >= 40 || strings.ContainsAny(word, "abcdef") && strings.ContainsAny(word, "0123456789")
}

// unreadable prints notices about the files passed over and returns the errors for the unreadable
// ones.
func (im *fileImport) unreadable() error {
	if len(im.passed) > 0 {
		im.session.Noticef("skipped %d of %d files in an unknown format, such as %s", len(im.passed), im.read, im.passed[0])
	}
	if len(im.quotes) > 0 {
		im.session.Noticef("skipped %d of %d files that only quote results, such as %s; to read such a file, name it",
			len(im.quotes), im.read, im.quotes[0])
	}
	if len(im.empty) > 0 {
		im.session.Noticef("skipped %d of %d files without results, such as this: %v", len(im.empty), im.read, im.empty[0])
	}
	if len(im.bad) > 0 {
		return fault.Data(fmt.Errorf("skipped %d of %d files that are unreadable:\n%w", len(im.bad), im.read, firstLines(im.bad)))
	}
	if len(im.out.Runs) == 0 {
		return fault.Data(errors.New("nothing was imported"))
	}
	return nil
}
