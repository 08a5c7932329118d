package imports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A committedPath is a path whose committed versions are to be imported.
type committedPath struct {
	path   string // as the user wrote it
	repo   *gitrepo.Repo
	inRepo string // from the root of the repository, with slashes
	glob   bool
}

// StoreHistory stores what each commit up to HEAD wrote into the files that
// the paths name: a file, perhaps gone since; a folder, with what is below it;
// or a pattern. The runs are of the commit that wrote them. A version that
// cannot be read is part of the error, and the others are stored all the same.
func StoreHistory(ctx context.Context, a *workspace.Session, paths []string, opt Options) (done []Result, err error) {
	im := &historyImport{session: a, opt: opt, known: map[string]bool{}}
	defer func() {
		if im.db != nil {
			err = errors.Join(err, im.db.Close())
		}
	}()
	if opt.From != "" {
		if _, err := format.ByName(opt.From); err != nil {
			return nil, fault.Usage(err)
		}
	}
	for _, path := range paths {
		if err := im.path(ctx, path); err != nil {
			return im.done, err
		}
	}
	noticeDeleted(im.session, im.done)
	return im.done, im.unreadable()
}

// A historyImport imports committed versions of files.
type historyImport struct {
	session *workspace.Session
	opt     Options
	db      *store.DB // opened when there is something to store
	done    []Result
	known   map[string]bool   // blobs that were read already, by another path
	stored  map[string]string // blobs that are stored, and the commit of each
	read    int               // versions
	again   int               // of them, stored already under another commit
	bad     []error           // one a version that could not be read
	passed  []string          // versions that are no results
	quotes  []string          // versions that are none either, but quote some
}

func (im *historyImport) path(ctx context.Context, path string) error {
	c, err := locate(ctx, im.session, path)
	if err != nil {
		return err
	}
	h, err := c.repo.FileHistory(ctx, gitrepo.Files{Path: c.inRepo, Glob: c.glob, All: im.opt.All})
	if err != nil {
		return fault.Git(err)
	}
	im.noticeShallow(c, h)
	switch found := len(h.Versions) + len(h.Cut); {
	case found == 0 && h.Elsewhere > 0:
		return fault.Data(fmt.Errorf("no commit up to HEAD has a file %s, but branches that are not merged have (commits: %d): add --all to take those, too", path, h.Elsewhere))
	case found == 0:
		return fault.Data(fmt.Errorf("no commit up to HEAD has a file %s: to import one that is not committed, use `perftrack import %s`; "+
			"for what only other branches have, add --all", path, path))
	case h.Elsewhere > 0:
		im.session.Noticef("what branches that are not merged into HEAD changed in %s is left out (commits: %d); --all takes it, too", path, h.Elsewhere)
	}
	return im.versions(ctx, c, im.fresh(h.Versions))
}

// isReport reports whether the path names this file, under whatever name it had
// then, and not a folder or a pattern that may have brought anything.
func (c committedPath) isReport(v gitrepo.Version) bool {
	return !c.glob && c.inRepo != "." && !strings.HasPrefix(v.Path, c.inRepo+"/")
}

// locate finds the repository that path lies in, and path's place in it. The
// file and its folders may be gone from the work tree.
func locate(ctx context.Context, a *workspace.Session, path string) (committedPath, error) {
	c := committedPath{path: path}
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(a.Dir, path)
	}
	full = filepath.Clean(full)
	info, err := os.Lstat(full)
	c.glob = err != nil && strings.ContainsAny(path, "*?[")
	dir := full
	if err != nil || !info.IsDir() {
		dir = existing(filepath.Dir(full))
	}
	c.repo, err = gitrepo.Open(ctx, dir)
	if errors.Is(err, gitrepo.ErrNotRepository) {
		return c, fault.Git(fmt.Errorf("%s lies in no git repository, and only there have files a history: %w", path, err))
	}
	if err != nil {
		return c, fault.Git(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return c, fault.IO(err)
	}
	below, err := filepath.Rel(dir, full)
	if err != nil {
		return c, fault.IO(err)
	}
	inRepo, err := filepath.Rel(c.repo.Root(), filepath.Join(real, below))
	if err != nil {
		return c, fault.IO(err)
	}
	c.inRepo = filepath.ToSlash(inRepo)
	return c, nil
}

// existing returns the nearest folder that is there: dir or one above it.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// noticeShallow tells which part of the history a shallow clone lacks.
func (im *historyImport) noticeShallow(c committedPath, h gitrepo.FileHistory) {
	if !h.Shallow {
		return
	}
	text := "this clone is shallow: older versions of %s are missing"
	if len(h.Cut) > 0 {
		v := h.Cut[0]
		text += fmt.Sprintf(", and so is the commit of what the clone begins with (%s of %s), which is left out",
			record.ShortHash(v.Commit.SHA), v.Commit.Time.UTC().Format("2006-01-02"))
	}
	im.session.Noticef(text+"; fetch them with: git fetch --unshallow", c.path)
}

