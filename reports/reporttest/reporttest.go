// Package reporttest checks reports against golden files, and checks that hostile names do no harm
// in any format.
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
	"github.com/perftrack/perftrack/reports/ci"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// writers holds the functions to write each format, by the extension of the golden files.
var writers = map[string]func(io.Writer, reports.Report) error{
	"txt":  func(w io.Writer, r reports.Report) error { return reports.Text(w, r, reports.TextOptions{}) },
	"md":   reports.Markdown,
	"csv":  reports.CSV,
	"json": reports.JSON,

	"junit.xml":        ci.JUnit,
	"codequality.json": ci.CodeQuality,
	"sarif":            ci.SARIF,
}

// ofOutcomes lists the formats for reports with outcomes only.
var ofOutcomes = []string{"junit.xml", "codequality.json", "sarif"}

// Check compares reports with their golden files in testdata and checks that they are harmless. The
// keys of all are the names of the files without their extensions.
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

// Write returns a report in the format with the given extension.
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

// Heading returns the table with the given heading in a report.
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

// Cells returns the cells of a table, with one line for each row.
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
