// Package format reads the output of benchmark programs and converts it to the records of
// golang.org/x/perf/benchfmt. perftrack keeps all measurements in this form.
//
// In the flow engine -> runner -> store -> compare -> reports it comes before the store: it reads
// the output of a program run by the runner, or a file imported by a user. The input is not
// trusted. Every reader gives the same guarantees (see [Format]), enforced in a single place.
//
// A mistake in the input is reported as an error with the file and line. Start with the list of
// formats in format.go. The Go benchmark format is read in gobench.go and its JSON form in
// events.go; the guarantees are enforced in guard.go. Below this package, scopes reads the tables
// of scope profilers, and bounds defines the limits for all readers.
package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/scopes"
)

// Format is one format for benchmark output. The formats of [All], [ByName] and [Detect] give these
// guarantees:
//
//   - Every value in an emitted Result is finite and not negative, its iteration count is
//     above zero, and its names, units and configuration are valid UTF-8 without NUL
//     and within the limits of this package.
//   - A record that violates a guarantee is replaced by a *benchfmt.SyntaxError with the file and
//     line, so one bad line neither spoils a file nor is silently dropped.
//   - If the input exceeds a limit on the whole input, Read returns an error that names the limit,
//     the file and, if there are lines, the line. The records emitted before that are incomplete
//     and should not be stored.
//
// Values are as benchfmt's own reader returns them. It converts ns/op to sec/op and MB/s to B/s and
// keeps the original next to the converted value. A value of exactly 0 keeps its unit, so look a
// unit up in both its normalized and its original form.
//
// Results with the same slice Config have the same configuration, except for the values of keys that
// describe a single sample. Thus a decode.Builder need not compare the configuration of each result.
type Format struct {
	Name        string // name in perftrack.toml and for --from
	Description string // one line for a list of formats
	// Detect reports whether an input beginning with head is in this format. head has at most
	// HeadSize bytes and may end anywhere.
	Detect func(head []byte) bool
	// Read reads r to its end and calls emit for each record in order; records from several lines
	// of the input come after the errors. A record is valid until emit returns, so clone a Result
	// to keep it. If emit returns an error, Read stops and returns the error unchanged. fileName is
	// used in messages.
	Read func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error

	fills func(head []byte) bool // see Fills
}

// HeadSize is the number of bytes Detect needs from the beginning of an input. It leaves room for
// build messages and log lines before the first result.
const HeadSize = 64 << 10

// The formats for tables written by scope profilers.
var (
	profileReport = Format{
		Name:        "profile-report",
		Description: "markdown report from a scope profiler: hot paths, allocators, call hierarchy",
		Detect:      scopes.DetectReport,
		Read:        scopes.ReadReport,
		fills:       scopes.FillsReport,
	}
	scopeTable = Format{
		Name:        "scope-table",
		Description: "table from a scope profiler, markdown or plain: name, calls, total (ms), avg (us), min, max, percent",
		Detect:      scopes.DetectTable,
		Read:        scopes.ReadTable,
		fills:       scopes.FillsTable,
	}
)

// formats lists the formats in the order in which Detect tries them, so more specific ones come
// first.
var formats = []Format{
	profileReport,
	gobench,
	scopeTable,
}

// All returns the formats in the order of detection.
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
	return Format{}, fmt.Errorf("unknown format %q: known formats are %s", name, strings.Join(names, ", "))
}

// Detect returns the format of an input beginning with head. It returns false if no format matches.
func Detect(head []byte) (Format, bool) {
	head = head[:min(len(head), HeadSize)]
	for _, f := range formats {
		if f.Detect(head) {
			return guarded(f), true
		}
	}
	return Format{}, false
}

// Read reads data in the format called name, like the Read function of [Format]. An empty name
// means the Go benchmark format, the default in perftrack.toml.
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