// fresh returns the versions whose content no other path has brought.
func (im *historyImport) fresh(all []gitrepo.Version) (versions []gitrepo.Version) {
	for _, v := range all {
		if !im.known[v.Blob] {
			im.known[v.Blob] = true
			versions = append(versions, v)
		}
	}
	return versions
}

func (im *historyImport) versions(ctx context.Context, c committedPath, all []gitrepo.Version) error {
	im.read += len(all)
	n := 0
	var stop error
	err := c.repo.Contents(ctx, all, func(v gitrepo.Version, content io.Reader) error {
		if n++; im.opt.Progress != nil {
			im.opt.Progress(n, len(all), label(v))
		}
		stop = im.version(ctx, c, v, content)
		return stop
	})
	if err != nil && stop == nil {
		return fault.Git(err)
	}
	return err
}

// label names a version as git does, so that `git show` shows it.
func label(v gitrepo.Version) string { return record.ShortHash(v.Commit.SHA) + ":" + v.Path }

// version stores the runs of one version.
func (im *historyImport) version(ctx context.Context, c committedPath, v gitrepo.Version, content io.Reader) error {
	header := record.Run{Target: cmp.Or(im.opt.Target, importedTarget)}
	header.Facts = record.Settings{{Key: record.KeyBlob, Value: v.Blob}}
	header.Commit = record.Commit{SHA: v.Commit.SHA, Tree: v.Commit.Tree, Time: v.Commit.Time, Branch: im.opt.Branch}
	f, whole, looks, err := formatOf(im.opt.From, content)
	if err != nil {
		return err
	}
	if c.isReport(v) {
		looks = wholeReport // it was named, whatever it looks like
	}
	if looks != wholeReport && im.opt.From == "" {
		im.pass(v, looks)
		return nil
	}
	if v.Size > bounds.MaxInput && looks == wholeReport {
		im.bad = append(im.bad, fmt.Errorf("%s: larger than %d MiB, the limit of an input", label(v), bounds.MaxInput>>20))
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(whole, bounds.MaxInput+1))
	if err != nil {
		return err // of git, which was stopped
	}
	in := &input{format: f, file: bytes.NewReader(text), label: label(v), header: header}
	switch err := in.check(); {
	case err != nil && looks != wholeReport:
		im.pass(v, looks)
		return nil
	case err != nil:
		im.bad = append(im.bad, err)
		return nil
	}
	if im.db == nil {
		if err := im.open(ctx, header.Target); err != nil {
			return err
		}
	}
	if commit, ok := im.stored[v.Blob]; ok && commit != v.Commit.SHA {
		im.again++
		return nil
	}
	return in.each(func(r *record.Packed) error {
		one, err := imported(ctx, im.db, v.Path, r)
		if err != nil {
			return fault.Data(fmt.Errorf("import %s: %w", label(v), err))
		}
		im.done = append(im.done, one)
		return nil
	})
}

// pass leaves out a version that is no report and that nobody named.
func (im *historyImport) pass(v gitrepo.Version, looks shape) {
	if looks == quotesReport {
		im.quotes = append(im.quotes, label(v))
		return
	}
	im.passed = append(im.passed, label(v))
}

func (im *historyImport) open(ctx context.Context, target string) (err error) {
	if im.db, _, err = im.session.OpenForWriting(ctx); err != nil {
		return err
	}
	infos, err := im.db.Runs(ctx, store.Filter{Target: target})
	if err != nil {
		return err
	}
	im.stored = map[string]string{}
	for _, i := range infos {
		// The same bytes in another commit, as after a rename that an import of the
		// new name alone cannot see, are no new measurement.
		if blob := i.Facts.Get(record.KeyBlob); blob != "" && im.stored[blob] == "" {
			im.stored[blob] = i.Commit.SHA
		}
	}
	return nil
}

// unreadable says which versions were left out, and is nil when that was right.
func (im *historyImport) unreadable() error {
	if im.again > 0 {
		im.session.Noticef("%d versions are stored already, as the same bytes in another commit", im.again)
	}
	if len(im.passed) > 0 {
		im.session.Noticef("%d of %d versions are in no known format and were passed over, such as %s", len(im.passed), im.read, im.passed[0])
	}
	if len(im.quotes) > 0 {
		im.session.Noticef("%d of %d versions only quote results among other text and were passed over, such as %s; a file that is named itself is read",
			len(im.quotes), im.read, im.quotes[0])
	}
	if len(im.bad) > 0 {
		return fault.Data(fmt.Errorf("%d of %d versions cannot be read and were left out:\n%w", len(im.bad), im.read, firstLines(im.bad)))
	}
	if len(im.done)+im.again == 0 {
		return fault.Data(errors.New("nothing to import: no version is in a known format, see `perftrack import --help`"))
	}
	return nil
}

// firstLines shortens what is wrong with each version to its first bad line.
func firstLines(errs []error) badLines {
	var out badLines
	for _, err := range errs {
		var lines badLines
		if errors.As(err, &lines) {
			err = lines[0]
			if len(lines) > 1 {
				err = fmt.Errorf("%w (and %d more)", lines[0], len(lines)-1)
			}
		}
		out = append(out, err)
	}
	return out
}
