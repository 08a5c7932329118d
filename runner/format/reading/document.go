package reading

import (
	"io"

	"golang.org/x/perf/benchfmt"
)

// A Document is a JSON document and the records made from it.
type Document struct {
	*JSON
	*Sheet
}

// ReadJSON reads a JSON document with read, and emits the records. Nothing may follow the document.
func ReadJSON(r io.Reader, fileName string, emit func(benchfmt.Record) error, read func(d *Document) error) error {
	d := &Document{NewJSON(r, fileName), NewSheet(fileName, emit)}
	if err := read(d); err != nil {
		return err
	}
	if err := d.End(); err != nil {
		return err
	}
	return d.Close()
}
