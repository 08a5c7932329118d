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

// CSV writes the report in long form: one line for each benchmark and unit, with raw numbers in
// this unit. A missing or infinite number becomes an empty cell. An apostrophe before a text keeps
// spreadsheets from running it as a formula. If the command failed, each line ends with the columns
// error_kind and error.
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

// csvCell formats one value. The result is empty for nil, for a non-finite number and for the zero
// time.
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

// ColumnNames splits a space-separated list of column names into the header of a CSV.
func ColumnNames(names string) (line []any) {
	for name := range strings.FieldsSeq(names) {
		line = append(line, name)
	}
	return line
}

// SummaryValues returns the values of the columns center, lo, hi and n.
func SummaryValues(s compare.Summary) []any {
	if s.N == 0 {
		return []any{nil, nil, nil, 0}
	}
	return []any{s.Center, s.Lo, s.Hi, s.N}
}

// BenchmarkValues returns the values of the columns target, kind, package, suite and name.
func BenchmarkValues(target string, id record.BenchmarkID) []any {
	return []any{target, id.Kind, id.Package, id.Suite, id.Name}
}
