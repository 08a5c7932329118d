package compare

import (
	"reflect"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// What a trial was not to measure is said, unless another trial of the commits was of all.
func TestSelectionIsSaid(t *testing.T) {
	const some = "only some of the benchmarks were selected, the others were not checked: bench: "
	for _, tt := range []struct {
		name       string
		selections []string // one a trial
		want       []string
	}{
		{"all", []string{""}, nil},
		{"an older trial, which does not say", []string{"?"}, nil},
		{"one", []string{`--bench "Sort"`}, []string{some + `--bench "Sort"`}},
		{"two", []string{"./a", "./b"}, []string{some + "./a, ./b"}},
		{"the same twice", []string{"./a", "./a"}, []string{some + "./a"}},
		{"a narrow one and all", []string{"./a", ""}, nil},
		{"longer than a fact", []string{string(make([]byte, record.MaxSettingLen+1))}, nil},
	} {
		var sides [2]Side
		for i, selection := range tt.selections {
			for side, name := range []record.Side{record.Base, record.Head} {
				r := &record.Run{Target: "bench", Trial: string(rune('a' + i)), Side: name, Status: record.Complete}
				if selection != "?" {
					SetSelection(r, selection)
				}
				sides[side].Runs = append(sides[side].Runs, r)
			}
		}
		var got []string
		for _, c := range Compare(sides[base], sides[head], Options{}).Caveats {
			if c.Code == CodeSelection {
				got = append(got, c.String())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	var r record.Run
	SetSelection(&r, "./a")
	if !SelectionCovers(&r, "./a") || !SelectionIs(&r, "./a") || SelectionIs(&r, "") || SelectionCovers(&r, "./b") || SelectionCovers(&r, "") || SelectionCovers(&record.Run{}, "") {
		t.Error("./a covers itself and nothing else")
	}
	SetSelection(&r, "")
	if !SelectionCovers(&r, "./a") || !SelectionIs(&r, "") || SelectionIs(&r, "./a") {
		t.Error("all covers ./a, and is not ./a")
	}
}

func TestSelectedOf(t *testing.T) {
	for text, want := range map[string]Selected{
		"":                                    {},
		"./a ./b/...":                         {Only: []string{"./a", "./b/..."}},
		`--bench "Count|Rank"`:                {Bench: "Count|Rank"},
		`./a --suite "x y" --bench "A\"\\b/"`: {Only: []string{"./a"}, Suite: "x y", Bench: `A"\b/`},
	} {
		var r record.Run
		SetSelection(&r, text)
		got, ok := SelectedOf(&r)
		if len(got.Only) == 0 {
			got.Only = nil
		}
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	var r record.Run
	if _, ok := SelectedOf(&r); ok {
		t.Error("nothing is known of a run that does not say it")
	}
}
