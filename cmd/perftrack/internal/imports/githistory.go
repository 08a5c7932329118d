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
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// A committedPath is a path with committed versions to import.
type committedPath struct {
	path   string // as the user wrote it
	repo   *gitrepo.Repo
	inRepo string // relative to the root of the repository, with slashes
	glob   bool
}

// StoreHistory stores the results written by each commit up to HEAD to the files at paths. A path
// names a file, which may have been deleted since, a folder with everything below it, or a pattern.
// Each run belongs to the commit that wrote it. Unreadable versions are listed in the error; the
// others are still stored.
func StoreHistory(ctx context.Context, a *workspace.Session, paths []string, opt Options) (out *Outcome, err error) {
	im := &historyImport{session: a, opt: opt, known: map[string]bool{}, out: &Outcome{}}
	defer func() {
		if im.db != nil {
			err = errors.Join(err, im.db.Close())
		}
	}()
	if opt.From != "" {
		if _, err := format.ByName(opt.From); err != nil {
			return im.out, fault.Usage(err)
		}
	}
	for _, path := range paths {
		if err := im.path(ctx, path); err != nil {
			return im.out, err
		}
	}
	im.out.notice(im.session)
	return im.out, im.unreadable()
}

// A historyImport imports committed versions of files.
type historyImport struct {
	session *workspace.Session
	opt     Options
	db      *store.DB // opened when there is something to store
	out     *Outcome
	known   map[string]bool   // blobs already read for another path
	stored  map[string]string // commit of each blob already stored
	read    int               // number of versions
	again   int               // number of versions already stored for another commit
	commits commitFinder
	listed  map[string]bool // ids of the runs of commits that the files name
	bad     []error         // one error for each unreadable version
	passed  []string        // versions without results
	quotes  []string        // versions that only quote results
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
		return fault.Data(fmt.Errorf("no commit up to HEAD has a file %s, but unmerged branches do (commits: %d): add --all to import them as well", path, h.Elsewhere))
	case found == 0:
		return fault.Data(fmt.Errorf("no commit up to HEAD has a file %s: for an uncommitted file, use `perftrack import %s`; "+
			"for other branches, add --all", path, path))
	case h.Elsewhere > 0:
		im.session.Noticef("skipped changes to %s in unmerged branches (commits: %d); --all imports them as well", path, h.Elsewhere)
	}
	return im.versions(ctx, c, im.fresh(h.Versions))
}

// isReport reports whether the user named the file of v, by any of the names it has had, rather
// than a folder or a pattern that may also match other files.
func (c committedPath) isReport(v gitrepo.Version) bool {
	return !c.glob && c.inRepo != "." && !strings.HasPrefix(v.Path, c.inRepo+"/")
}

// locate finds the repository around path, and the location of path in it. The file and its folders
// may no longer exist in the work tree.
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
		return c, fault.Git(fmt.Errorf("%s is outside any git repository and has no history: %w", path, err))
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

// existing returns dir or, if it does not exist, the nearest existing folder above it.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// noticeShallow prints a notice about the missing part of the history in a shallow clone.
func (im *historyImport) noticeShallow(c committedPath, h gitrepo.FileHistory) {
	if !h.Shallow {
		return
	}
	text := "this clone is shallow: older versions of %s are missing"
	if len(h.Cut) > 0 {
		v := h.Cut[0]
		text += fmt.Sprintf(", and the oldest one here, in %s of %s, is skipped because its commit is unknown",
			record.ShortHash(v.Commit.SHA), v.Commit.Time.UTC().Format("2006-01-02"))
	}
	im.session.Noticef(text+"; fetch them with `git fetch --unshallow`", c.path)
}

// fresh returns the versions with content not yet read for another path.
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

// label returns the name of a version as accepted by `git show`.
func label(v gitrepo.Version) string { return record.ShortHash(v.Commit.SHA) + ":" + v.Path }

// version stores the runs in one version.
func (im *historyImport) version(ctx context.Context, c committedPath, v gitrepo.Version, content io.Reader) error {
	header := record.Run{Target: cmp.Or(im.opt.Target, importedTarget)}
	header.Facts = record.Settings{{Key: record.KeyBlob, Value: v.Blob}}
	header.Commit = record.Commit{SHA: v.Commit.SHA, Tree: v.Commit.Tree, Time: v.Commit.Time, Branch: im.opt.Branch}
	if v.Size > bounds.MaxInput && c.isReport(v) {
		im.bad = append(im.bad, fmt.Errorf("%s: larger than the limit of %d MiB for a version in git", label(v), bounds.MaxInput>>20))
		return nil
	}
	f, whole, looks, err := formatOf(im.opt.From, content)
	if isUndetected(err) {
		if c.isReport(v) {
			im.bad = append(im.bad, undetected(label(v), err))
		} else {
			im.pass(v, noReport)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if c.isReport(v) {
		looks = wholeReport // the user named this file, so it need not look like a report
	}
	if looks != wholeReport && im.opt.From == "" {
		im.pass(v, looks)
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(whole, bounds.MaxInput+1))
	if err != nil {
		return err // git was killed
	}
	in := &input{format: f, file: bytes.NewReader(text), label: label(v), header: header}
	switch err := im.out.check(in); {
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
	if err := im.commits.find(ctx, im.session, in); err != nil {
		return err
	}
	return in.each(func(r *decode.Packed) error {
		own := r.Header.Commit.SHA != header.Commit.SHA
		if own {
			im.commits.settle(r, header.Commit, time.Time{})
		}
		if err := im.out.store(ctx, im.db, v.Path, r); err != nil {
			return fault.Data(fmt.Errorf("import %s: %w", label(v), err))
		}
		if own {
			im.listOnce()
		}
		return nil
	})
}

// listOnce drops the last run if it is in an earlier version, too. Every version of the history of
// another tracker contains the commits of the version before.
func (im *historyImport) listOnce() {
	last := len(im.out.Runs) - 1
	id := im.out.Runs[last].ID
	if im.listed[id] {
		im.out.Runs = im.out.Runs[:last]
		return
	}
	if im.listed == nil {
		im.listed = map[string]bool{}
	}
	im.listed[id] = true
}

// pass records a skipped version: it is not a report, and the user did not name its file.
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
		// The same content in another commit is not a new measurement. It occurs after a rename if
		// only the new name is imported.
		if blob := i.Facts.Get(record.KeyBlob); blob != "" && im.stored[blob] == "" {
			im.stored[blob] = i.Commit.SHA
		}
	}
	return nil
}

// unreadable prints notices about the skipped versions and returns the errors for the unreadable
// ones.
func (im *historyImport) unreadable() error {
	if im.again > 0 {
		im.session.Noticef("skipped %d versions that are already stored, because another commit has the same bytes", im.again)
	}
	if len(im.passed) > 0 {
		im.session.Noticef("skipped %d of %d versions with an unknown format, such as %s", len(im.passed), im.read, im.passed[0])
	}
	if len(im.quotes) > 0 {
		im.session.Noticef("skipped %d of %d versions that only quote results, such as %s; to read such a file, name it",
			len(im.quotes), im.read, im.quotes[0])
	}
	if len(im.bad) > 0 {
		return fault.Data(fmt.Errorf("skipped %d of %d versions that are unreadable:\n%w", len(im.bad), im.read, firstLines(im.bad)))
	}
	if len(im.out.Runs)+im.again == 0 {
		return fault.Data(errors.New("nothing to import: no version has a known format; see `perftrack import --help`"))
	}
	return nil
}

// firstLines shortens each version's error to the first bad line.
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
