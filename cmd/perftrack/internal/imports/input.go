package imports

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// An input is a file that is to be imported, run by run, and all of it or nothing. It is
// read twice: to see that every line and run of it is good, and to store them. Memory is
// for one run at a time, and for the input as a whole only where the results of one run
// stand apart in it.
type input struct {
	format format.Format
	file   io.ReadSeeker
	label  string
	header record.Run

	stream *record.Stream   // that checked it
	runs   int              // that it handed on
	whole  []*record.Packed // of an input whose runs stand apart
}

// withInput opens a file ("-" is stdin) for use.
func withInput(name string, stdin io.Reader, from string, header record.Run, use func(*input) error) (err error) {
	in, label := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fault.IO(err)
		}
		defer func() { _ = f.Close() }() // only read
		in, label = f, name
	}
	file, done, err := twice(in)
	if err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", label, err))
	}
	defer func() { err = errors.Join(err, done()) }()
	f, _, _, err := formatOf(from, file)
	if err != nil {
		return err
	}
	return use(&input{format: f, file: file, label: label, header: header})
}

// twice returns what in has as something that can be read twice, until done: a pipe's input is kept
// in a temporary file, as much of it as an input may have and one byte, so that its reader tells.
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
	gone := os.Remove(kept.Name()) == nil // where a file may go while it is open, a kill leaves none
	done = func() error {
		err := kept.Close()
		if !gone {
			err = errors.Join(err, os.Remove(kept.Name()))
		}
		return err
	}
	if _, err = io.Copy(kept, io.LimitReader(in, bounds.MaxInput+1)); err == nil {
		_, err = kept.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return kept, done, nil
}

// check reads the input once and says what keeps it from being imported.
func (in *input) check() error {
	in.stream = record.NewStream(defaultRun(in.header), func(*record.Packed) error { in.runs++; return nil })
	if err := in.read(in.stream, nil); err != nil {
		return err
	}
	whole, err := in.stream.Finish()
	if !whole {
		if _, err := in.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		in.whole, err = in.apart()
		return err
	}
	if err != nil {
		return fault.Data(err)
	}
	if in.runs == 0 {
		return noResults(in.label)
	}
	return nil
}

// apart reads an input in which the results of one run stand apart.
func (in *input) apart() ([]*record.Packed, error) {
	b := record.Builder{Default: defaultRun(in.header)}
	if err := ReadRecords(in.format, in.file, in.label, b.Add, nil); err != nil {
		return nil, err
	}
	runs, err := b.Packed()
	if err != nil {
		return nil, fault.Data(err)
	}
	for _, r := range runs {
		complete(&r.Header, in.header)
	}
	return runs, nil
}

func (in *input) read(s *record.Stream, stop func() error) error {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", in.label, err))
	}
	return ReadRecords(in.format, in.file, in.label, s.Add, stop)
}

// each hands the runs of an input that was checked to put, whose error ends it.
func (in *input) each(put func(*record.Packed) error) error {
	if in.whole != nil {
		for _, r := range in.whole {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}
	var failed error
	runs := 0
	again := in.stream.Again(func(r *record.Packed) error {
		runs++
		complete(&r.Header, in.header)
		failed = put(r)
		return failed
	})
	err := in.read(again, again.Err)
	if err == nil {
		_, err = again.Finish()
	}
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return fault.Data(fmt.Errorf("%s was changed while it was imported: what is stored stays, import it again: %w", in.label, err))
	case runs != in.runs:
		return fault.Data(fmt.Errorf("%s was changed while it was imported, from %d runs to %d: what is stored stays, import it again", in.label, in.runs, runs))
	}
	return nil
}

// ErrRestUnread ends a list of bad lines: the input was not read to its end.
var ErrRestUnread = errors.New("what follows was not read")
