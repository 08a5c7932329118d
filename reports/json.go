package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// SchemaVersion is the version of all JSON documents. It grows when a field is
// removed or changes its meaning; fields may be added without.
const SchemaVersion = 1

// JSON writes the report as one document, told apart by kind:
//
//   - comparison: a [ComparisonDocument], of compare, check and trials
//   - run: a [RunDocument]
//   - profile: a [ProfileDocument]
//   - history: a [HistoryDocument]
//   - regressions: a [RegressionsDocument], of history --steps
//   - explanation: an [ExplanationDocument], whose contributions are those of a
//     benchmark's functions, in sec/op, B/op and allocs/op, or, where they name a
//     suite, those of the scopes of its profile, in sec
//   - calibration: a [CalibrationDocument]
//   - doctor: a [DoctorDocument]
//   - table: a [TableDocument], of every listing
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
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.document()); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// A Head starts every document.
type Head struct {
	SchemaVersion int    `json:"schema_version"`
	Kind          string `json:"kind"`
}

// A Number is a float64 whose JSON is null when it is not finite.
type Number float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func numbers(values []float64) []Number {
	out := make([]Number, len(values))
	for i, v := range values {
		out[i] = Number(v)
	}
	return out
}

// A NamedBenchmark is how documents name a benchmark: name has neither the
// "Benchmark" prefix nor the -N suffix.
type NamedBenchmark struct {
	Kind    string `json:"benchmark_kind"` // bench or scope
	Package string `json:"package"`
	Suite   string `json:"suite"`
	Name    string `json:"name"`
}

func named(id record.BenchmarkID) NamedBenchmark {
	return NamedBenchmark{string(id.Kind), id.Package, id.Suite, id.Name}
}

// A SummaryDocument is a center with its 95 % interval; center is null and n 0
// where there is no sample.
type SummaryDocument struct {
	Center Number `json:"center"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	N      int    `json:"n"`
}

func summaryDocument(s compare.Summary) SummaryDocument {
	if s.N == 0 {
		nan := Number(math.NaN())
		return SummaryDocument{nan, nan, nan, 0}
	}
	return SummaryDocument{Number(s.Center), Number(s.Lo), Number(s.Hi), s.N}
}

// A HeaderDocument is a run without its samples.
type HeaderDocument struct {
	ID            string            `json:"id,omitempty"`
	Target        string            `json:"target"`
	Commit        string            `json:"commit"`
	Tree          string            `json:"tree,omitempty"`
	CommitTime    *time.Time        `json:"commit_time,omitempty"`
	Branch        string            `json:"branch,omitempty"`
	Dirty         bool              `json:"dirty"`
	Status        string            `json:"status"`
	Trial         string            `json:"trial,omitempty"`
	Side          string            `json:"side,omitempty"`
	Start         *time.Time        `json:"start,omitempty"`
	End           *time.Time        `json:"end,omitempty"`
	Tool          string            `json:"tool,omitempty"`
	EnvironmentID string            `json:"environment_id"`
	Environment   map[string]string `json:"environment"`
	Facts         map[string]string `json:"facts,omitempty"`
	Failures      []record.Failure  `json:"failures,omitempty"`
}

func headerDocument(r *record.Run, id string) HeaderDocument {
	return HeaderDocument{
		ID: id, Target: r.Target, Commit: r.Commit.SHA, Tree: r.Commit.Tree, CommitTime: when(r.Commit.Time),
		Branch: r.Commit.Branch, Dirty: r.Commit.Dirty, Status: string(r.Status), Trial: r.Trial, Side: string(r.Side),
		Start: when(r.Start), End: when(r.End), Tool: r.Tool,
		EnvironmentID: r.Env.EnvironmentID(), Environment: settings(r.Env), Facts: settings(r.Facts), Failures: r.Failures,
	}
}

func when(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func settings(s record.Settings) map[string]string {
	out := map[string]string{}
	for _, f := range s {
		out[f.Key] = f.Value
	}
	return out
}

// A TableDocument has kind "table": the listing of a `list` command. Each row maps the title
// of a column to what the cell shows.
type TableDocument struct {
	Head
	Title   string           `json:"title"`
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
	// Explanations say what the culprit of a bisection changed.
	Explanations []ExplainedDocument `json:"explanations,omitempty"`
}

func newTableDocument(title string, t Table) TableDocument {
	d := TableDocument{Head: Head{SchemaVersion, "table"}, Title: title, Columns: []string{}, Rows: []map[string]any{}}
	for _, c := range t.Columns {
		d.Columns = append(d.Columns, c.Title)
	}
	for _, row := range t.Rows {
		m := map[string]any{}
		for i, c := range t.Columns {
			if i < len(row) {
				m[c.Title] = row[i].value()
			}
		}
		d.Rows = append(d.Rows, m)
	}
	return d
}

// value is what the cell stands for.
func (c Cell) value() any {
	if c.Value != nil {
		return c.Value
	}
	return c.shown()
}
