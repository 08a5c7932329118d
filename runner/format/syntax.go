package format

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

func isBenchmark(line []byte) bool { return bytes.HasPrefix(line, []byte("Benchmark")) }

func isUnit(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("Unit"))
	if !ok || len(rest) == 0 {
		return ok
	}
	r, _ := utf8.DecodeRune(rest)
	return unicode.IsSpace(r)
}

// isRecord reports whether benchfmt treats the line as anything other than a log line.
func isRecord(line []byte) bool {
	if isBenchmark(line) || isUnit(line) {
		return true
	}
	_, _, ok := configLine(line)
	return ok
}

// configLine splits a "key: value" line by the rules of the format, where a key begins with a
// lower-case letter and contains no upper-case letters and no spaces.
func configLine(line []byte) (key, value []byte, ok bool) {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if i == 0 && !unicode.IsLower(r) || unicode.IsSpace(r) || unicode.IsUpper(r) {
			return nil, nil, false
		}
		if i > 0 && r == ':' {
			key, value = line[:i], line[i+1:]
			trimmed := bytes.TrimLeft(value, " \t")
			return key, trimmed, len(value) == 0 || len(trimmed) < len(value)
		}
		i += n
	}
	return nil, nil, false
}

// checkLine returns an error for a line that benchfmt would accept but perftrack does not. It
// leaves other errors to benchfmt. complete is false if line is the last line of the input and has
// no line break.
func checkLine(line []byte, complete bool) error {
	switch {
	case isBenchmark(line):
		return checkBenchmark(line, complete)
	case isUnit(line):
		return bounds.CheckText("unit line", line, bounds.MaxRecordLine)
	}
	key, value, _ := configLine(line)
	return bounds.CheckConfig(string(key), value)
}

func checkBenchmark(line []byte, complete bool) error {
	if err := bounds.CheckText("benchmark line", line, bounds.MaxRecordLine); err != nil {
		return err
	}
	fields := strings.Fields(string(line))
	if len(fields) == 1 {
		if !complete {
			return errors.New("the input ends after the name " + bounds.Quote(fields[0]))
		}
		return nil // go test -v prints the name when a benchmark starts
	}
	if n := fields[1]; strings.Trim(n, "-0123456789") != "" {
		return fmt.Errorf("iteration count %s is not a whole number: did the benchmark print to standard output?", bounds.Quote(n))
	} else if strings.Contains(n, "-") {
		return fmt.Errorf("iteration count %s is not a whole number", bounds.Quote(n))
	}
	for i, field := range fields[2:] {
		switch number := bounds.IsDecimal(field); {
		case i%2 == 0 && !number:
			return fmt.Errorf("value %s is not a decimal number", bounds.Quote(field))
		case i%2 == 1 && number: // two lines may have run together
			return fmt.Errorf("missing unit: found the number %s", bounds.Quote(field))
		}
	}
	if last := fields[len(fields)-1]; !complete && isCutUnit(last) {
		return fmt.Errorf("the input ends in the middle of the unit %s", bounds.Quote(last))
	}
	return nil
}

// isCutUnit reports whether s is the incomplete beginning of one of go test's units.
func isCutUnit(s string) bool {
	for _, unit := range []string{"ns/op", "B/op", "allocs/op", "MB/s"} {
		if s != unit && strings.HasPrefix(unit, s) {
			return true
		}
	}
	return false
}

// detectingKeys are configuration keys that only go test and perftrack write. The rest of the header of
// perftrack's own runs may be longer than a head.
var detectingKeys = []string{record.KeyGOOS, record.KeyPackage, record.KeyFormat}

// detectGobench looks for a benchmark line, or for a line that go test prints before one.
func detectGobench(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if _, ok := parseEvent(line); ok {
			return true
		}
		if key, _, ok := configLine(line); ok && slices.Contains(detectingKeys, string(key)) {
			return true
		}
		if isUnit(line) && bytes.IndexByte(line, '=') > 0 {
			return true
		}
		fields := bytes.Fields(line)
		if isBenchmark(line) && len(fields) >= 4 &&
			len(bytes.Trim(fields[1], "0123456789")) == 0 && bounds.IsDecimal(string(fields[2])) {
			return true
		}
	}
	return false
}
