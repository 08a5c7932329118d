// Package scopes reads the tables of scope profilers, with the calls, times and allocations of each
// method.
//
// [ReadReport] reads a markdown report (report.go, the file to start with), and [ReadTable] reads
// any table with the same columns (table.go). Both return the records of a profile, with each
// method named by its call path if known. If a table contradicts itself, the error contains the
// line number. Tables are found in tables.go, their headers interpreted in columns.go and their
// cells parsed in number.go. The rows of each method are merged in methods.go, its callers are
// found in callpaths.go, and quotes.go distinguishes reports from texts that only quote one.
package scopes

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

var reportTitle = regexp.MustCompile(`(?m)^(?:\x{FEFF})?# .*Profile Report\s*$`)

// DetectReport reports whether an input beginning with head is a profile report.
func DetectReport(head []byte) bool {
	return reportTitle.Match(head) && (hasTable(string(head), false) || headerLine.Match(head))
}

// A report holds the state of reading a profile report.
type report struct {
	methods   *methods
	tables    tables
	paths     callPaths
	enhanced  bool
	section   string // the last heading
	method    string // method of the current list of callers
	hierarchy int    // number of lines in the call hierarchy
	last      int    // number of the last line

	promised int // number of methods stated in the header
	hotRows  int // number of rows in the table of hot paths
	hotLimit int // maximum number of rows in the table of hot paths
}

// defaultHotRows is the maximum number of rows in a table of hot paths without a number in its
// heading.
const defaultHotRows = 20

// ReadReport reads the markdown report of a scope profiler in one of three layouts. The suites
// standard and deep have hot paths with min and max, allocators, most called methods, and a call
// hierarchy; the suite enhanced has hot paths with allocations, and allocators.
//
// Each record is one method, under `profile: scopes`. Its name is its call path if known and
// otherwise its bare name; its iterations are the calls. The header of the report becomes
// configuration: generated, total-runtime, total-allocations, methods-profiled and facts about the
// system.
//
//   - ns/op is the figure with the smallest rounding error, see [finest].
//   - total-ns is the total as printed, because sums over rows are computed from totals, and
//     rounded averages are not precise enough.
//   - min-ns/op, max-ns/op and B/op are as printed, if the layout has them. The profiler
//     took the minimum, maximum and total at different moments, so a minimum can exceed
//     an average. An allocation printed as 0.00 MB is 0 B/op.
//   - self-ns/op is present if the report is complete and the parents of every method are known.
func ReadReport(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	ms := newMethods(fileName, emit)
	rep := &report{methods: ms, tables: tables{methods: ms}, paths: callPaths{callers: make(map[string][]caller)}, promised: -1}
	_, err := ms.readLines(r, func(text string, number int, complete bool) {
		rep.last = number
		rep.line(text, complete)
	})
	if err != nil {
		return err
	}
	return rep.finish()
}

func (rep *report) line(text string, complete bool) {
	before := rep.tables.read
	number := rep.tables.number
	if rep.tables.line(text, rep.last, complete) {
		if n := rep.tables.read; n > before && number == rep.tables.number && strings.Contains(rep.section, "hot paths") {
			rep.hotRows = max(rep.hotRows, n)
		}
		return
	}
	switch {
	case strings.HasPrefix(text, "#"):
		rep.heading(text)
	case strings.Contains(rep.section, "call hierarchy"):
		rep.callers(text)
	case rep.tables.number == 0:
		rep.header(text)
	}
}

var topN = regexp.MustCompile(`\(top (\d{1,6})\)`)

func (rep *report) heading(text string) {
	title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(text, "#")))
	switch level := len(text) - len(strings.TrimLeft(text, "#")); {
	case level == 1:
		rep.enhanced = rep.enhanced || strings.HasPrefix(title, "enhanced")
	case level == 3 && strings.Contains(rep.section, "call hierarchy"):
		rep.method = ""
		name, err := cleanName(strings.TrimLeft(text, "# "))
		if err != nil {
			rep.methods.syntaxError(rep.last, fmt.Errorf("method in the call hierarchy %w", err))
			return
		}
		rep.method = name
		rep.limitHierarchy()
	default:
		rep.section = title
		if strings.Contains(title, "hot paths") {
			rep.hotLimit = defaultHotRows
			if m := topN.FindStringSubmatch(title); m != nil {
				rep.hotLimit, _ = strconv.Atoi(m[1]) // at most six digits, so there is no error
			}
		}
	}
}

// maxHierarchy is the maximum number of methods and callers in a call hierarchy: ten lines for each
// possible method.
const maxHierarchy = 10 * bounds.MaxBenchmarks

func (rep *report) limitHierarchy() {
	if rep.hierarchy++; rep.hierarchy > maxHierarchy {
		rep.methods.err = fmt.Errorf("%s:%d: input exceeds the limit of %d lines of call hierarchy", rep.methods.fileName, rep.last, maxHierarchy)
	}
}

var callerLine = regexp.MustCompile("^- (`[^`]+`) \\(([0-9,]+) times?\\)$")

