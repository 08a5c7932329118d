// Package format reads what benchmark programs print, and turns it into the records
// of golang.org/x/perf/benchfmt, the one form that measurements have inside perftrack.
//
// In the flow engine -> runner -> store -> compare -> reports it stands between a
// program that the runner has executed, or a file that a user imports, and the store.
// The input is not trusted: every reader gives the same guarantees, which are checked
// here once (see [Format]) and not in each reader.
//
// A mistake in the input is an error with its file and line. Begin with format.go, which
// lists the formats; gobench.go reads the Go benchmark format and events.go its JSON,
// guard.go keeps the promises. The package scopes below it reads the tables of scope
// profilers, and bounds has the limits that all readers keep.
package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/scopes"
)

// Format is one form of benchmark output. Those that [All], [ByName] and [Detect]
// return keep these promises:
//
//   - Every value of an emitted Result is finite and not negative, its iterations are
//     above zero, and its names, units and configuration are valid UTF-8 without NUL
//     and within the limits of this package.
//   - What breaks a promise is emitted as a *benchfmt.SyntaxError with file and line in
//     the place of the record: one bad line does not spoil a file, and is not dropped
//     in silence.
//   - A limit on the whole input ends the reading with an error that names the limit,
//     the file and, where there are lines, the line. What was emitted until then is
//     not the whole input and should not be stored.
//
// Values are as benchfmt's own reader gives them. That one converts ns/op to sec/op
// and MB/s to B/s and keeps the original beside the new value, except for a value of
// exactly 0, which keeps the unit it has: look a unit up by its tidied and its
// original form.
type Format struct {
	Name        string // as in perftrack.toml and --from
	Description string // one line, for a list of formats
	// Detect reports whether an input that begins with head is in this format. Head
	// is at most HeadSize bytes and may end anywhere.
	Detect func(head []byte) bool
	// Read reads r to its end and emits its records in order; where a record comes
	// from several lines of the input, after the errors. A record is valid until
	// emit returns: clone a Result to keep it. An error of emit ends the reading and
	// is returned as it is. fileName is for messages.
	Read func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error

	fills func(head []byte) bool // see Fills
}

// HeadSize is how much of an input Detect should be shown: enough for the build
// messages and log lines that come before the first result.
const HeadSize = 64 << 10

// The tables of scope profilers.
var (
	profileReport = Format{
		Name:        "profile-report",
		Description: "markdown report of a scope profiler: hot paths, allocators, call hierarchy",
		Detect:      scopes.DetectReport,
		Read:        scopes.ReadReport,
		fills:       scopes.FillsReport,
	}
	scopeTable = Format{
		Name:        "scope-table",
		Description: "table of a scope profiler, markdown or plain: name, calls, total (ms), avg (us), min, max, percent",
		Detect:      scopes.DetectTable,
		Read:        scopes.ReadTable,
		fills:       scopes.FillsTable,
	}
)

// formats are the readers, the more specific first, since Detect asks them in order.
var formats = []Format{
	profileReport,
	gobench,
	scopeTable,
}

// All returns the formats, sorted as they are tried.
func All() []Format {
	all := make([]Format, len(formats))
	for i, f := range formats {
		all[i] = guarded(f)
	}
	return all
}

// ByName returns the format called name.
func ByName(name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return guarded(f), nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q: there are %s", name, strings.Join(names, ", "))
}

// Detect returns the format of an input that begins with head.
func Detect(head []byte) (Format, bool) {
	head = head[:min(len(head), HeadSize)]
	for _, f := range formats {
		if f.Detect(head) {
			return guarded(f), true
		}
	}
	return Format{}, false
}

// Read reads data in the format called name, as [Format].Read does. An empty name is
// the Go benchmark format, the default of perftrack.toml.
func Read(name string, data []byte, fileName string, emit func(benchfmt.Record) error) error {
	if name == "" {
		name = gobench.Name
	}
	f, err := ByName(name)
	if err != nil {
		return fmt.Errorf("read %s: %w", fileName, err)
	}
	return f.Read(bytes.NewReader(data), fileName, emit)
}
