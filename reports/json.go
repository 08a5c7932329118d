package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// SchemaVersion is the version of all JSON documents. It grows when a field is
// removed or changes its meaning; fields may be added without.
const SchemaVersion = 1

// JSON writes the report as one document, told apart by kind. The file that describes
// it has its fields in order, each with its value:
//
//   - comparison, of compare, check and trials: comparison/json.go
//   - run, with all samples: runs/json.go
//   - profile, the call trees of runs: profile/json.go
//   - history, and regressions, of history --steps: history/json.go
//   - explanation, where a difference comes from: explanation/json.go
//   - calibration: machine/calibration.go
//   - doctor: machine/doctor.go
//   - table, of every listing: listing.go
//
// The contract: every document has schema_version and kind. That of a command that went
// wrong has error instead of kind, with its own kind and its message; a file that --output
// writes has both where there is a result all the same. Readers ignore fields that they do
// not know. "unit" is the tidied unit (sec/op, B/s) in which all
// numbers beside it are given; "unit_stored" is the producer's (ns/op, MB/s). A number
// that does not exist or is not finite is null: the ends of an interval that too few
// samples leave open, a p that was not computed. Relative changes are fractions: 0.05 is
// 5 %. Times are RFC 3339 in UTC, or absent. Names are as they were measured; whoever
// shows them must make them harmless.
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

// ReadDocument reads what [JSON] wrote of a kind of report into the fields of the
// document that are pointers.
func ReadDocument(text []byte, kind string, document Object) error {
	var version int
	var found string
	head := Object{{"schema_version", &version}, {"kind", &found}}
	if err := slices.Concat(head, document).read(text); err != nil {
		return fmt.Errorf("read %s: %w", kind, err)
	}
	if version != SchemaVersion || found != kind {
		return fmt.Errorf("read %s: the document is %q of schema %d", kind, found, version)
	}
	return nil
}

// WithError returns the report with an error in its JSON: the command failed although the
// report could be made. Only comparisons have one.
func (r Report) WithError(kind, message string) Report {
	return r.With("error", Object{{"kind", kind}, {"message", message}})
}

// With returns the report with another value of one field of its JSON document, if the
// document has that field.
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
