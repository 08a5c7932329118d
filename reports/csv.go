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
// spreadsheet would run as a formula gets an apostrophe in front. Of a command that failed
// each line ends in error_kind and error.
func CSV(w io.Writer, r Report) error {
	out := csv.NewWriter(w)
	var records [][]any
	if r.Records != nil {
		records = r.Records()
	}
	for _, values := range failingRecords(records, r.Failure) {
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

// csvCell formats one value. A nil, a number that is not finite and the zero time are
// empty.
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

// ColumnNames returns the first line of a CSV from the names of its columns, separated by
// spaces.
func ColumnNames(names string) (line []any) {
	for name := range strings.FieldsSeq(names) {
		line = append(line, name)
	}
	return line
}

// SummaryValues are the columns center, lo, hi and n.
func SummaryValues(s compare.Summary) []any {
	if s.N == 0 {
		return []any{nil, nil, nil, 0}
	}
	return []any{s.Center, s.Lo, s.Hi, s.N}
}

// BenchmarkValues are the columns target, kind, package, suite and name.
func BenchmarkValues(target string, id record.BenchmarkID) []any {
	return []any{target, id.Kind, id.Package, id.Suite, id.Name}
}
