package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hostile generates long, wide and empty strings, strings with control characters, and invalid
// text.
var hostile = rapid.OneOf(
	rapid.StringMatching(`[a-zA-Z0-9/_=-]{0,12}`),
	rapid.StringMatching(`[a-c/]{0,200}`),
	rapid.StringMatching(`[世界ｗ👍é/]{0,60}`),
	rapid.StringMatching(`([a-z]{1,9} ){0,30}`),
	rapid.SampledFrom([]string{"", " ", "…", "\x1b[31mred", "a\tb\nc", "\xff\xfe", "\u202egnp", "🇩🇪🇫🇷", "e\u0301\u0301\u0301", "::error::x", "👩\u200d👩\u200d👧"}),
)

func hostileTable(t *rapid.T) (table Table, notes int) {
	columns := rapid.IntRange(1, 9).Draw(t, "columns")
	for j := range columns {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		c := Column{Title: hostile.Draw(t, "title"), Code: kind == 0, Right: kind == 1, Wraps: kind == 2, Extra: kind > 2 && j > 0, Rank: kind}
		if rapid.IntRange(0, 9).Draw(t, "over") == 0 {
			c.Over = hostile.Draw(t, "over")
		}
		if c.Right {
			c.Brief = rapid.SampledFrom([]string{"", "intervals", "p"}).Draw(t, "brief")
		}
		table.Columns = append(table.Columns, c)
	}
	row := func() (cells []Cell) {
		for range rapid.IntRange(1, columns).Draw(t, "cells") { // a row may be short
			cell := Cell{Text: hostile.Draw(t, "text"), Tone: Tone(rapid.IntRange(0, 4).Draw(t, "tone"))}
			if rapid.Bool().Draw(t, "ranged") {
				cell.Range = rapid.SampledFrom([]string{"± 10%", "[+1.00%, +3.00%]", "of more than a thousand"}).Draw(t, "range")
			}
			if rapid.IntRange(0, 3).Draw(t, "noted") == 0 {
				notes++
				cell.Notes = []int{notes}
			}
			cells = append(cells, cell)
		}
		return cells
	}
	for range rapid.IntRange(0, 6).Draw(t, "rows") {
		table.Rows = append(table.Rows, row())
	}
	if rapid.Bool().Draw(t, "footer") {
		table.Footer = row()
	}
	return table, notes
}

// No table has lines wider than the terminal, and no footnote or footnote mark is lost.
func TestTablesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, notes := hostileTable(t)
		r := Report{Tables: []Table{table}}
		for i := range notes {
			r.Notes = append(r.Notes, Note{Text: fmt.Sprintf("note %d.", i+1)})
		}
		width := rapid.SampledFrom([]int{20, 40, 80, 80, 80, 120}).Draw(t, "width")
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{Width: width, Color: rapid.Bool().Draw(t, "color")}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); displayWidth(line) > width {
				t.Fatalf("a line of %d columns on a terminal of %d: %q in\n%s", displayWidth(line), width, line, b.String())
			}
		}
		for i := range notes {
			marks := 0
			for word := range strings.FieldsSeq(escapes.ReplaceAllString(b.String(), "")) {
				if word == superscript(i+1) {
					marks++
				}
			}
			if marks != 2 || !strings.Contains(b.String(), fmt.Sprintf("note %d.", i+1)) {
				t.Fatalf("footnote %d or its mark is not there:\n%s", i+1, b.String())
			}
		}
	})
}

var escapes = regexp.MustCompile("\x1b\\[[0-9]*m")

func TestFit(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("Sort/by_name/%d", i) }
	tests := []struct {
		about string
		width int
		table Table
		want  string
	}{
		{"the highest rank goes first", 20, Table{
			Columns: []Column{{Title: "a"}, {Title: "bbbbbb", Extra: true, Rank: 2}, {Title: "cccccc", Extra: true}, {Title: "dddddd", Extra: true, Rank: 1}},
			Rows:    [][]Cell{{{Text: "1"}, {Text: "2"}, {Text: "3"}, {Text: "4"}}},
		}, "a  cccccc  dddddd\n1  3       4\n(terminal too narrow\nfor: bbbbbb)\n"},
		{"what there is room for again comes back", 24, Table{
			Columns: []Column{{Title: "commit"}, {Title: "rounds", Extra: true, Rank: 2}, {Title: "what", Extra: true, Rank: 1}},
			Rows:    [][]Cell{{{Text: "0ad380aeab40"}, {Text: "10"}, {Text: "a subject that is long"}}},
		}, "commit        rounds\n0ad380aeab40  10\n(terminal too narrow\nfor: what)\n"},
		{"a mark moves to the name", 30, Table{
			Columns: []Column{{Title: "verdict"}, {Title: "benchmark", Code: true}, {Title: "rounds", Right: true, Extra: true}},
			Rows:    [][]Cell{{{Text: "regressed"}, {Text: name(1), Notes: []int{2}}, {Text: "10", Notes: []int{1, 2}}}, {{Text: "unchanged"}, {Text: name(2)}, {Text: "10"}}},
		}, "verdict    benchmark\nregressed  Sort/by_name/1 ¹ ²\nunchanged  Sort/by_name/2\n(terminal too narrow for:\nrounds)\n¹ one\n² two\n"},
		{"long names give way before a column", 38, Table{
			Columns: []Column{{Title: "benchmark", Code: true}, {Title: "rounds", Right: true, Extra: true}},
			Rows:    [][]Cell{{{Text: name(1) + "/and/a/longer/one"}, {Text: "10"}}},
		}, "benchmark                       rounds\nSort/by_na…/1/and/a/longer/one      10\n(terminal too narrow for: whole names)\n"},
		{"words go on in the next line", 30, Table{
			Columns: []Column{{Title: "commit", Code: true}, {Title: "mark", Wraps: true}},
			Rows:    [][]Cell{{{Text: "0ad380aeab40"}, {Text: "B/op regressed, allocs/op regressed", Notes: []int{1}}}, {{Text: "85d1371cb3a8"}}},
		}, "commit        mark\n0ad380aeab40  B/op regressed,\n              allocs/op\n              regressed ¹\n85d1371cb3a8\n¹ one\n² two\n"},
		{"a list, where nothing gives way", 24, Table{
			Columns: []Column{{Title: "model"}, {Over: "base", Title: "time", Right: true}, {Title: "command", Code: true, Whole: true}},
			Rows:    [][]Cell{{{Text: "Small"}, {Text: "3.56 ms"}, {Text: "perftrack ci accept Parse"}}, {{Text: "Medium"}, {Text: "27.0 ms"}, {}}},
		}, "model: Small\n  base time: 3.56 ms\n  command: perftrack ci accept Parse\n\nmodel: Medium\n  base time: 27.0 ms\n"},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		r := Report{Tables: []Table{tt.table}}
		if strings.Contains(tt.want, "¹ one") {
			r.Notes = []Note{{Text: "one"}, {Text: "two"}}
		}
		if err := Text(&b, r, TextOptions{Width: tt.width}); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.about, b.String(), tt.want)
		}
	}
}
