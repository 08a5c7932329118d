package rust

import (
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// readDocuments reads a sequence of JSON objects with read. Each begins on a line of its own. Lines
// between them are skipped, because programs and cargo print them, too.
func readDocuments(r io.Reader, fileName string, emit func(benchfmt.Record) error, read func(d *reading.Document) error) error {
	return reading.ReadJSON(&documents{r: r}, fileName, emit, func(d *reading.Document) error {
		if err := d.Ready(); err != nil {
			return err
		}
		for {
			if more, err := d.More(); err != nil || !more {
				return err
			}
			if err := read(d); err != nil {
				return err
			}
		}
	})
}

// documents blanks the lines that are not part of a JSON object.
type documents struct {
	r       io.Reader
	depth   int  // of braces and brackets
	skipped bool // the rest of the line is no part of an object
	quoted  bool // the next byte is within a string
	escape  bool // the next byte follows a backslash
}

func (d *documents) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	kept := p[:0]
	for _, c := range p[:n] {
		if d.keep(c) {
			kept = append(kept, c)
		}
	}
	return len(kept), err
}

// keep reports whether a byte belongs to an object, or breaks a line.
func (d *documents) keep(c byte) bool {
	switch {
	case d.depth > 0:
		d.inside(c)
		return true
	case c == '\n':
		d.skipped = false
		return true
	case d.skipped:
	case c == '{':
		d.depth = 1
		return true
	case c != ' ' && c != '\t':
		d.skipped = true
	}
	return false
}

// inside follows the strings and braces of an object.
func (d *documents) inside(c byte) {
	switch {
	case d.escape:
		d.escape = false
	case d.quoted:
		d.escape = c == '\\'
		d.quoted = c != '"'
	case c == '"':
		d.quoted = true
	case c == '{' || c == '[':
		d.depth++
	case c == '}' || c == ']':
		d.depth--
		d.skipped = d.depth == 0
	}
}
