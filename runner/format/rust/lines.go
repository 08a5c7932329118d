package rust

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// A lineReader reads a text line by line. end is called after the last line.
type lineReader interface {
	line(s *reading.Sheet, number int, line string) error
	end(s *reading.Sheet) error
}

// readLines reads the lines of r with lr.
func readLines(r io.Reader, fileName string, emit func(benchfmt.Record) error, lr lineReader) error {
	s := reading.NewSheet(fileName, emit)
	if err := s.Ready(); err != nil {
		return err
	}
	lines := bounds.NewLines(r, fileName)
	for {
		line, _, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return lr.end(s)
		}
		if err != nil {
			return err
		}
		if err := lr.line(s, lines.Number, plain(string(line))); err != nil {
			return err
		}
	}
}

// escapes are the sequences for colors.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// plain returns a line as a terminal shows it: without colors, and without what was overwritten.
func plain(line string) string {
	if strings.IndexByte(line, '\x1b') >= 0 {
		line = escapes.ReplaceAllString(line, "")
	}
	line = strings.TrimRight(line, "\r")
	return line[strings.LastIndexByte(line, '\r')+1:]
}

// duration returns the unit of a time, and whether it is one.
func duration(text string) (reading.Unit, bool) {
	u := reading.UnitOf(text)
	return u, u.Go == "ns/op"
}
