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
	for _, line := range r.records() {
		cells := make([]string, len(line))
		for i, c := range line {
			cells[i] = string(c)
		}
		if err := out.Write(cells); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// A csvField is one finished CSV cell: made by text or num, never by hand.
type csvField string

func text(s string) csvField {
	if formula(s) {
		s = "'" + s
	}
	return csvField(s)
}

func num(f float64) csvField {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return ""
	}
	return csvField(strconv.FormatFloat(f, 'g', -1, 64))
}

func integer(n int) csvField { return csvField(strconv.Itoa(n)) }

func boolean(b bool) csvField { return csvField(strconv.FormatBool(b)) }

func stamp(t time.Time) csvField {
	if t.IsZero() {
		return ""
	}
	return csvField(t.UTC().Format(time.RFC3339Nano))
}

func header(names string) []csvField {
	var out []csvField
	for _, n := range strings.Fields(names) {
		out = append(out, csvField(n))
	}
	return out
}

func summaryRecords(s compare.Summary) []csvField {
	if s.N == 0 {
		return []csvField{"", "", "", "0"}
	}
	return []csvField{num(s.Center), num(s.Lo), num(s.Hi), integer(s.N)}
}

func idRecords(target string, id record.BenchmarkID) []csvField {
	return []csvField{text(target), text(string(id.Kind)), text(id.Package), text(id.Suite), text(id.Name)}
}

func comparisonRecords(c *compare.Comparison) [][]csvField {
	out := [][]csvField{header(`target kind package suite name unit better
		base_center base_lo base_hi base_n head_center head_lo head_hi head_n
		delta p tested adjusted_p shift shift_lo shift_hi shift_absolute threshold
		derived exact verdict reason notes`)}
	for r := range c.Rows() {
		line := append(idRecords(r.Target, r.BenchmarkID), text(r.Unit), integer(r.Better))
		line = append(line, summaryRecords(r.Base)...)
		line = append(line, summaryRecords(r.Head)...)
		line = append(line, num(r.Delta), num(r.P), boolean(r.Tested), num(r.AdjustedP))
		line = append(line, num(r.Shift.Center), num(r.Shift.Lo), num(r.Shift.Hi), boolean(r.Shift.Absolute), num(r.Threshold))
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.String())
		}
		line = append(line, boolean(r.Derived), boolean(r.Exact), text(string(r.Verdict)), text(r.Reason), text(strings.Join(notes, "; ")))
		out = append(out, line)
	}
	return out
}

func runRecords(runs []*record.Run) [][]csvField {
	out := [][]csvField{header("run_id commit dirty start environment_id target kind package suite name unit center lo hi n")}
	for _, r := range runs {
		lead := []csvField{text(r.ID()), text(r.Commit.SHA), boolean(r.Commit.Dirty), stamp(r.Start), text(r.Env.EnvironmentID())}
		for _, group := range groups(r) {
			for _, b := range group {
				for _, s := range b.Samples {
					sum, unit := compare.Summarize(s, r.Exact(s.Unit), confidence)
					line := append(append([]csvField{}, lead...), idRecords(r.Target, b.BenchmarkID)...)
					out = append(out, append(append(line, text(unit)), summaryRecords(sum)...))
				}
			}
		}
	}
	return out
}

func tableRecords(t Table) [][]csvField {
	var out [][]csvField
	var head []csvField
	for _, c := range t.Columns {
		head = append(head, text(c.Title))
	}
	out = append(out, head)
	for _, row := range t.Rows {
		line := make([]csvField, len(t.Columns))
		for i := range line {
			if i < len(row) {
				line[i] = text(fmt.Sprint(row[i].value()))
			}
		}
		out = append(out, line)
	}
	return out
}

// shown is a cell as one text.
func (c Cell) shown() string { return strings.TrimSpace(c.Text + " " + c.Range) }
