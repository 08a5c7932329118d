package imports

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// Options supply facts missing in a file.
type Options struct {
	From   string    // format of the file; "" detects it
	Commit string    // revision, or the hash of a commit missing in this clone
	Time   time.Time // time of the commit, if git lacks the commit
	Branch string
	Target string
	// All also imports from unmerged branches when importing a git history.
	All bool
	// Progress is called before each version of a git history is read. It may be nil.
	Progress func(n, of int, what string)
}

// A Result is one run read from a file.
type Result struct {
	File    string
	ID      string
	Added   bool             // false if the run was already stored or has been deleted
	Deleted *record.Deletion // the deletion that prevented it from being stored, or nil

	// The fields below are shown. The run itself is not kept in memory, because there may be
	// thousands of runs.
	Target     string
	Commit     record.Commit
	Benchmarks int
	Rounds     int
}

// importedTarget is the target of results that do not name one.
const importedTarget = "imported"

// collectAt is the value of GOGC during the import of a large file. A run in memory contains few
// pointers, so garbage collection is cheap; with the default value, the garbage might take as much
// memory as the samples. A thousand small files would only cause more collections.
const (
	collectAt = 30
	largeFile = 4 << 20 // bytes
)

// collect makes garbage collections more frequent if a file is large, until undo is called.
func collect(file io.Seeker) (undo func(), err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil || size < largeFile {
		return func() {}, err
	}
	before := debug.SetGCPercent(collectAt)
	return func() { debug.SetGCPercent(before) }, nil
}

// StoreFiles reads files, where "-" means stdin, and stores their runs. If a line in a file is
// invalid, nothing in that file is imported, but the files before it are. Of a folder, the files in
// known formats are imported; see folder.go.
func StoreFiles(ctx context.Context, a *workspace.Session, files []string, opt Options) (out *Outcome, err error) {
	im := &fileImport{session: a, opt: opt, out: &Outcome{}}
	if im.header, err = importHeader(ctx, a, opt); err != nil {
		return im.out, err
	}
	defer func() {
		if im.db != nil {
			err = errors.Join(err, im.db.Close())
		}
	}()
	if err := errors.Join(im.all(ctx, files), im.waiting.flush(ctx, im)); err != nil {
		return im.out, err
	}
	im.out.notice(a)
	im.noticeUnnamed()
	return im.out, im.unreadable()
}

