// Package reporttest checks every report against golden files, and that hostile names do
// no harm in any format.
package reporttest

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// writers are those of all formats, by the ending of their golden files.
var writers = map[string]func(io.Writer, reports.Report) error{
	"txt":  func(w io.Writer, r reports.Report) error { return reports.Text(w, r, reports.TextOptions{}) },
	"md":   reports.Markdown,
	"csv":  reports.CSV,
	"json": reports.JSON,

	"junit.xml":        reports.JUnit,
	"codequality.json": reports.CodeQuality,
	"sarif":            reports.SARIF,
}

// ofOutcomes are the formats of reports that have outcomes.
var ofOutcomes = []string{"junit.xml", "codequality.json", "sarif"}

// Check holds reports, by the names of their golden files in testdata, to all of it.
func Check(t *testing.T, all map[string]reports.Report) {
	t.Helper()
	for name, r := range all {
		for format := range writers {
			if r.Outcomes == nil && slices.Contains(ofOutcomes, format) {
				continue
			}
			t.Run(name+"."+format, func(t *testing.T) { golden(t, filepath.Join("testdata", name+"."+format), Write(t, r, format)) })
		}
		t.Run(name, func(t *testing.T) {
			text(t, r)
			markdown(t, r)
			spreadsheet(t, r)
			document(t, r)
			if r.Outcomes != nil {
				junit(t, r)
				findings(t, r)
			}
		})
	}
}

// Write returns what the writer of a format, named as the ending of its files, makes of a
// report.
func Write(t testing.TB, r reports.Report, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := writers[format](&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update after checking it):\n%s", path, got)
	}
}

// Heading returns the table of a report that stands under a heading.
func Heading(t testing.TB, r reports.Report, name string) reports.Table {
	t.Helper()
	for _, table := range r.Tables {
		if table.Heading == name {
			return table
		}
	}
	t.Fatalf("no table %s", name)
	return reports.Table{}
}

// Cells are those of a table, a row a line.
func Cells(table reports.Table) string {
	var lines []string
	for _, row := range table.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}
