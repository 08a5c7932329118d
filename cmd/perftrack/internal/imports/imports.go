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
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options say what a file does not say itself.
type Options struct {
	From   string    // format; "" detects it
	Commit string    // revision, or the hash of a commit that this clone does not have
	Time   time.Time // of the commit, when git cannot tell
	Branch string
	Target string
	// All adds the branches that are not merged to a git history.
	All bool
	// Progress is called before each version of a git history is read. It may be nil.
	Progress func(n, of int, what string)
}

// A Result is one run read from a file.
type Result struct {
	File    string
	ID      string
	Added   bool             // false: it was there already, or was deleted
	Deleted *record.Deletion // nil, or why it is not stored

	// Of the run itself only what is shown: there may be thousands.
	Target     string
	Commit     record.Commit
	Benchmarks int
	Rounds     int
}

// importedTarget is the target of results that name none.
const importedTarget = "imported"

// collectAt is GOGC while files are imported: what is held of a run has few pointers, so that
// collecting costs little, and by the default there may be as much garbage as there are samples.
const collectAt = 30

// StoreFiles reads files ("-" is stdin) and stores their runs. A file that has a
// bad line is not imported at all; those before it are.
func StoreFiles(ctx context.Context, a *workspace.Session, files []string, opt Options) (done []Result, err error) {
	header, err := importHeader(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	var db *store.DB
	defer func() {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	for _, name := range files {
		put := func(r *record.Packed) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			one, err := imported(ctx, db, name, r)
			if err != nil {
				return fault.Data(fmt.Errorf("import %s: %w", name, err))
			}
			done = append(done, one)
			return nil
		}
		err := withInput(name, a.Stdin, opt.From, header, func(in *input) error {
			if err := in.check(); err != nil {
				return ExplainBadLines(err, in.label)
			}
			if db == nil { // not before there is something to store
				var err error
				if db, _, err = a.OpenForWriting(ctx); err != nil {
					return err
				}
			}
			return in.each(put)
		})
		if err != nil {
			return done, err
		}
	}
	noticeDeleted(a, done)
	return done, nil
}

// imported stores a run of a file, unless it is there or was deleted.
func imported(ctx context.Context, db *store.DB, file string, r *record.Packed) (Result, error) {
	id, added, err := db.PutPacked(ctx, r)
	one := Result{File: file, ID: id, Added: added, Target: r.Header.Target, Commit: r.Header.Commit, Benchmarks: r.Len(), Rounds: r.Rounds()}
	if err != nil || added {
		return one, err
	}
	if d, ok, err := db.DeletionOf(ctx, id); err != nil {
		return one, err
	} else if ok {
		one.Deleted = &d
	}
	return one, nil
}

// noticeDeleted tells what can be done about runs that were not stored because they were
// deleted. Deletions are shared and final: a file that somebody still has must not bring
// back to all what was taken from all.
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
		a.Noticef("%d runs are not stored, such as %s, which was deleted at %s (%s): deleted runs stay deleted in every clone that syncs; "+
			"to look at one, compare its file, or import it into a database of its own with --db", n, record.ShortHash(first.ID),
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
		return h, fault.Usagef("--commit %q is no revision of this repository and no commit hash", opt.Commit)
	}
	h.Commit.SHA = opt.Commit
	return h, nil
}

// ReadFile returns the runs in a file, "-" being stdin, and stores nothing.
func ReadFile(a *workspace.Session, name string) ([]*record.Run, error) {
	return readRuns(name, a.Stdin, "", record.Run{})
}

func readRuns(name string, stdin io.Reader, from string, header record.Run) ([]*record.Run, error) {
	in, label := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fault.IO(err)
		}
		defer func() { _ = f.Close() }() // only read
		in, label = f, name
	}
	f, in, _, err := formatOf(from, in)
	if err != nil {
		return nil, err
	}
	runs, err := parseRuns(f, in, label, header)
	return runs, ExplainBadLines(err, label)
}

// ExplainBadLines returns an error which says that nothing of the input is used because of the
// bad lines that err lists; another error stays as it is.
func ExplainBadLines(err error, label string) error {
	var bad badLines
	if errors.As(err, &bad) {
		return fault.Data(fmt.Errorf("nothing of %s is used, because of\n%w", label, bad))
	}
	return err
}