func (im *fileImport) all(ctx context.Context, files []string) (err error) {
	for _, name := range files {
		if info, statErr := os.Stat(name); statErr == nil && info.IsDir() {
			err = im.folder(ctx, name)
		} else {
			err = withInput(name, im.session.Stdin, im.opt.From, im.header, func(in *input) error {
				if err := im.out.check(in); err != nil {
					return err
				}
				return im.save(ctx, name, in)
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noticeUnnamed prints a notice about runs stored without a commit.
func (im *fileImport) noticeUnnamed() {
	switch n := len(im.unnamed); {
	case n == 1:
		im.session.Noticef("stored without a commit, because %s names none: name it with --commit", im.unnamed[0])
	case n > 1:
		im.session.Noticef("stored without a commit, because %d files name none, such as %s: name it with --commit", n, im.unnamed[0])
	}
}

// A fileImport imports files.
type fileImport struct {
	session *workspace.Session
	opt     Options
	header  record.Run
	out     *Outcome
	db      *store.DB // opened when there is something to store
	waiting waiting
	commits commitFinder
	unnamed []string // inputs with a run without a commit

	inFolders // what happened to the files in folders
}

// check checks an input, so that it can be saved as a whole.
func (o *Outcome) check(in *input) error {
	before := slices.Clone(o.Left)
	in.left = o.leaveOutOf
	err := in.check()
	other := ""
	if err != nil {
		other = in.otherFormat()
	}
	switch {
	case other != "":
		err = fault.Data(fmt.Errorf("read %s: the file looks like %s, not like %s", in.label, other, in.format.Name))
	case errors.Is(err, errNoRuns):
		err = o.nothing(in.label, before)
	case err != nil:
		err = ExplainBadLines(err, in.label)
	}
	if err != nil {
		o.Left = before
	}
	return err
}

// save stores the runs of a checked input.
func (im *fileImport) save(ctx context.Context, name string, in *input) error {
	if im.db == nil { // open the database only if there is something to store
		var err error
		if im.db, _, err = im.session.OpenForWriting(ctx); err != nil {
			return err
		}
	}
	if err := im.commits.find(ctx, im.session, in); err != nil {
		return err
	}
	return in.each(func(r *decode.Packed) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		im.commits.settle(r, in.header.Commit, im.opt.Time)
		if ok, err := in.nameCommit(&r.Header.Commit); err != nil {
			return err
		} else if !ok {
			im.out.leaveOut(noCommit, name)
			return nil
		}
		if r.Header.Commit.SHA == "" && !r.Ours && !slices.Contains(im.unnamed, in.label) {
			im.unnamed = append(im.unnamed, in.label)
		}
		return im.waiting.add(ctx, im, name, r)
	})
}

// noticeDeleted prints a notice about runs refused because they had been deleted. Deletions are
// shared and final, so importing an old file does not restore deleted runs.
func noticeDeleted(a *workspace.Session, done []Result) {
	var first *Result
	n := 0
	for i, one := range done {
		if one.Deleted == nil {
			continue
		}
		if n++; first == nil {
			first = &done[i]
		}
	}
	if n > 0 {
		a.Noticef("%d deleted runs were not stored again, such as %s, deleted at %s (%s): they stay deleted in every clone; "+
			"to look at one, compare its file, or import it into another database with --db", n, record.ShortHash(first.ID),
			first.Deleted.Time.Format(time.RFC3339), first.Deleted.Reason)
	}
}

func importHeader(ctx context.Context, a *workspace.Session, opt Options) (record.Run, error) {
	h := record.Run{Target: cmp.Or(opt.Target, importedTarget)}
	h.Commit = record.Commit{Branch: opt.Branch, Time: opt.Time}
	if opt.Commit == "" {
		return h, nil
	}
	where, err := a.Locate(ctx)
	if err != nil {
		return h, err
	}
	if where.Repo != nil {
		c, err := where.Repo.Resolve(ctx, opt.Commit)
		var missing *gitrepo.MissingError
		switch {
		case err == nil:
			h.Commit.SHA, h.Commit.Tree = c.SHA, c.Tree
			if opt.Time.IsZero() {
				h.Commit.Time = c.Time
			}
			return h, nil
		case !errors.As(err, &missing):
			return h, fault.Git(err)
		}
	}
	if !record.IsHashPrefix(opt.Commit) {
		return h, fault.Usagef("--commit %q is neither a revision in this repository nor a commit hash", opt.Commit)
	}
	h.Commit.SHA = opt.Commit
	return h, nil
}

// A shape describes how likely an input is to consist of benchmark results.
type shape int

const (
	noReport     shape = iota // the input looks like something else
	quotesReport              // the input quotes results within other text
	wholeReport
)

// formatOf returns the format with the given name or, if name is "", the format detected from the
// input. whole is a reader for the entire input. The error for an input in no format, or in several,
// is one of package reading's.
func formatOf(name string, in io.Reader) (f format.Format, whole io.Reader, as shape, err error) {
	head := bufio.NewReaderSize(in, format.HeadSize)
	text, err := head.Peek(format.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return f, head, noReport, err
	}
	if name == "" {
		if f, err = format.Detect(text); err != nil {
			return f, head, noReport, err
		}
	} else {
		if f, err = format.ByName(name); err != nil {
			return f, head, noReport, fault.Usage(err)
		}
		if !f.Matches(reading.NewHead(text)) {
			return f, head, noReport, nil
		}
	}
	if !f.IsReport(text) {
		return f, head, quotesReport, nil
	}
	return f, head, wholeReport, nil
}

// undetected adds the label of an input to the error of a failed detection. Other errors are returned
// unchanged.
func undetected(label string, err error) error {
	unknown := new(reading.UnknownError)
	switch {
	case errors.As(err, &unknown) && unknown.What != "":
		return fault.Data(fmt.Errorf("no benchmark results in %s: %w", label, err))
	case errors.As(err, &unknown) && unknown.Nearest == "" && unknown.Why == "":
		return noResults(label)
	case isUndetected(err):
		return fault.Data(fmt.Errorf("read %s: %w", label, err))
	}
	return err
}

func isUndetected(err error) bool {
	return errors.As(err, new(*reading.UnknownError)) || errors.As(err, new(*reading.AmbiguousError))
}
