package reports

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// CSV writes the report in long form: one line a benchmark and unit, raw
// numbers in the unit that the line names, no thousands, no percent signs. A
// number that does not exist or is not finite is an empty cell. Text that a
// spreadsheet would run as a formula gets an apostrophe in front.
func CSV(w io.Writer, r Report) error {
	out := csv.NewWriter(w)
	for _, values := range r.records() {
		line := make([]string, len(values))
		for i, v := range values {
			line[i] = csvCell(v)
		}
		if err := out.Write(line); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// csvCell is a value as a cell: nil and what does not exist are empty.
func csvCell(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int, bool:
		return fmt.Sprint(v)
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.UTC().Format(time.RFC3339Nano)
	}
	text := fmt.Sprint(value)
	if formula(text) {
		return "'" + text
	}
	return text
}

// header is the first line: the names of the columns, separated by spaces.
func header(names string) (line []any) {
	for name := range strings.FieldsSeq(names) {
		line = append(line, name)
	}
	return line
}

func summaryRecords(s compare.Summary) []any {
	if s.N == 0 {
		return []any{nil, nil, nil, 0}
	}
	return []any{s.Center, s.Lo, s.Hi, s.N}
}

func idRecords(target string, id record.BenchmarkID) []any {
	return []any{target, id.Kind, id.Package, id.Suite, id.Name}
}

func comparisonRecords(c *compare.Comparison) [][]any {
	out := [][]any{header(`target kind package suite name unit better
		base_center base_lo base_hi base_n head_center head_lo head_hi head_n
		delta p tested adjusted_p shift shift_lo shift_hi shift_absolute threshold
		derived exact verdict reason notes`)}
	for r := range c.Rows() {
		line := append(idRecords(r.Target, r.BenchmarkID), r.Unit, r.Better)
		line = append(line, summaryRecords(r.Base)...)
		line = append(line, summaryRecords(r.Head)...)
		line = append(line, r.Delta, r.P, r.Tested, r.AdjustedP)
		line = append(line, r.Shift.Center, r.Shift.Lo, r.Shift.Hi, r.Shift.Absolute, r.Threshold)
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.String())
		}
		line = append(line, r.Derived, r.Exact, r.Verdict, r.Reason, strings.Join(notes, "; "))
		out = append(out, line)
	}
	return out
}

func runRecords(runs []*record.Run) [][]any {
	out := [][]any{header("run_id commit dirty start environment_id target kind package suite name unit center lo hi n")}
	for _, r := range runs {
		lead := []any{r.ID(), r.Commit.SHA, r.Commit.Dirty, r.Start, r.Env.EnvironmentID()}
		for _, group := range groups(r) {
			for _, b := range group {
				for _, s := range b.Samples {
					sum, unit := compare.Summarize(s, r.Exact(s.Unit), confidence)
					line := append(append([]any{}, lead...), idRecords(r.Target, b.BenchmarkID)...)
					out = append(out, append(append(line, unit), summaryRecords(sum)...))
				}
			}
		}
	}
	return out
}

func tableRecords(t Table) [][]any {
	var out [][]any
	var head []any
	for _, c := range t.Columns {
		head = append(head, c.Title)
	}
	out = append(out, head)
	for _, row := range t.Rows {
		line := make([]any, len(t.Columns))
		for i := range line {
			if i < len(row) {
				line[i] = fmt.Sprint(row[i].value())
			}
		}
		out = append(out, line)
	}
	return out
}

// shown is a cell as one text.
func (c Cell) shown() string { return strings.TrimSpace(c.Text + " " + c.Range) }
