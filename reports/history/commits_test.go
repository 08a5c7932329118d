package history

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
)

// Only a terminal shows subjects beside the commits. Long subjects are cut.
func TestWithCommits(t *testing.T) {
	plain := reports.Report{Tables: []reports.Table{
		{Columns: []reports.Column{{Title: "commit", Hash: true}, {Title: "sec/op"}}, Rows: [][]reports.Cell{{{Text: "aaaaaaaaaaaa"}, {Text: "1"}}, {{Text: "bbbbbbbbbbbb"}, {Text: "2"}}}},
		{Columns: []reports.Column{{Title: "up to commit", Hash: true, Blame: true}}, Rows: [][]reports.Cell{{{Text: "bbbbbbbbbbbb"}}}},
		{Columns: []reports.Column{{Title: "commit", Hash: true}}, Rows: [][]reports.Cell{{{Text: "-"}}}},
	}}
	long := "Parse numbers " + strings.Repeat("without a table ", 8)
	r := WithCommits(plain, func(short string) (author, subject string) {
		if short == "bbbbbbbbbbbb" {
			return "Jane Doe", long
		}
		return "", ""
	})
	text := reporttest.Write(t, r, "txt")
	for _, want := range []string{"bbbbbbbbbbbb  2       Parse numbers without a table without a table w…\n", "\nbbbbbbbbbbbb  Jane Doe: Parse numbers"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got, want := reporttest.Write(t, r, "md"), reporttest.Write(t, plain, "md"); got != want {
		t.Errorf("Markdown has them, too:\n%s", got)
	}
	if len(plain.Tables[0].Columns) != 2 || strings.Count(text, "description") != 2 {
		t.Errorf("a column too many or too few:\n%s", text)
	}
}
