package reading

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/perf/benchfmt"
)

// A Format is one format of benchmark output. An input is recognized by Shape, Line or Detect. If
// several are set, Detect decides, and Shape describes the usual input.
type Format struct {
	Name        string // name in perftrack.toml and for --from
	Description string // one line for a list of formats
	Tool        string // the command or option that writes the format
	Yields      Yield

	// Shape lists paths that a JSON input must have, such as "benchmarks[].real_time:number".
	// [] stands for the elements of an array and * for any key. The kind after the colon is optional.
	Shape []string
	// Line reports whether a line of text is a result. One such line is enough.
	Line func(line []byte) bool
	// Detect recognizes an input that neither Shape nor Line can describe.
	Detect func(h *Head) bool
	// Marks are words found in inputs of this format. They find the format nearest to an input in no
	// known format, and are never enough to recognize one.
	Marks []string
	// Forced means that the format is never detected: --from or a target has to name it.
	Forced bool

	// Read reads r to its end and calls emit for each record in order. A record is valid until emit
	// returns, so clone a Result to keep it. If emit returns an error, Read stops and returns the
	// error unchanged. fileName is used in messages.
	Read func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error

	// Report reports whether an input in this format is a report, rather than a text that only quotes
	// one. It is nil if every such input is a report.
	Report func(head []byte) bool
}

// A Yield says what the results of a format are.
type Yield string

// The kinds of results. A file of some formats keeps samples only if it was written with an option.
const (
	Samples   Yield = "samples"
	Summaries Yield = "summaries"
	Either    Yield = "samples or summaries"
)

// Matches reports whether an input with this head is in the format.
func (f *Format) Matches(h *Head) bool {
	switch {
	case f.Forced:
		return false
	case f.Detect != nil:
		return f.Detect(h)
	case f.Line != nil:
		for _, line := range h.Lines() {
			if f.Line(line) {
				return true
			}
		}
		return false
	}
	return len(f.Shape) > 0 && h.HasAll(f.Shape)
}

// IsReport reports whether an input beginning with head, and matched by f, is a report rather than a
// text that only quotes one.
func (f *Format) IsReport(head []byte) bool {
	return f.Report == nil || f.Report(bytes.TrimPrefix(head, []byte("\uFEFF")))
}

// ErrCompanion means that a tool wrote the file beside its results, and that it has none. Whoever reads
// a whole folder can pass it over.
var ErrCompanion = errors.New("no results")

// A LeftOut is a record about something in the input that was understood and left out, such as a
// benchmark that failed. It is no mistake in the input.
type LeftOut struct {
	FileName string
	Line     int    // 0 if unknown
	What     string // such as the name of a benchmark; "" for a part of the file
	Why      string
	Failed   bool // the benchmark failed by its harness's own account
}

// Pos returns the position in the input.
func (l *LeftOut) Pos() (fileName string, line int) { return l.FileName, l.Line }

// A Located is a Result with its line in the input.
type Located struct {
	*benchfmt.Result
	FileName string
	Line     int
}

// Pos returns the position in the input.
func (l *Located) Pos() (fileName string, line int) { return l.FileName, l.Line }
