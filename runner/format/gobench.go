package format

import (
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/format/scopes"
)

// gobench is the Go benchmark format, https://go.dev/design/14313-benchmark-format, either as text
// or inside the events of `go test -json`.
var gobench = Format{
	Name:        "gobench",
	Description: "Go benchmark format: go test -bench, also with -v or -json",
	Tool:        "go test -bench, perftrack export",
	Yields:      reading.Samples,
	Detect: func(h *reading.Head) bool {
		return detectGobench(h.Text) && !scopes.DetectReport(h.Text) && !comparison(h)
	},
	Marks:  []string{"Benchmark", " ns/op"},
	Read:   readGobench,
	Report: fillsGobench,
}

// comparison reports whether an input is a comparison of benchstat, which repeats the configuration of
// the files, and has no results.
func comparison(h *reading.Head) bool {
	if !h.Compares() {
		return false
	}
	for _, line := range h.Lines() {
		if _, isEvent := parseEvent(line); isEvent || isMeasured(line) {
			return false
		}
	}
	return true
}

// readGobench parses with benchfmt.Reader, so that every number is read as benchstat reads it.
// However, it skips lines that benchfmt would misread: benchfmt's scanner stops at a line longer
// than 64 KiB, and it accepts numbers such as NaN, 0x1p-2, 1_000 and -5.
func readGobench(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	feed := &feeder{lines: bounds.NewLines(r, fileName), fileName: fileName, emit: emit}
	reader := benchfmt.NewReader(feed, fileName)
	for reader.Scan() {
		var err error
		if result, ok := reader.Result().(*benchfmt.Result); ok {
			err = feed.emitResult(result)
		} else {
			err = emit(reader.Result())
		}
		if err != nil {
			return err
		}
	}
	if feed.err != nil {
		return feed.err
	}
	return reader.Err()
}

// emitResult emits a result with its configuration as [Format] guarantees it.
func (f *feeder) emitResult(result *benchfmt.Result) error {
	if f.events.configure(result) {
		f.above.config = nil // an event may name a package not checked by any line
	}
	own := result.Config
	result.Config = f.above.of(own)
	err := f.emit(result)
	result.Config = own // the reader continues to write to its own configuration
	return err
}
