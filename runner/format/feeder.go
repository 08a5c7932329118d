package format

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// feeder is the input for benchfmt.Reader. It supplies the lines of the file, and an empty line for
// each withheld line, so that line numbers match.
//
// It supplies many lines at once only if they are plain (see isPlain). Any other line may emit an
// error or change the configuration, and waits until benchfmt has processed all lines above it.
// Therefore records and errors come in the order of the lines.
type feeder struct {
	lines    *bounds.Lines
	fileName string
	emit     func(benchfmt.Record) error
	events   events
	above    configuration
	held     *heldLine
	chunk    []byte // reused buffer
	rest     []byte // unread part of chunk
	err      error  // error at the end of the input, other than io.EOF
}

// A heldLine is a line read but not yet looked at.
type heldLine struct {
	text     []byte
	complete bool
	err      error
}

// maxChunk is the number of bytes after which a chunk ends.
const maxChunk = 16 << 10

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

// fill fills the next chunk. The chunk is empty at the end of the input.
func (f *feeder) fill() {
	f.chunk = f.chunk[:0]
	supplied := false // whether the chunk has a non-empty line
	for f.err == nil && len(f.chunk) < maxChunk {
		line, complete, err := f.next()
		switch {
		case err == nil && complete && isPlain(line):
		case supplied:
			f.held = &heldLine{line, complete, err}
			return
		case errors.Is(err, io.EOF):
			f.err = f.cutEvents()
			return
		default:
			if err == nil {
				line, err = f.pass(line, complete)
			}
			if f.err = err; err != nil {
				return
			}
		}
		f.chunk = append(append(f.chunk, line...), '\n')
		supplied = supplied || len(line) > 0
	}
}

// next returns the held line, or else the next line of the file.
func (f *feeder) next() (line []byte, complete bool, err error) {
	if h := f.held; h != nil {
		f.held = nil
		return h.text, h.complete, h.err
	}
	return f.lines.Next()
}

// pass returns the line to pass to benchfmt: the line itself, the line completed by a go test -json
// event, or nothing. complete is false if line is the last line of the input and has no line break.
// Reading stops if pass returns an error.
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
		return nil, fmt.Errorf("%s:%d: line has %d KiB: benchmark, unit and configuration lines must be shorter than %d KiB",
			f.fileName, f.lines.Number, len(line)>>10, bounds.MaxRecordLine>>10)
	}
	if err := checkLine(line, complete); err != nil {
		return nil, f.syntaxError(err)
	}
	if isEvent && f.events.setConfig(line) {
		return nil, nil
	}
	if !isBenchmark(line) && !isUnit(line) {
		f.above.changed = true
	}
	return line, nil
}

// cutEvents emits an error for each unfinished benchmark line in go test -json output.
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
