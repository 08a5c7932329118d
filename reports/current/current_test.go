package current_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/reports/openmetrics"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
)

// value returns a value of one sample.
func value(target, name, unit string, better int, center float64) current.Value {
	return current.Value{
		Target: target, BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Unit: unit, Better: better,
		Summary: compare.Summary{Center: center, Lo: math.Inf(-1), Hi: math.Inf(1), N: 1},
	}
}

// Nothing is a valid file in each format.
func TestEmpty(t *testing.T) {
	none, scopes := current.Of(&record.Run{Target: "t"})
	if len(none) != 0 || scopes != 0 {
		t.Errorf("a run without samples has %v, %d", none, scopes)
	}
	if text, left, err := current.Bencher(none); string(text) != "{}\n" || left != nil || err != nil {
		t.Errorf("Bencher: %q, %v, %v", text, left, err)
	}
	if text, left, err := current.GitHubAction(none, current.Smaller); string(text) != "[]\n" || left != nil || err != nil {
		t.Errorf("github-action-benchmark: %q, %v, %v", text, left, err)
	}
	text, left := current.Metrics(none)
	if got, err := openmetricstest.Parse(string(text)); len(got) != 1 || left != nil || err != nil {
		t.Errorf("OpenMetrics: %v, %v, %v", got, left, err)
	}
}

// A sample that is missing in a round is no value, scopes are counted, and the work tree with changes
// is marked.
func TestOf(t *testing.T) {
	r := &record.Run{
		Target: "t", Commit: record.Commit{SHA: strings.Repeat("a", 40), Dirty: true},
		Benchmarks: []record.Benchmark{
			{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "X"}, Rounds: make([]record.Round, 2), Samples: []record.Samples{
				{Unit: "ns/op", Values: []float64{math.NaN(), 3}}, {Unit: "B/op", Values: []float64{math.NaN(), math.NaN()}},
			}},
			{BenchmarkID: record.BenchmarkID{Kind: record.Scope, Name: "X/Y"}, Rounds: make([]record.Round, 1), Samples: []record.Samples{{Unit: "ns/op", Values: []float64{3}}}},
		},
	}
	got, scopes := current.Of(r)
	if len(got) != 1 || scopes != 1 || got[0].Center != 3 || got[0].N != 1 || got[0].Commit != "aaaaaaaaaaaa+dirty" || got[0].Better != -1 {
		t.Errorf("%+v, %d", got, scopes)
	}
}

