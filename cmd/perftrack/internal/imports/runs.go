package imports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// ReadFile returns the runs in the named file, where "-" means stdin. It does not store them.
func ReadFile(a *workspace.Session, name string) ([]*record.Run, error) {
	var out Outcome
	runs, err := readRuns(name, a.Stdin, "", record.Run{}, &out)
	out.notice(a)
	return runs, err
}

func readRuns(name string, stdin io.Reader, from string, header record.Run, out *Outcome) ([]*record.Run, error) {
	in, label := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fault.IO(err)
		}
		defer func() { _ = f.Close() }() // the file was only read
		in, label = f, name
	}
	f, in, _, err := formatOf(from, in)
	if err != nil {
		return nil, undetected(label, err)
	}
	runs, err := parseRuns(f, in, label, header, out)
	return runs, ExplainBadLines(err, label)
}

// ExplainBadLines extends an error about bad lines to explain that nothing in the input is used
// because of them. It returns other errors unchanged.
func ExplainBadLines(err error, label string) error {
	var bad badLines
	if errors.As(err, &bad) {
		return fault.Data(fmt.Errorf("nothing was imported from %s, because of\n%w", label, bad))
	}
	return err
}

// parseRuns reads the runs from in. If any lines cannot be read, the error wraps a badLines.
func parseRuns(f format.Format, in io.Reader, label string, header record.Run, out *Outcome) ([]*record.Run, error) {
	b := decode.Builder{Default: defaultRun(header)}
	if err := ReadRecords(f, in, label, b.Add, nil, out.leaveOutOf); err != nil {
		return nil, err
	}
	return FinishRuns(&b, label, header)
}

// FinishRuns returns the runs built by b from an input, or an error if there are no runs.
func FinishRuns(b *decode.Builder, label string, header record.Run) ([]*record.Run, error) {
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

// defaultRun returns the defaults for the runs in a file.
func defaultRun(header record.Run) record.Run {
	// The other fields of the commit apply only to runs of this commit, and the file may name a
	// different one.
	header.Commit.Tree = ""
	if header.Commit.SHA != "" {
		header.Commit.Time = time.Time{}
	}
	return header
}

// ReadRecords calls add with each record in an input, and left, unless it is nil, with each part of the
// input that the format leaves out. If add refuses records, ReadRecords continues and returns an error
// listing them as bad lines. Unless stop is nil, ReadRecords calls it after each record, and ends
// reading when stop returns an error.
func ReadRecords(f format.Format, in io.Reader, label string, add func(benchfmt.Record) error, stop func() error, left func(*reading.LeftOut)) error {
	var bad badLines
	err := f.Read(in, label, func(rec benchfmt.Record) error {
		if l, ok := rec.(*reading.LeftOut); ok {
			if left != nil {
				left(l)
			}
			return nil
		}
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
	return fault.Data(fmt.Errorf("no benchmark results in %s: see `perftrack formats`", label))
}

// complete fills in missing facts about a run from other keys in its file and from the caller's
// header.
func complete(r *record.Run, header record.Run) {
	nightlyCommit(r)
	completeCommit(r, header.Commit)
	if blob := header.Facts.Get(record.KeyBlob); blob != "" && r.Commit.SHA != header.Commit.SHA && r.Facts.Get(record.KeyBlob) == blob {
		// The file itself names the commit. So the run is the same in every version of the file, and in
		// an import of the file alone.
		r.Facts = slices.DeleteFunc(slices.Clone(r.Facts), func(s record.Setting) bool { return s.Key == record.KeyBlob })
	}
}

// completeCommit fills in the commit's tree and time if r is a run of that commit. It skips runs
// written by perftrack, already complete.
func completeCommit(r *record.Run, commit record.Commit) {
	if commit.SHA == "" || r.Commit.SHA != commit.SHA || r.Tool != "" {
		return
	}
	r.Commit.Tree = commit.Tree
	if r.Commit.Time.IsZero() {
		r.Commit.Time = commit.Time
	}
}

// A badLines holds the errors for the unreadable lines, each with its file and line number.
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
