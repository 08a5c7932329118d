package imports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
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
}

// maxKept is the maximum size in bytes of the runs kept in memory.
var maxKept = 32 << 20

// keep keeps a run while the input is checked.
func (in *input) keep(r *decode.Packed) error {
	in.runs++
	if in.size += r.Size(); in.size > maxKept {
		in.whole = nil
		return nil
	}
	in.whole = append(in.whole, r)
	return nil
}

// withInput opens the named file, where "-" means stdin, and calls use with it.
func withInput(name string, stdin io.Reader, from string, header record.Run, use func(*input) error) (err error) {
	in, label := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fault.IO(err)
		}
		defer func() { _ = f.Close() }() // the file was only read
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return withFolder(name, from, header, use)
		}
		in, label = f, name
	}
	file, done, err := twice(in)
	if err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", label, err))
	}
	defer func() { err = errors.Join(err, done()) }()
	f, _, _, err := formatOf(from, file)
	if err != nil {
		return undetected(label, err)
	}
	return use(&input{format: f, file: file, label: label, header: header})
}

// withFolder is like withInput for a folder in a known format.
func withFolder(name, from string, header record.Run, use func(*input) error) error {
	f, ok := format.OfFolder(os.DirFS(name), name)
	if !ok || from != "" && from != f.Name {
		return fault.Usagef("read %s: it is a folder: name the files in it", name)
	}
	return use(&input{format: f, file: bytes.NewReader(nil), label: name, header: header})
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
	if err := in.read(in.stream, nil); err != nil {
		return err
	}
	whole, err := in.stream.Finish()
	if !whole {
		if _, err := in.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		in.whole, err = in.scattered()
		return err
	}
	if err != nil {
		return fault.Data(err)
	}
	if in.runs == 0 {
		return noResults(in.label)
	}
	if !in.stream.Complete() {
		in.whole = nil
	}
	for _, r := range in.whole {
		complete(&r.Header, in.header)
	}
	return nil
}

// scattered reads an input in which the results of a run are scattered.
func (in *input) scattered() ([]*decode.Packed, error) {
	b := decode.Builder{Default: defaultRun(in.header)}
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

func (in *input) read(s *decode.Stream, stop func() error) error {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return fault.IO(fmt.Errorf("read %s: %w", in.label, err))
	}
	return ReadRecords(in.format, in.file, in.label, s.Add, stop)
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
	again := in.stream.Again(func(r *decode.Packed) error {
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
		return fault.Data(fmt.Errorf("import %s: the file changed during the import; import it again (runs already stored are kept): %w", in.label, err))
	case runs != in.runs:
		return fault.Data(fmt.Errorf("import %s: the file changed during the import, from %d runs to %d; import it again (runs already stored are kept)", in.label, in.runs, runs))
	}
	return nil
}

// ErrRestUnread is the last error in a list of bad lines if the input was not read to the end.
var ErrRestUnread = errors.New("the rest was not read")
