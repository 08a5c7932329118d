package reports

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"pgregory.net/rapid"
)

func TestShortNames(t *testing.T) {
	for _, tt := range []struct {
		width int
		names string
		want  string
	}{
		{20, "Short Exactly_20_characters", "Short Exactl…20_characters"},
		{20, "ParseUint64BestEffort/9223/custom", "ParseU…t/9223/custom"},
		{20, "ParseUint64BestEffort/9223/custom ParseUint32BestEffort/9223/custom", "ParseUint6…23/custom ParseUint3…23/custom"},
		{20, "A/aaaaaaaaaaaaaaaa/1 A/aaaaaaaaaaaaaaaa/2", "A/aaaaaaaaaaaaaaaa/1 A/aaaaaaaaaaaaaaaa/2"},
		{10, "A/aaaaaaaaaaaaaaaa/1 A/aaaaaaaaaaaaaaaa/2", "A/a…aaaa/1 A/a…aaaa/2"},
		{8, "Größe/äöüäöüäöü/9", "Gr…äöü/9"},
	} {
		names := strings.Fields(tt.names)
		short := shortNames(names, tt.width)
		var got []string
		for _, n := range names {
			got = append(got, short[n])
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.names, tt.width, strings.Join(got, " "), tt.want)
		}
	}
}

// Without a terminal only names that are too long for any line are shortened, and all other writers have
// them whole.
func TestEndlessNames(t *testing.T) {
	table := func(name string) Report {
		return Listing("names", Table{Columns: []Column{{Title: "benchmark", Code: true}, {Title: "runs", Right: true}}, Rows: [][]Cell{{{Text: name}, {Text: "3"}}, {{Text: "Short"}, {Text: "4"}}}})
	}
	long, endless := strings.Repeat("a", mostName), "A/"+strings.Repeat("a", 500)+"/end"
	for _, tt := range []struct{ name, want string }{
		{long, "benchmark" + pad(mostName-9) + "  runs\n" + long + "     3\nShort" + pad(mostName-5) + "     4\n"},
		{endless, "benchmark" + pad(mostName-9) + "  runs\n" + cutAt(endless, mostName/3, mostName) + "     3\nShort" + pad(mostName-5) + "     4\n(too long for a line: whole names)\n"},
	} {
		var text, csv strings.Builder
		if err := errors.Join(Text(&text, table(tt.name), TextOptions{}), CSV(&csv, table(tt.name))); err != nil {
			t.Fatal(err)
		}
		if text.String() != tt.want {
			t.Errorf("%q, want %q", text.String(), tt.want)
		}
		if !strings.Contains(csv.String(), tt.name) {
			t.Errorf("%q has no %q", csv.String(), tt.name)
		}
	}
}

// Different names stay different when they are shortened, and a shortened name fits the width.
func TestShortNamesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[ab/é世]{0,30}`), func(s string) string { return s }).Draw(t, "names")
		width := rapid.IntRange(leastName, 25).Draw(t, "width")
		seen := map[string]string{}
		for name, short := range shortNames(names, width) {
			if other, ok := seen[short]; ok {
				t.Fatalf("%q and %q are both %q", name, other, short)
			}
			seen[short] = name
			if short != name && displayWidth(short) > width {
				t.Fatalf("%q is %q, wider than %d", name, short, width)
			}
		}
	})
}

// A table is never wider than the terminal. Long names are shortened before columns are left out,
// and shorter names only after that.
func TestTextFits(t *testing.T) {
	table := Table{Columns: []Column{{Title: "verdict"}, {Title: "benchmark", Code: true}, {Title: "median", Right: true, Extra: true}}}
	for i := range 3 {
		name := "Benchmark/" + strings.Repeat("x", 90) + fmt.Sprint("/", i)
		table.Rows = append(table.Rows, []Cell{{Text: "regressed"}, {Text: name}, {Text: "1.2µ → 3.4µ"}})
	}
	summary := "3 benchmarks: " + strings.Repeat("some words of it ", 8)
	for width, want := range map[int]string{0: "/0", 30: "median, whole names)", 60: "(terminal too narrow for: whole names)", 80: "(terminal too narrow for: whole names)", 120: "(terminal too narrow for: whole names)", 130: "→"} {
		var b bytes.Buffer
		r := Report{Tables: []Table{table}, Summary: summary, Verdict: true, Facts: []Fact{{Key: "cpu", Value: strings.Repeat("fast ", 30)}}}
		if err := Text(&b, r, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := displayWidth(strings.TrimRight(line, "\n")); width > 0 && n > width {
				t.Errorf("%d columns: a line of %d: %s", width, n, line)
			}
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d columns: no %q in\n%s", width, want, b.String())
		}
	}
}

// Intervals of one kind are left out together, before names are cut.
func TestTextLeavesOutIntervals(t *testing.T) {
	row := []Cell{{Text: "Benchmark"}, {Text: "1.0µ", Range: "± 10%"}, {Text: "2.0µ", Range: "± 10%"}, {Text: "+100%", Range: "(p=0.000)"}}
	table := Table{Columns: []Column{{Code: true}, {Right: true, Brief: "intervals"}, {Right: true, Brief: "intervals"}, {Right: true, Brief: "p"}}, Rows: [][]Cell{row}, Footer: row}
	for width, want := range map[int]string{60: "Benchmark  1.0µ ± 10%  2.0µ ± 10%  +100% (p=0.000)", 40: "Benchmark  1.0µ  2.0µ  +100% (p=0.000)", 30: "Benchmark  1.0µ  2.0µ  +100%"} {
		var b bytes.Buffer
		if err := Text(&b, Report{Tables: []Table{table}}, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), want+"\n") != 2 || strings.Count(b.String(), "intervals") > 1 {
			t.Errorf("%d columns: not twice %q in\n%s", width, want, b.String())
		}
	}
	if row[1].Range == "" {
		t.Error("the caller's cells were changed")
	}
}
