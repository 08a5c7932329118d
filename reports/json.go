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

// JSON writes the report as one document, told apart by kind. Each is described
// field by field, in order, by one function that also gives the values:
//
//   - comparison, of compare, check and trials: [comparisonDocument]
//   - run, with all samples: [runDocument]
//   - profile, the call trees of runs: [profileDocument]
//   - history: [historyDocument]
//   - regressions, of history --steps: [regressionsDocument]
//   - explanation, where a difference comes from: [explanationDocument]
//   - calibration: [calibrationDocument]
//   - doctor: [Doctor.document]
//   - table, of every listing: [tableDocument]
//
// The contract: every document has schema_version and kind, but for that of a
// command that went wrong, which has error with its own kind and its message
// instead of a kind. Readers ignore
// fields that they do not know. "unit" is the tidied unit (sec/op, B/s) in
// which all numbers beside it are given; "unit_stored" is the producer's
// (ns/op, MB/s). A number that does not exist or is not finite is null: the
// ends of an interval that too few samples leave open, a p that was not
// computed. Relative changes are fractions: 0.05 is 5 %. Times are RFC 3339 in
// UTC, or absent. Names are as they were measured; whoever shows them must
// make them harmless.
func JSON(w io.Writer, r Report) error {
	head := Object{{"schema_version", SchemaVersion}, {"kind", r.kind}}
	var text, indented bytes.Buffer
	err := encode(&text, slices.Concat(head, r.document()))
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

// readDocument reads a document of a kind that [JSON] wrote into the fields that are pointers.
func readDocument(text []byte, kind string, document Object) error {
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

// WithError is the report whose JSON says that the command failed although the report
// could be made. Documents other than comparisons do not say it.
func (r Report) WithError(kind, message string) Report {
	return r.with("error", Object{{"kind", kind}, {"message", message}})
}

// WithExplanations is the report whose JSON has explanations, too. The other formats
// show them as a report of their own, see [Explanation].
func (r Report) WithExplanations(explained ...*Explained) Report {
	return r.with("explanations", optional(list(&explained, pointed(explainedFields))))
}

// with is the report with another value of a field of its document, if that has the field.
func (r Report) with(key string, value any) Report {
	document := r.document
	r.document = func() Object {
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

// tableDocument is the listing of a `list` command.
func tableDocument(title string, t Table) Object {
	columns, rows := []string{}, []map[string]any{}
	for _, c := range t.Columns {
		columns = append(columns, c.Title)
	}
	for _, row := range t.Rows {
		m := map[string]any{}
		for i, c := range t.Columns {
			if i < len(row) {
				m[c.Title] = row[i].value()
			}
		}
		rows = append(rows, m)
	}
	return Object{
		{"title", title},
		{"columns", columns},
		{"rows", rows},         // of each, what the cells show by the title of their column
		{"explanations", none}, // of what the culprit of a bisection changed, as in an explanation
	}
}

// value is what the cell stands for.
func (c Cell) value() any {
	if c.Value != nil {
		return c.Value
	}
	return c.shown()
}
