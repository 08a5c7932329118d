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

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/cpp"
	"github.com/perftrack/perftrack/runner/format/dynamic"
	"github.com/perftrack/perftrack/runner/format/javascript"
	"github.com/perftrack/perftrack/runner/format/managed"
	"github.com/perftrack/perftrack/runner/format/python"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/format/rust"
	"github.com/perftrack/perftrack/runner/format/scopes"
	"github.com/perftrack/perftrack/runner/format/tools"
	"github.com/perftrack/perftrack/runner/format/trackers"
	"github.com/perftrack/perftrack/runner/spelling"
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
//
// Besides the records of benchfmt, a format may emit a *[reading.LeftOut].
type Format = reading.Format

// HeadSize is the number of bytes Detect needs from the beginning of an input.
const HeadSize = reading.HeadSize

// The formats for tables written by scope profilers.
var (
	profileReport = Format{
		Name:        "profile-report",
		Description: "markdown report of a scope profiler: hot paths, allocators, call hierarchy",
		Tool:        "scope profilers",
		Yields:      reading.Summaries,
		Detect:      func(h *reading.Head) bool { return scopes.DetectReport(h.Text) },
		Marks:       []string{"Profile Report", "Hot Paths"},
		Read:        scopes.ReadReport,
		Report:      scopes.FillsReport,
	}
	scopeTable = Format{
		Name:        "scope-table",
		Description: "table of a scope profiler: name, calls, total (ms), avg (us), min, max, percent",
		Tool:        "scope profilers",
		Yields:      reading.Summaries,
		Detect: func(h *reading.Head) bool {
			return scopes.DetectTable(h.Text) && !scopes.DetectReport(h.Text) && !detectGobench(h.Text)
		},
		Marks:  []string{"Calls", "Total", "Avg"},
		Read:   scopes.ReadTable,
		Report: scopes.FillsTable,
	}
)

// formats lists all formats.
var formats = []Format{
	gobench,
	profileReport,
	scopeTable,
	cpp.GoogleBenchmark,
	cpp.GoogleBenchmarkConsole,
	cpp.Catch2XML,
	cpp.Catch2Console,
	cpp.Nanobench,
	managed.JMH,
	managed.BenchmarkDotNet,
	tools.Hyperfine,
	tools.K6,
	tools.CSV,
	javascript.Tinybench,
	javascript.Vitest,
	javascript.Mitata,
	javascript.BenchmarkJS,
	javascript.BenchmarkJSON,
	javascript.Benny,
	javascript.BenchNode,
	dynamic.Julia,
	dynamic.IPS,
	dynamic.Dart,
	trackers.Bencher,
	trackers.CodSpeed,
	trackers.Custom,
	trackers.CustomSmaller,
	trackers.CustomBigger,
	python.PytestBenchmark,
	python.Pyperf,
	python.ASV,
	rust.CriterionConsole,
	rust.CriterionMessages,
	rust.Divan,
	rust.Gungraun,
	rust.Libtest,
	trackers.GitHubActionData,
	trackers.Gobenchdata,
	trackers.BencherExport,
}

// All returns the formats, in the order of a list for users.
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
	for _, f := range folders {
		if f.Name == name {
			return Format{}, fmt.Errorf("%s is the format of a folder: name the folder, without a format", name)
		}
		names = append(names, f.Name)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return Format{}, fmt.Errorf("unknown format %q: did you mean %s?", name, near)
	}
	return Format{}, fmt.Errorf("unknown format %q: `perftrack formats` lists the known ones", name)
}

// Detect returns the format of an input beginning with head. The error is a *[reading.UnknownError] if
// no format matches, and a *[reading.AmbiguousError] if several do.
func Detect(head []byte) (Format, error) {
	h := reading.NewHead(head)
	var found []Format
	for _, f := range formats {
		if f.Matches(h) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return Format{}, reading.Unknown(formats, h)
	case 1:
		return guarded(found[0]), nil
	}
	ambiguous := &reading.AmbiguousError{}
	for _, f := range found {
		ambiguous.Names = append(ambiguous.Names, f.Name)
	}
	return Format{}, ambiguous
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
