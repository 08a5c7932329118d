// Package scopes reads the tables of scope profilers: for each method its calls, times and
// allocations.
//
// [ReadReport] reads a markdown report (report.go, the file to begin with), [ReadTable] any
// table with such columns (table.go). Both give the records of a profile, each method under
// its call path where that is known; a table that contradicts itself is an error with its
// line. tables.go finds the tables, columns.go understands their headers, number.go reads
// their cells, methods.go puts together what several tables tell of a method, callpaths.go
// where it is called from, and quotes.go tells a report from a text that only quotes one.
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

// DetectReport reports whether an input that begins with head is a profile report.
func DetectReport(head []byte) bool {
	return reportTitle.Match(head) && (hasTable(string(head), false) || headerLine.Match(head))
}

// A report is the state of reading one profile report.
type report struct {
	methods  *methods
	tables   tables
	paths    callPaths
	enhanced bool
	section  string // the last heading
	method   string // whose callers are being told
	told     int    // lines of the call hierarchy
	last     int    // line

	promised int // methods, by the header
	hotRows  int // in the table of hot paths
	hotLimit int // rows that such a table has at most
}

// defaultHotRows is how many rows a table of hot paths has at most that does not tell.
const defaultHotRows = 20

// ReadReport reads the markdown report of a scope profiler, in three layouts: that of
// the suites standard and deep (hot paths with min and max, allocators, most called,
// call hierarchy) and that of enhanced (hot paths with allocations, allocators).
//
// A record is one method under `profile: scopes`, named by its call path where that is
// known, else by its bare name; its iterations are calls. The header of the report
// becomes configuration: generated, total-runtime, total-allocations, methods-profiled
// and what it tells of the system.
//
//   - ns/op is the finest figure there is, see [finest].
//   - total-ns is the total as it is printed: totals that were rounded on their own do
//     not come out of averages, and sums of rows are made of totals.
//   - min-ns/op, max-ns/op and B/op stand where the layout has them, and are as printed:
//     the profiler took minimum, maximum and total at three moments, so that a minimum
//     can be above an average. An allocation printed as 0.00 MB is 0 B/op.
//   - self-ns/op stands where the report is whole and the place of every method is known.
func ReadReport(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	ms := newMethods(fileName, emit)
	rep := &report{methods: ms, tables: tables{methods: ms}, paths: callPaths{told: make(map[string][]caller)}, promised: -1}
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
			rep.methods.syntaxError(rep.last, fmt.Errorf("method of the call hierarchy %w", err))
			return
		}
		rep.method = name
		rep.limitHierarchy()
	default:
		rep.section = title
		if strings.Contains(title, "hot paths") {
			rep.hotLimit = defaultHotRows
			if m := topN.FindStringSubmatch(title); m != nil {
				rep.hotLimit, _ = strconv.Atoi(m[1]) // digits, and few
			}
		}
	}
}

// maxHierarchy is how many methods and callers a call hierarchy has at most: ten lines
// for each method that there can be.
const maxHierarchy = 10 * bounds.MaxBenchmarks

func (rep *report) limitHierarchy() {
	if rep.told++; rep.told > maxHierarchy {
		rep.methods.err = fmt.Errorf("%s:%d: more than %d lines of call hierarchy, the limit of an input", rep.methods.fileName, rep.last, maxHierarchy)
	}
}

var callerLine = regexp.MustCompile("^- (`[^`]+`) \\(([0-9,]+) times?\\)$")

// callers reads a line of the call hierarchy.
func (rep *report) callers(text string) {
	text = strings.TrimSpace(text)
	switch match := callerLine.FindStringSubmatch(text); {
	case rep.method != "" && strings.EqualFold(text, "*Entry point method*"):
		rep.paths.told[rep.method] = []caller{}
	case match != nil && rep.method != "":
		name, err := cleanName(match[1])
		n, nErr := wholeNumber(match[2])
		if err = errors.Join(err, nErr); err != nil {
			rep.methods.syntaxError(rep.last, fmt.Errorf("caller of %s %w", bounds.Quote(rep.method), err))
			return
		}
		rep.limitHierarchy()
		rep.paths.told[rep.method] = append(rep.paths.told[rep.method], caller{name, n})
	case strings.HasPrefix(text, "-"):
		rep.methods.syntaxError(rep.last, fmt.Errorf("line %s of the call hierarchy: expected \"- `Caller` (3 times)\"", bounds.Quote(text)))
	}
}

var headerLine = regexp.MustCompile(`(?m)^\s*(?:- )?\*\*([^*:]+):\*\*[ \t]*(\S.*)$`)

// renamed are the header's words for what has a configuration key already.
var renamed = map[string]string{"cpu-cores": record.KeyCPUCount, "net-version": "dotnet-version"}

// header reads a line such as "**Total Runtime:** 4448.20 ms".
func (rep *report) header(text string) {
	match := headerLine.FindStringSubmatch(text)
	if match == nil {
		return
	}
	key, value := configKey(match[1]), strings.TrimSpace(match[2])
	if strings.ContainsFunc(value, unicode.IsControl) {
		rep.methods.syntaxError(rep.last, fmt.Errorf("%s %s has a control character", key, bounds.Quote(value)))
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

// configKey makes a configuration key of a word of the header.
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

// finish emits the records, when all of the report has been seen.
func (rep *report) finish() error {
	ms := rep.methods
	rep.last = max(rep.last, 1) // of an empty input, too
	rep.tables.end(rep.last)
	if rep.tables.found == 0 && !ms.damaged {
		ms.syntaxError(rep.last, noTable("profile report"))
	}
	if want := min(rep.promised, rep.hotLimit); rep.tables.found > 0 && rep.hotRows < want {
		ms.syntaxError(rep.last, fmt.Errorf("the hot paths have %d rows of the %d methods that the report profiled: rows are missing", rep.hotRows, rep.promised))
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
		return // of a program that is not known
	}
	if err := rep.methods.setConfig(record.KeySuite, suite); err != nil {
		rep.methods.syntaxError(rep.last, err)
	}
}

// checkCallers compares the call hierarchy with the tables.
func (rep *report) checkCallers() {
	for _, m := range rep.methods.ordered {
		total := 0
		for _, c := range rep.paths.told[m.row.name] {
			total += min(c.calls, m.row.calls+1-total) // no more: a sum could overflow
		}
		if !m.bad && total > m.row.calls {
			m.bad = true
			rep.methods.syntaxError(m.line, fmt.Errorf("%s has %d calls, and more in the call hierarchy", bounds.Quote(m.row.name), m.row.calls))
		}
	}
}

// name gives the methods their call paths.
func (rep *report) name() {
	taken := make(map[string]*method)
	for _, m := range rep.methods.ordered {
		if m.bad {
			continue
		}
		m.name = rep.paths.path(rep.methods, m.row.name)
		if other := taken[m.name]; other != nil {
			m.bad = true
			rep.methods.syntaxError(m.line, fmt.Errorf("%s is the call path of two methods, also of that in line %d", bounds.Quote(m.name), other.line))
			continue
		}
		taken[m.name] = m
	}
}
