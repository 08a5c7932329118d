package gobench

import (
	"regexp"
	"strconv"
)

// Package testing writes a result in two steps. When the benchmark begins, it writes the name,
// padding and a tab. When the benchmark ends, it writes the number of iterations as "%8d" and then
// the measurements, each after a tab.

// NameEnd matches the end of a written name, after the benchmark's own name: the GOMAXPROCS suffix,
// the padding and the tab.
const NameEnd = `(?:-[0-9]+)? *\t`

var (
	header      = regexp.MustCompile(`^(?:goos|goarch|pkg|cpu): [^\n]*\n$`)
	writtenName = regexp.MustCompile(`^` + Prefix + `\S*?` + NameEnd + `$`)
	resultStart = regexp.MustCompile(`^ *[0-9]+\t`)
	result      = regexp.MustCompile(`^ *[0-9]+(?:\t *\S+ \S+)+\s*$`)
	resultLine  = regexp.MustCompile(`^` + Prefix + `(\S*)\s+(\d+)\s+(?:([0-9.e+-]+) ns/op)?`)
)

// IsHeader reports whether line is part of package testing's description of the system before the
// first name.
func IsHeader(line []byte) bool { return header.Match(line) }

// IsWrittenName reports whether text is a name as package testing writes it when a benchmark
// begins.
func IsWrittenName(text []byte) bool { return writtenName.Match(text) }

// BeginsResult reports whether text begins like the part of a result line after the name.
func BeginsResult(text []byte) bool { return resultStart.Match(text) }

// IsResult reports whether text is the part of a result line after the name.
func IsResult(text []byte) bool { return result.Match(text) }

// A Result is the time in a result line.
type Result struct {
	Name string  // without Prefix
	N    int64   // iterations
	Op   float64 // ns/op
}

// ParseResult parses a result line. ok is false unless the line states at least one iteration and a
// value in ns/op.
func ParseResult(line string) (r Result, ok bool) {
	m := resultLine.FindStringSubmatch(line)
	if m == nil {
		return r, false
	}
	n, err1 := strconv.ParseInt(m[2], 10, 64)
	op, err2 := strconv.ParseFloat(m[3], 64)
	return Result{m[1], n, op}, err1 == nil && err2 == nil && n > 0
}