// A benchmark has only the values of the first run that measured it.
func TestState(t *testing.T) {
	var s current.State
	s.Add([]current.Value{value("t", "B", "ns/op", -1, 1), value("t", "B", "B/op", -1, 1)})
	s.Add([]current.Value{value("t", "B", "ns/op", -1, 2), value("t", "B", "odd", -1, 2), value("t", "A", "ns/op", -1, 2), value("u", "B", "ns/op", -1, 2)})
	var got []string
	for _, v := range s.Values() {
		got = append(got, fmt.Sprint(v.Target, v.Name, " ", v.Unit, " ", v.Center))
	}
	if want := []string{"tA ns/op 2", "tB ns/op 1", "tB B/op 1", "uB ns/op 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Measures have slugs that Bencher accepts, and its own two measures their units.
func TestMeasures(t *testing.T) {
	for _, tt := range []struct {
		unit, slug string
		value      float64
	}{
		{"ns/op", "latency", 2}, {"sec/op", "latency", 2e9}, {"ops/s", "throughput", 2}, {"B/op", "b-op", 2}, {"allocs/op", "allocs-op", 2},
		{"MB/s", "mb-s", 2}, {"ttft-ns", "ttft-ns", 2}, {"µ", "other", 2}, {"%--cache__misses%", "cache-misses", 2},
		{strings.Repeat("long", 15) + "abc/" + strings.Repeat("x", 9), strings.Repeat("long", 15) + "abc", 2},
	} {
		text, left, err := current.Bencher([]current.Value{value("", "X", tt.unit, 0, 2)})
		if err != nil || left != nil {
			t.Errorf("%s: %v, %v", tt.unit, left, err)
		}
		var got bencher
		decode(t, text, &got)
		if m, ok := got["X"][tt.slug]; !ok || *m.Value != tt.value {
			t.Errorf("%s: %s", tt.unit, text)
		}
	}
}

// What a format cannot hold is left out and named.
func TestLeftOut(t *testing.T) {
	long := strings.Repeat("p", 1024)
	many := value("t", "X", "ns/op", -1, 1)
	many.Package = long
	text, left, err := current.Bencher([]current.Value{value("t", "A", "B/op", -1, 1), value("t", "A", "b-op", -1, 2), value("t", "A", "B_op", -1, 2), many, value("t", "A", "sec/op", -1, math.MaxFloat64)})
	if want := []string{
		"left out 2 values: another value has the same name and measure: t:A in b-op and 1 more",
		"left out 1 value: Bencher's names have at most 1024 bytes: t:" + long + ".X in ns/op",
		"left out 1 value: too large: t:A in sec/op",
	}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, %v", left, err)
	}
	var got bencher
	decode(t, text, &got)
	if len(got) != 1 || *got["t:A"]["b-op"].Value != 1 {
		t.Errorf("%s", text)
	}
	_, left, err = current.GitHubAction([]current.Value{value("a:b", "c", "ns/op", -1, 1), value("a", "b:c", "ns/op", -1, 1), value("a", "d", "ops/s", 1, 1)}, current.Smaller)
	if want := []string{"left out 1 value: another value has the same name: a:b:c"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, %v", left, err)
	}
}

// Beyond the limit, times come first, and the rest is counted by target and unit.
func TestSeriesLimit(t *testing.T) {
	var values []current.Value
	for i := range 4 {
		for _, unit := range []string{"odd", "B/op", "ns/op"} {
			values = append(values, value("t", fmt.Sprint("X", i), unit, 0, 1))
		}
	}
	for _, tt := range []struct {
		most int
		left string
	}{
		{12, "[]"}, {9, "[{t odd 3}]"}, {4, "[{t B/op 4} {t odd 4}]"}, {0, "[{t B/op 4} {t odd 4} {t sec/op 4}]"},
	} {
		var w openmetrics.Writer
		left := current.WriteMetrics(&w, values, tt.most)
		got, err := openmetricstest.Parse(string(w.Text()))
		if err != nil || fmt.Sprint(left) != tt.left || len(got) != tt.most+min(1, tt.most)+max(1, len(left)) {
			t.Errorf("at most %d: %v left, %d series, %v", tt.most, left, len(got), err)
		}
		for _, l := range left {
			if got[fmt.Sprintf(`perftrack_benchmark_series_left_out{target="t",unit="%s"}`, l.Unit)] != float64(l.Series) {
				t.Errorf("at most %d: %v of %v", tt.most, got, l)
			}
		}
	}
	values = nil
	for i := range current.MaxSeries + 6000 {
		values = append(values, value(fmt.Sprint("t", i%4000), fmt.Sprint("X", i), "ns/op", 0, 1))
	}
	current.Sort(values)
	text, left := current.Metrics(values)
	got, err := openmetricstest.Parse(string(text))
	if err != nil || len(got) != current.MaxSeries+2001 || len(left) != 1 {
		t.Errorf("%d series, %d left, %v", len(got), len(left), err)
	}
	if want := `left out 6000 series, because there are more than 10000: 2000 of target "" in "", 4 of target "t3`; !strings.HasPrefix(left[0], want) || !strings.HasSuffix(left[0], "and others") {
		t.Errorf("%q", left[0])
	}
}

// Whatever the names are, each format is valid, has only finite numbers, and has or names each value.
func TestAnyNames(t *testing.T) {
	word := rapid.StringMatching(`[a-zA-Z0-9/"\\é日{}=,:.<&>#-]{1,12}`)
	rapid.Check(t, func(rt *rapid.T) {
		var values []current.Value
		known := map[string]bool{}
		for range rapid.IntRange(0, 12).Draw(rt, "n") {
			v := value(word.Draw(rt, "target"), word.Draw(rt, "name"), rapid.OneOf(word, rapid.SampledFrom([]string{"ns/op", "sec/op", "B/op", "MB/s"})).Draw(rt, "unit"),
				rapid.IntRange(-1, 1).Draw(rt, "better"), rapid.Float64Range(0, math.MaxFloat64).Draw(rt, "center"))
			if key := fmt.Sprint([]string{v.Target, v.Name, v.Unit}); !known[key] {
				known[key], values = true, append(values, v)
			}
		}
		current.Sort(values)
		text, left, err := current.Bencher(values)
		if err != nil {
			rt.Fatal(err)
		}
		var b bencher
		decode(t, text, &b)
		n := 0
		for _, measures := range b {
			n += len(measures)
		}
		if n > len(values) || n < len(values) != (len(left) > 0) {
			rt.Fatalf("%d of %d values, left %q", n, len(values), left)
		}
		for _, better := range []int{current.Smaller, current.Bigger} {
			if text, _, err = current.GitHubAction(values, better); err != nil {
				rt.Fatal(err)
			}
			var a action
			decode(t, text, &a)
		}
		text, _ = current.Metrics(values)
		got, err := openmetricstest.Parse(string(text))
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		for name, v := range got {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				rt.Fatalf("%s is %v", name, v)
			}
		}
	})
}
