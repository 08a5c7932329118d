package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// SchemaVersion is the version of all JSON documents. It is incremented when a field is removed or
// changes its meaning, but not when a field is added.
const SchemaVersion = 1

// JSON writes the report as one document of its kind. These files describe the fields of each kind,
// in order:
//
//   - comparison, written by compare, check and trials: comparison/json.go
//   - run, with all samples: runs/json.go
//   - profile, the call trees of runs: profile/json.go
//   - history, and regressions, written by history --steps: history/json.go
//   - explanation, the causes of a difference: explanation/json.go
//   - calibration: machine/calibration.go
//   - doctor: machine/doctor.go
//   - stats, written by db stats: ../cmd/perftrack/internal/listing/stats.go
//   - table, written by every command that lists things: listing.go
//
// Every document has schema_version and kind. The document of a failed command has the field error,
// with the kind and the message of the error, instead of kind. A file written by --output has both
// if there is a result despite the error. Readers must ignore unknown fields. "unit" is the tidied
// unit (sec/op, B/s) of all numbers in the same object; "unit_stored" is the unit in the output of
// the benchmark (ns/op, MB/s). A missing or infinite number, such as an open end of an interval
// with too few samples or a p-value that was not computed, is null. Relative changes are fractions:
// 0.05 is 5 %. Times are in UTC, in the format of RFC 3339, or absent. Names are written as they
// were measured, so readers must make them safe before they show them.
func JSON(w io.Writer, r Report) error {
	document := Object{{"schema_version", SchemaVersion}}
	if r.Kind != "" {
		document = slices.Concat(document, Object{{"kind", r.Kind}}, r.Document())
	}
	var text, indented bytes.Buffer
	err := encode(&text, failingDocument(document, r.Failure))
	if err == nil {
		err = json.Indent(&indented, text.Bytes(), "", "  ")
	}
	if err == nil {
		_, err = w.Write(append(indented.Bytes(), '\n'))
	}
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// ReadDocument reads a JSON document of the given kind into the pointer fields of document.
func ReadDocument(text []byte, kind string, document Object) error {
	var version int
	var found string
	head := Object{{"schema_version", &version}, {"kind", &found}}
	if err := slices.Concat(head, document).read(text); err != nil {
		return fmt.Errorf("read %s: %w", kind, err)
	}
	if version != SchemaVersion || found != kind {
		return fmt.Errorf("read %s: the document is %q with schema %d", kind, found, version)
	}
	return nil
}

// WithError returns the report with an error in its JSON, for a command that failed although it has
// a report. Only comparisons have an error field.
func (r Report) WithError(kind, message string) Report {
	return r.With("error", Object{{"kind", kind}, {"message", message}})
}

// With returns the report with the field called key set to value in its JSON document, if the
// document has such a field.
func (r Report) With(key string, value any) Report {
	document := r.Document
	r.Document = func() Object {
		d := slices.Clone(document())
		for i, field := range d {
			if field[0] == key {
				d[i][1] = value
			}
		}
		return d
	}
	return r
}
