package shorten

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) (document map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&document); err != nil {
		t.Fatal(err)
	}
	return document
}

// comparison returns a comparison with one table for each argument, which lists the verdicts of its
// rows.
func comparison(verdicts ...string) string {
	var tables []string
	for i, v := range verdicts {
		var rows []string
		for j, verdict := range strings.Fields(v) {
			rows = append(rows, fmt.Sprintf(`{"name": "B%d", "verdict": %q}`, j, verdict))
		}
		tables = append(tables, fmt.Sprintf(`{"unit": "u%d", "rows": [%s]}`, i, strings.Join(rows, ",")))
	}
	return `{"kind": "comparison", "tables": [` + strings.Join(tables, ",") + `]}`
}

// Changed rows are kept in their order. Unchanged rows are left out first, and are counted.
func TestRows(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		limit    int
		left     map[string]int
	}{
		{comparison("unchanged regressed"), comparison("unchanged regressed"), 2, map[string]int{}},
		{comparison("unchanged unchanged regressed", "unchanged"), `{"kind": "comparison", "tables": [{"unit": "u0", "rows": [{"name": "B2", "verdict": "regressed"}]}]}`,
			1, map[string]int{"tables.rows unchanged": 3}},
		{comparison("unchanged inconclusive improved", "regressed unchanged"), `{"kind": "comparison", "tables": [` +
			`{"unit": "u0", "rows": [{"name": "B1", "verdict": "inconclusive"}]}, {"unit": "u1", "rows": [{"name": "B0", "verdict": "regressed"}]}]}`,
			2, map[string]int{"tables.rows unchanged": 2, "tables.rows improved": 1}},
		{`{"kind": "comparison", "tables": [{"rows": [{"verdict": ""}, {"verdict": "unchanged", "limits": [{}]}]}]}`,
			`{"kind": "comparison", "tables": [{"rows": [{"verdict": "unchanged", "limits": [{}]}]}]}`, 1, map[string]int{"tables.rows": 1}},
		{`{"kind": "comparison", "tables": [{"rows": [{"verdict": "unchanged"}, {"verdict": "of tomorrow"}]}]}`,
			`{"kind": "comparison", "tables": [{"rows": [{"verdict": "of tomorrow"}]}]}`, 1, map[string]int{"tables.rows unchanged": 1}},
	} {
		got, left := Document(parse(t, tt.in), tt.limit)
		if !reflect.DeepEqual(got, parse(t, tt.want)) || !reflect.DeepEqual(left, tt.left) {
			t.Errorf("%s\n%v, left out %v; want %v", tt.in, got, left, tt.left)
		}
	}
}

// A history keeps its newest entries; other lists keep their beginning.
func TestLists(t *testing.T) {
	got, left := Document(parse(t, `{"kind": "history", "series": [{"points": [{"n": 1}, {"n": 2}, {"n": 3}], "names": ["a", "b", "c"]}]}`), 2)
	if !reflect.DeepEqual(got, parse(t, `{"kind": "history", "series": [{"points": [{"n": 2}, {"n": 3}], "names": ["a", "b", "c"]}]}`)) || left["series.points"] != 1 {
		t.Errorf("%v, left out %v", got, left)
	}
	got, left = Document(parse(t, `{"kind": "table", "rows": [{"n": 1}, {"n": 2}, {"n": 3}]}`), 1)
	if !reflect.DeepEqual(got, parse(t, `{"kind": "table", "rows": [{"n": 1}]}`)) || left["rows"] != 2 {
		t.Errorf("%v, left out %v", got, left)
	}
}

// A document of any size is shortened to the limit, and its kept and omitted entries add up.
func TestBound(t *testing.T) {
	var rows []string
	for i := range 1000 {
		rows = append(rows, fmt.Sprintf(`{"n": %d, "text": %q}`, i, strings.Repeat("x", 2000)))
	}
	got, left := Document(parse(t, `{"kind": "table", "rows": [`+strings.Join(rows, ",")+`]}`), 1000)
	text, err := json.Marshal(got)
	kept := len(got["rows"].([]any))
	if err != nil || len(text) > mostBytes || kept == 0 || kept+left["rows"] != 1000 {
		t.Errorf("%d bytes, %d rows kept, left out %v, %v", len(text), kept, left, err)
	}
	got, left = Document(parse(t, `{"kind": "table", "title": "`+strings.Repeat("x", mostBytes)+`"}`), 10)
	if got != nil || left["document"] != 1 {
		t.Errorf("what cannot be cut: left out %v", left)
	}
	if got, left := Document(nil, 10); got != nil || len(left) != 0 {
		t.Errorf("nothing: %v, %v", got, left)
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("é", 500)
	got := strings.Split(Text("a   \nb\n"+long+"\nc\nd\n", 3), "\n")
	want := []string{"a", "b", strings.Repeat("é", 400) + "… (100 more characters)", "(2 more lines left out: raise limit)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Text("a\nb\n", 2); got != "a\nb" {
		t.Errorf("%q", got)
	}
	if got := Words(map[string]int{"b": 1, "a": 2}); got != "left out of the document: 2 of a, 1 of b; raise limit to see them" {
		t.Error(got)
	}
}