// parseRuns reads the runs that in has. Lines that cannot be read are badLines.
func parseRuns(f format.Format, in io.Reader, label string, header record.Run) ([]*record.Run, error) {
	b := record.Builder{Default: defaultRun(header)}
	if err := ReadRecords(f, in, label, b.Add, nil); err != nil {
		return nil, err
	}
	return FinishRuns(&b, label, header)
}

// FinishRuns returns the runs that b built from an input. There must be one.
func FinishRuns(b *record.Builder, label string, header record.Run) ([]*record.Run, error) {
	runs, err := b.Runs()
	if err != nil {
		return nil, fault.Data(err)
	}
	if len(runs) == 0 {
		return nil, noResults(label)
	}
	for _, r := range runs {
		complete(r, header)
	}
	return runs, nil
}

// defaultRun returns what is true of each run of a file that does not say otherwise.
func defaultRun(header record.Run) record.Run {
	// The rest of the commit is for runs of this commit only: a file may name its own.
	header.Commit.Tree = ""
	if header.Commit.SHA != "" {
		header.Commit.Time = time.Time{}
	}
	return header
}

// ReadRecords calls add with each record of an input. Records that add refuses are listed in the
// error as bad lines. Stop, unless it is nil, is asked after each; its error ends the reading.
func ReadRecords(f format.Format, in io.Reader, label string, add func(benchfmt.Record) error, stop func() error) error {
	var bad badLines
	err := f.Read(in, label, func(rec benchfmt.Record) error {
		if err := add(rec); err != nil {
			bad = append(bad, err)
		}
		if stop != nil {
			return stop()
		}
		return nil
	})
	if errors.Is(err, ErrRestUnread) {
		bad, err = append(bad, err), nil
	}
	if err != nil {
		return fault.Data(fmt.Errorf("read %s: %w", label, err))
	}
	if len(bad) > 0 {
		return fault.Data(bad)
	}
	return nil
}

func noResults(label string) error {
	return fault.Data(fmt.Errorf("no benchmark results in %s: expected lines such as BenchmarkX-8 100 1234 ns/op", label))
}

// complete says of a run what its file tells under other names, or the caller knows.
func complete(r *record.Run, header record.Run) {
	nightlyCommit(r)
	completeCommit(r, header.Commit)
}

// completeCommit says the rest of commit where r is a run of it, unless
// perftrack wrote the run, which says all there is.
func completeCommit(r *record.Run, commit record.Commit) {
	if commit.SHA == "" || r.Commit.SHA != commit.SHA || r.Tool != "" {
		return
	}
	r.Commit.Tree = commit.Tree
	if r.Commit.Time.IsZero() {
		r.Commit.Time = commit.Time
	}
}

// A shape is how sure it is that an input is results.
type shape int

const (
	noReport     shape = iota // it looks like none
	quotesReport              // it quotes some, among other text
	wholeReport
)

// formatOf returns the named format, or the one that the input looks like; the
// Go benchmark format when it looks like none, whose reader then says what it misses.
func formatOf(name string, in io.Reader) (f format.Format, whole io.Reader, as shape, err error) {
	head := bufio.NewReaderSize(in, format.HeadSize)
	text, err := head.Peek(format.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return f, head, noReport, err
	}
	known := false
	if name == "" {
		f, known = format.Detect(text)
	}
	if !known {
		if f, err = format.ByName(cmp.Or(name, "gobench")); err != nil {
			return f, head, noReport, fault.Usage(err)
		}
		known = name != "" && f.Detect(text)
	}
	switch {
	case !known:
		return f, head, noReport, nil
	case !f.Fills(text):
		return f, head, quotesReport, nil
	}
	return f, head, wholeReport, nil
}

// badLines are the lines that could not be read, each with file and line.
type badLines []error

func (b badLines) Error() string {
	const shown = 10
	var lines []string
	for i, err := range b {
		if i == shown {
			lines = append(lines, fmt.Sprintf("  and %d more", len(b)-shown))
			break
		}
		lines = append(lines, "  "+err.Error())
	}
	return strings.Join(lines, "\n")
}