// callers parses a line of the call hierarchy.
func (rep *report) callers(text string) {
	text = strings.TrimSpace(text)
	switch match := callerLine.FindStringSubmatch(text); {
	case rep.method != "" && strings.EqualFold(text, "*Entry point method*"):
		rep.paths.callers[rep.method] = []caller{}
	case match != nil && rep.method != "":
		name, err := cleanName(match[1])
		n, nErr := wholeNumber(match[2])
		if err = errors.Join(err, nErr); err != nil {
			rep.methods.syntaxError(rep.last, fmt.Errorf("caller of %s %w", bounds.Quote(rep.method), err))
			return
		}
		rep.limitHierarchy()
		rep.paths.callers[rep.method] = append(rep.paths.callers[rep.method], caller{name, n})
	case strings.HasPrefix(text, "-"):
		rep.methods.syntaxError(rep.last, fmt.Errorf("invalid line %s in the call hierarchy: expected \"- `Caller` (3 times)\"", bounds.Quote(text)))
	}
}

var headerLine = regexp.MustCompile(`(?m)^\s*(?:- )?\*\*([^*:]+):\*\*[ \t]*(\S.*)$`)

// renamed maps keys derived from header lines to existing configuration keys.
var renamed = map[string]string{"cpu-cores": record.KeyCPUCount, "net-version": "dotnet-version"}

// header parses a line such as "**Total Runtime:** 4448.20 ms".
func (rep *report) header(text string) {
	match := headerLine.FindStringSubmatch(text)
	if match == nil {
		return
	}
	key, value := configKey(match[1]), strings.TrimSpace(match[2])
	if strings.ContainsFunc(value, unicode.IsControl) {
		rep.methods.syntaxError(rep.last, fmt.Errorf("%s %s contains a control character", key, bounds.Quote(value)))
		return
	}
	if key == "methods-profiled" {
		n, err := wholeNumber(value)
		if err != nil {
			rep.methods.syntaxError(rep.last, fmt.Errorf("%s %w", key, err))
			return
		}
		rep.promised = n
	}
	if err := rep.methods.setConfig(key, value); err != nil {
		rep.methods.syntaxError(rep.last, err)
	}
}

// configKey derives a configuration key from the title of a header line.
func configKey(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLower(r) && !unicode.IsDigit(r)
	})
	key := strings.Join(words, "-")
	if k, ok := renamed[key]; ok {
		return k
	}
	switch {
	case key == "" || !unicode.IsLower([]rune(key)[0]):
		return "report-" + key
	case record.RoleOf(key) == record.SampleKey || key == record.KeyFormat:
		return "report-" + key
	}
	return key
}

// finish emits the records once the whole report has been read.
func (rep *report) finish() error {
	ms := rep.methods
	rep.last = max(rep.last, 1) // even if the input is empty
	rep.tables.end(rep.last)
	if rep.tables.found == 0 && !ms.damaged {
		ms.syntaxError(rep.last, noTable("profile report"))
	}
	if want := min(rep.promised, rep.hotLimit); rep.tables.found > 0 && rep.hotRows < want {
		ms.syntaxError(rep.last, fmt.Errorf("the hot paths list only %d of %d profiled methods: rows are missing", rep.hotRows, rep.promised))
	}
	rep.detectSuite()
	rep.checkCallers()
	if ms.err != nil {
		return ms.err
	}
	rep.name()
	var self map[*method]float64
	if !ms.damaged && len(ms.ordered) == rep.promised {
		self = rep.paths.selfTimes(ms)
	}
	return ms.emitAll(self)
}

func (rep *report) detectSuite() {
	suite := ""
	if rep.enhanced {
		suite = "enhanced"
	}
	for _, p := range programs {
		if _, ok := rep.methods.byName[p.mark]; ok && suite == "" {
			suite, rep.paths.known = p.suite, p
		}
	}
	if suite == "" {
		return // the report was written by an unknown program
	}
	if err := rep.methods.setConfig(record.KeySuite, suite); err != nil {
		rep.methods.syntaxError(rep.last, err)
	}
}

// checkCallers compares the call hierarchy with the tables.
func (rep *report) checkCallers() {
	for _, m := range rep.methods.ordered {
		total := 0
		for _, c := range rep.paths.callers[m.row.name] {
			total += min(c.calls, m.row.calls+1-total) // keep the sum from overflowing
		}
		if !m.bad && total > m.row.calls {
			m.bad = true
			rep.methods.syntaxError(m.line, fmt.Errorf("%s has %d calls here but more in the call hierarchy", bounds.Quote(m.row.name), m.row.calls))
		}
	}
}

// name sets the names of the methods to their call paths.
func (rep *report) name() {
	taken := make(map[string]*method)
	for _, m := range rep.methods.ordered {
		if m.bad {
			continue
		}
		m.name = rep.paths.path(rep.methods, m.row.name)
		if other := taken[m.name]; other != nil {
			m.bad = true
			rep.methods.syntaxError(m.line, fmt.Errorf("%s is the call path of two methods: see line %d", bounds.Quote(m.name), other.line))
			continue
		}
		taken[m.name] = m
	}
}
