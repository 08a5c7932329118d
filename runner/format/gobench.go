package format

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// gobench is the Go benchmark format, https://go.dev/design/14313-benchmark-format, as
// text or inside the events of `go test -json`.
var gobench = Format{
	Name:        "gobench",
	Description: "Go benchmark format: go test -bench, also with -v or -json",
	Detect:      detectGobench,
	Read:        readGobench,
	fills:       fillsGobench,
}

// readGobench parses with benchfmt.Reader, so that every number is the one that
// benchstat sees, but shows it only lines that it cannot misread: its scanner ends at a
// line over 64 KiB, and its numbers may be NaN, 0x1p-2, 1_000 or -5.
func readGobench(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	feed := &feeder{lines: bounds.NewLines(r, fileName), fileName: fileName, emit: emit}
	reader := benchfmt.NewReader(feed, fileName)
	for reader.Scan() {
		rec := reader.Result()
		if result, ok := rec.(*benchfmt.Result); ok {
			feed.events.configure(result)
		}
		if err := emit(rec); err != nil {
			return err
		}
	}
	if feed.err != nil {
		return feed.err
	}
	return reader.Err()
}

// feeder is the input of benchfmt.Reader: the lines of the file, with an empty line in
// the place of each that benchfmt must not see, so that line numbers agree. A Read ends
// after a line that can make a record; benchfmt asks for more only when it has used that
// up, so what the feeder itself emits comes in the order of lines.
type feeder struct {
	lines    *bounds.Lines
	fileName string
	emit     func(benchfmt.Record) error
	events   events
	chunk    []byte // scratch
	rest     []byte // of chunk
	err      error  // what ended the input, but for its end
}

// maxChunk is how many empty lines are gathered for one Read.
const maxChunk = 4096

func (f *feeder) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		f.fill()
		f.rest = f.chunk
	}
	if len(f.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// fill makes the next chunk, which is empty at the end of the input.
func (f *feeder) fill() {
	f.chunk = f.chunk[:0]
	for f.err == nil && len(f.chunk) < maxChunk {
		raw, complete, err := f.lines.Next()
		if errors.Is(err, io.EOF) {
			f.err = f.cutEvents()
			return
		}
		var line []byte
		if err == nil {
			line, err = f.pass(raw, complete)
		}
		if f.err = err; err != nil {
			return
		}
		f.chunk = append(append(f.chunk, line...), '\n')
		if len(line) > 0 {
			return
		}
	}
}

// pass returns what benchfmt is to see of a line: the line itself, the line that an
// event of go test -json completes, or nothing. complete is false for a last line of
// the input without a line break. An error is the end of the reading.
func (f *feeder) pass(line []byte, complete bool) ([]byte, error) {
	e, isEvent := parseEvent(line)
	if isEvent {
		var ok bool
		if line, ok = f.events.join(e); !ok {
			return nil, nil
		}
		complete = true
	}
	if !isRecord(line) {
		return nil, nil
	}
	if len(line) >= bounds.MaxRecordLine {
		return nil, fmt.Errorf("%s:%d: line of %d KiB: a benchmark, unit or configuration line must be shorter than %d KiB",
			f.fileName, f.lines.Number, len(line)>>10, bounds.MaxRecordLine>>10)
	}
	if err := checkLine(line, complete); err != nil {
		return nil, f.syntaxError(err)
	}
	if isEvent && f.events.setConfig(line) {
		return nil, nil
	}
	return line, nil
}

// cutEvents reports the benchmark lines that go test -json began and did not end.
func (f *feeder) cutEvents() error {
	for _, line := range f.events.unfinished() {
		if !isBenchmark(line) {
			continue
		}
		if err := f.syntaxError(errors.New("the input ends in the middle of " + bounds.Quote(string(line)))); err != nil {
			return err
		}
	}
	f.events.partial = nil
	return nil
}

func (f *feeder) syntaxError(err error) error {
	return f.emit(&benchfmt.SyntaxError{FileName: f.fileName, Line: f.lines.Number, Msg: err.Error()})
}
