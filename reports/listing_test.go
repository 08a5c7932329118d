package reports_test

import (
	"testing"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
)

func TestListing(t *testing.T) {
	listing := reports.Listing("Runs", reports.Table{
		Columns: []reports.Column{{Title: "run", Code: true}, {Title: "commit", Code: true}, {Title: "benchmarks", Right: true}, {Title: "status"}},
		Rows: [][]reports.Cell{
			{{Text: "0123456789ab"}, {Text: "aaaaaaaaaaaa"}, {Text: "29"}, {Text: "complete"}},
			{{Text: "=1+1"}, {Text: "bbbbbbbbbbbb"}, {Text: "3"}, {Text: "partial", Tone: reports.Warn}},
		},
	})
	reporttest.Check(t, map[string]reports.Report{"listing": listing})
}
