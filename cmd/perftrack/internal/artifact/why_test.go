package artifact

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/github"
)

const trialWithWhys = `perftrack-run: 1
target: lib
commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
status: complete
trial: t1
side: base
pkg: example.com/lib
BenchmarkX 1 1 ns/op
side: head
commit: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
BenchmarkX 1 1 ns/op
`

// Explanations can be written to a trial's file and read back, and do not change the trial.
func TestWhys(t *testing.T) {
	all := []github.Why{
		{Target: "lib", Package: "example.com/lib", Name: "X", Functions: []github.Function{{Name: "lib.f\nBenchmarkY 1 1 ns/op", Unit: "sec/op", Base: 1, Head: 2, Share: 0.5, Changed: true}}},
		{Target: "lib", Name: "Y", Reason: "too late"},
	}
	text, err := FormatWhys(all)
	if err != nil {
		t.Fatal(err)
	}
	file := append(text, trialWithWhys...)
	if got := ParseWhys(file); !reflect.DeepEqual(got, all) {
		t.Errorf("%+v, want %+v", got, all)
	}
	with, err := ParseTrial(file, "with")
	if err != nil {
		t.Fatal(err)
	}
	without, err := ParseTrial([]byte(trialWithWhys), "without")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(with, without) {
		t.Errorf("explanations change the trial: %+v, want %+v", with, without)
	}
}

// Malformed and oversized explanations are skipped.
func TestUntrustedWhys(t *testing.T) {
	one := func(s string) string { return whyMark + s + "\n" }
	function := `{"name": "f", "unit": "sec/op", "base": 1, "head": 2}`
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"one":                  {one(`{"target": "t", "name": "X", "reason": "r"}`), 1},
		"no JSON":              {one(`{`), 0},
		"nothing in it":        {one(`{"target": "t", "name": "X"}`), 0},
		"no name":              {one(`{"target": "t", "reason": "r"}`), 0},
		"a number that is not": {one(`{"name": "X", "functions": [{"name": "f", "unit": "sec/op", "base": 1e999, "head": 2}]}`), 0},
		"an odd unit":          {one(`{"name": "X", "functions": [{"name": "f", "unit": "<b>", "base": 1, "head": 2}]}`), 0},
		"too many functions":   {one(`{"name": "X", "functions": [` + strings.Repeat(function+",", MaxFunctions) + function + `]}`), 0},
		"a long line":          {one(`{"name": "X", "reason": "` + strings.Repeat("x", MaxWhyLine) + `"}`), 0},
		"too many":             {strings.Repeat(one(`{"name": "X", "reason": "r"}`), 1000), MaxWhys},
		"not at the start":     {" " + one(`{"name": "X", "reason": "r"}`), 0},
	} {
		if got := ParseWhys([]byte(tt.text)); len(got) != tt.want {
			t.Errorf("%s: %d, want %d", name, len(got), tt.want)
		}
	}
	long := github.Why{Name: "X", Reason: strings.Repeat("日", 1000)}
	for i := range 100 {
		long.Functions = append(long.Functions, github.Function{Name: fmt.Sprint(strings.Repeat("é", 1000), i), Unit: "sec/op", Share: math.NaN()})
	}
	text, err := FormatWhys([]github.Why{long})
	if err != nil {
		t.Fatal(err)
	}
	if got := ParseWhys(text); len(got) != 1 || len(got[0].Functions) != MaxFunctions || len(got[0].Functions[0].Name) > maxWhyText {
		t.Errorf("of a long explanation: %d bytes, %d", len(text), len(got))
	}
}
