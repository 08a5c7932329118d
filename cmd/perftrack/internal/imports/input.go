package imports

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// An input is a file to import. It is imported completely or not at all, so nothing is stored before
// every line and run has been checked. Until then, the runs are kept in memory. If they do not fit
// there, the file is read a second time, and only one run is in memory at a time.
type input struct {
	format format.Format
	file   io.ReadSeeker
	label  string
	header record.Run

	stream *decode.Stream   // stream used by check
	runs   int              // number of runs emitted by stream
	size   int              // size of these runs in memory
	whole  []*decode.Packed // all runs, or nil if the file must be read again
	parts  []decode.Batch   // all runs, if results are scattered and the runs do not fit into memory
	left   func(*reading.LeftOut)

	commits map[string]bool // hashes that the runs name

	// name returns the commit that the name of the file gives, for runs without one. It is nil if such
	// runs are stored without a commit.
	name func() (record.Commit, error)
}

// maxKept is the maximum size in bytes of the runs kept in memory.
var maxKept = 32 << 20

// keep keeps a run while the input is checked.
func (in *input) keep(r *decode.Packed) error {
	in.note(r)
	in.runs++
	if in.size += r.Size(); in.size > maxKept {
		in.whole = nil
		return nil
	}
	in.whole = append(in.whole, r)
	return nil
}

// withInput opens the named file, where "-" means stdin, and calls use with it.
func withInput(name string, stdin io.Reader, from string, header record.Run, use func(*input) error) error {
	return withFile(name, stdin, func(file io.ReadSeeker, label string) error {
		f, _, _, err := formatOf(from, file)
		if err != nil {
			return undetected(label, err)
		}
		return use(&input{format: f, file: file, label: label, header: header})
	})
}

// withFile opens the named file, where "-" means stdin, and calls use with it.
func withFile(name string, stdin io.Reader, use func(file io.ReadSeeker, label string) error) (err error) {
	in, label := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fault.IO(err)
		}
		defer func() { _ = f.Close() }() // the file was only read
		in, label = f, name
	}
	file, done, err := twice(in)
	if err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", label, err))
	}
	defer func() { err = errors.Join(err, done()) }()
	undo, err := collect(file)
	if err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", label, err))
	}
	defer undo()
	return use(file, label)
}

// nameCommit sets the commit of a run without one from the name of the file. ok is false if the run
// needs one and there is none.
func (in *input) nameCommit(c *record.Commit) (ok bool, err error) {
	if in.name == nil || c.SHA != "" {
		return true, nil
	}
	named, err := in.name()
	if err != nil || named.SHA == "" {
		return false, err
	}
	c.SHA, c.Tree = named.SHA, named.Tree
	if c.Time.IsZero() {
		c.Time = named.Time
	}
	return true, nil
}

// twice returns the content of in as a file that can be read twice until done is called. It copies
// a pipe to a temporary file. The copy may exceed the size limit for inputs by one byte, to make
// the reader report this.
func twice(in io.Reader) (file io.ReadSeeker, done func() error, err error) {
	if f, ok := in.(*os.File); ok {
		info, err := f.Stat()
		at, seekErr := f.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && info.Mode().IsRegular() {
			return io.NewSectionReader(f, at, max(info.Size()-at, 0)), func() error { return nil }, nil
		}
	}
	kept, err := os.CreateTemp("", "perftrack-import-*")
	if err != nil {
		return nil, nil, err
	}
	gone := os.Remove(kept.Name()) == nil // if an open file can be deleted, a killed process leaves no file behind
	done = func() error {
		err := kept.Close()
		if !gone {
			err = errors.Join(err, os.Remove(kept.Name()))
		}
		return err
	}
	if _, err = io.Copy(kept, io.LimitReader(in, bounds.MaxFile+1)); err == nil {
		_, err = kept.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return kept, done, nil
}

// check reads the input once and returns an error if it cannot be imported.
func (in *input) check() error {
	in.stream = decode.NewStream(defaultRun(in.header), in.keep)
	if err := in.read(in.stream.Add, nil, in.left); err != nil {
		return err
	}
	whole, err := in.stream.Finish()
	if !whole {
		return in.scattered()
	}
	if err != nil {
		return fault.Data(err)
	}
	if in.runs == 0 {
		return errNoRuns
	}
	if !in.stream.Complete() {
		in.whole = nil
	}
	for _, r := range in.whole {
		complete(&r.Header, in.header)
	}
	return nil
}

// errNoRuns means that an input in a known format has no runs.
var errNoRuns = errors.New("no benchmark results")

// scattered checks an input in which the results of a run are scattered, such as a history that is
// ordered by benchmark. It reads the input once for each part of the runs that fits into memory.
func (in *input) scattered() error {
	in.whole, in.runs, in.parts = nil, 0, in.stream.Batches(maxKept)
	for _, part := range in.parts {
		runs, err := in.part(part)
		if err != nil {
			return err
		}
		if in.runs += len(runs); len(in.parts) == 1 {
			in.whole, in.parts = runs, nil
		}
	}
	return nil
}

// part reads some of the runs of a scattered input.
func (in *input) part(part decode.Batch) ([]*decode.Packed, error) {
	b := part.Builder()
	if err := in.read(b.Add, nil, nil); err != nil {
		return nil, err
	}
	runs, err := b.Packed()
	if err != nil {
		return nil, fault.Data(err)
	}
	for _, r := range runs {
		complete(&r.Header, in.header)
		in.note(r)
	}
	return runs, nil
}

func (in *input) read(add func(benchfmt.Record) error, stop func() error, left func(*reading.LeftOut)) error {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", in.label, err))
	}
	return ReadRecords(in.format, in.file, in.label, add, stop, left)
}

// each calls put with each run in the checked input, and stops at the first error.
func (in *input) each(put func(*decode.Packed) error) error {
	if in.whole != nil {
		for i, r := range in.whole {
			if err := put(r); err != nil {
				return err
			}
			in.whole[i] = nil // its samples are no longer needed
		}
		return nil
	}
	var failed error
	runs := 0
	err := in.again(func(r *decode.Packed) error {
		runs++
		failed = put(r)
		return failed
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return fault.Data(fmt.Errorf("import %s: the file changed during the import; import it again (runs already stored are kept): %w", in.label, err))
	case runs != in.runs:
		return fault.Data(fmt.Errorf("import %s: the file changed during the import, from %d runs to %d; import it again (runs already stored are kept)", in.label, in.runs, runs))
	}
	return nil
}

// again reads the runs of a checked input again.
func (in *input) again(put func(*decode.Packed) error) error {
	for _, part := range in.parts {
		runs, err := in.part(part)
		if err != nil {
			return err
		}
		for i, r := range runs {
			if err := put(r); err != nil {
				return err
			}
			runs[i] = nil // its samples are no longer needed
		}
	}
	if in.parts != nil {
		return nil
	}
	again := in.stream.Again(func(r *decode.Packed) error {
		complete(&r.Header, in.header)
		return put(r)
	})
	if err := in.read(again.Add, again.Err, nil); err != nil {
		return err
	}
	_, err := again.Finish()
	return err
}

// ErrRestUnread is the last error in a list of bad lines if the input was not read to the end.
var ErrRestUnread = errors.New("the rest was not read")
