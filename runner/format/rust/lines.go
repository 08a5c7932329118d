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

// readLines calls read with each line of r, and makes a sheet for it. read gets "" at the end.
func readLines(r io.Reader, fileName string, emit func(benchfmt.Record) error, read func(s *reading.Sheet, number int, line string) error) error {
	s := reading.NewSheet(fileName, emit)
	if err := s.Ready(); err != nil {
		return err
	}
	lines := bounds.NewLines(r, fileName)
	for {
		line, _, err := lines.Next()
		if errors.Is(err, io.EOF) {
			if err := read(s, lines.Number, ""); err != nil {
				return err
			}
			return s.Close()
		}
		if err != nil {
			return err
		}
		if err := read(s, lines.Number, plain(string(line))); err != nil {
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
