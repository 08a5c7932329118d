package github

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
)

// past returns the history of a benchmark made by [codec], with one run of a different commit for
// each value.
func past(name, unit, environment string, values ...float64) History {
	h := History{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/codec", Name: name}, Unit: unit, Environment: environment}
	for i, v := range values {
		h.Points = append(h.Points, Point{fmt.Sprintf("%012x", i+1), v})
	}
	return h
}

func environmentOf(c *compare.Comparison) string { return c.Head.Runs[0].Env.EnvironmentID() }

// charted adds histories to options: one of a regression, one in another environment, and some of
// benchmarks without a regression.
func charted(o Options, c *compare.Comparison) Options {
	here := environmentOf(c)
	o.Histories = &Histories{ToBase: true, List: []History{
		past("Encode/format=gob", "sec/op", here, 3e-6, 3e-6, 3e-6),
		past("Decode", "sec/op", "elsewhere", 1, 2, 3, 4, 5, 6, 7),
		past("Decode", "B/op", here, 1, 2, 3, 4),
		past("Decode", "sec/op", here, 970e-9, 985e-9, 979.5e-9, 981e-9),
		past("Alloc", "allocs/op", "elsewhere", 0, 0, 1),
	}}
	return o
}

// earlier returns histories for all rows of a trial.
func earlier(c *compare.Comparison) *Histories {
	h := &Histories{}
	for r := range c.Rows() {
		h.List = append(h.List, History{Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit, Environment: environmentOf(c), Points: past("", "", "", 1e-7, 1.1e-7, 1.2e-7).Points})
	}
	return h
}

// section returns the part of a comment with the charts, or "".
func section(text string) string {
	_, rest, found := strings.Cut(text, "<details><summary>history of the ")
	if !found {
		return ""
	}
	section, _, _ := strings.Cut(rest, "</details>")
	return section
}

// A chart needs enough points measured in one environment. If there are too few, a sentence
// explains this.
func TestCharts(t *testing.T) {
	c := trial(t, codec("Slow", "ns/op", 100, 150, 1), codec("Same", "ns/op", 100, 100, 1))
	here := environmentOf(c)
	// drawn returns the beginning of a chart with the given x axis and values.
	drawn := func(axis string, values ...string) string {
		return axis + "\" " + strconv.Itoa(1-len(values)) + " --> 0\n    y-axis \"ns\" "
	}
	withHead, withoutHead := "x-axis \"runs before this head", "x-axis \"runs before the newest"
	for _, tt := range []struct {
		name      string
		histories *Histories
		has       []string // a single "" means that the comment has no such section
		not       string
	}{
		{"nothing was measured", nil, nil, ""},
		{"enough with the head", &Histories{ToBase: true, List: []History{past("Slow", "sec/op", here, 1e-7, 1e-7)}},
			[]string{"worst</summary>", "2 runs from `000000000001` to `000000000002`, then this head", drawn(withHead, "", "", ""), "line [100, 100, 15"}, "newest on the branch"},
		{"too few", &Histories{List: []History{past("Slow", "sec/op", here, 1e-7)}},
			[]string{"worst: no chart</summary>", "`Slow` `sec/op` has too few runs for a chart (1 in the history, then this head); a chart needs 3 points."}, "mermaid"},
		{"elsewhere", &Histories{List: []History{past("Slow", "sec/op", "elsewhere", 1e-7, 1e-7, 1e-7)}},
			[]string{"this head is not shown, because it was measured in another environment", drawn(withoutHead, "", "", ""), "line [100, 100, 100]"}, "then this head"},
		{"too few elsewhere", &Histories{List: []History{past("Slow", "sec/op", "elsewhere", 1e-7, 1e-7)}},
			[]string{"too few runs for a chart (2 in the history, this head is not shown"}, "mermaid"},
		{"here rather than elsewhere", &Histories{List: []History{past("Slow", "sec/op", "elsewhere", 3e-7, 3e-7, 3e-7, 3e-7), past("Slow", "sec/op", here, 1e-7, 1e-7), past("Slow", "sec/op", "third", 3e-7, 3e-7, 3e-7, 3e-7)}},
			[]string{"line [100, 100, 15"}, "300, 300"},
		{"elsewhere, with enough runs", &Histories{List: []History{past("Slow", "sec/op", here, 1e-7), past("Slow", "sec/op", "elsewhere", 3e-7, 3e-7, 3e-7)}},
			[]string{"line [300, 300, 300]", "not shown"}, "100,"},
		{"the longest elsewhere", &Histories{List: []History{past("Slow", "sec/op", "third", 2e-7, 2e-7, 2e-7), past("Slow", "sec/op", "elsewhere", 3e-7, 3e-7, 3e-7, 3e-7), past("Slow", "sec/op", "fourth", 2e-7, 2e-7, 2e-7)}},
			[]string{"line [300, 300, 300, 300]"}, ""},
		{"none of it", &Histories{List: []History{past("Same", "sec/op", here, 1e-7, 1e-7, 1e-7), past("Slow", "B/op", here, 1, 1, 1)}},
			[]string{"`Slow` `sec/op` has no run in this history yet."}, "mermaid"},
		{"another target", &Histories{List: []History{{Target: "other", BenchmarkID: past("Slow", "", "").BenchmarkID, Unit: "sec/op", Environment: here, Points: past("", "", "", 1, 1, 1).Points}}},
			[]string{"has no run in this history yet."}, "mermaid"},
		{"none of it, of too many", &Histories{LeftOut: 7}, []string{"has no run in this history, which is limited and omits 7 series."}, "mermaid"},
		{"unreadable", &Histories{Why: "the artifact could not be read"}, []string{"worst: not known</summary>", "The artifact could not be read."}, "mermaid"},
		{"no values", &Histories{List: []History{past("Slow", "sec/op", here, math.NaN(), math.Inf(1), -1)}}, []string{"has no run in this history yet."}, "mermaid"},
		{"the newest on the branch", &Histories{List: []History{past("Slow", "sec/op", here, 1e-7, 1e-7)}}, []string{"The runs are the newest on the branch; the base of this comparison is not among their commits."}, ""},
		{"one commit", &Histories{ToBase: true, List: []History{{Target: "engine", BenchmarkID: past("Slow", "", "").BenchmarkID, Unit: "sec/op", Environment: here, Points: []Point{{"00000000000a", 1e-7}, {"00000000000a", 1e-7}}}}},
			[]string{"2 runs `00000000000a`, then this head"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := New(c, Options{Histories: tt.histories}).Comment()
			check(t, text)
			got := section(text)
			if (got == "") != (tt.has == nil) {
				t.Fatalf("%q", got)
			}
			for _, part := range tt.has {
				if !strings.Contains(got, part) {
					t.Errorf("no %q in\n%s", part, got)
				}
			}
			if tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("%q in\n%s", tt.not, got)
			}
		})
	}
}

// A comment has no charts without an unaccepted regression.
func TestNoCharts(t *testing.T) {
	c := trial(t, codec("Slow", "ns/op", 100, 150, 1))
	with := &Histories{Why: "some reason"}
	for name, f := range map[string]*Finding{
		"accepted":  New(c, Options{Histories: with, Accepted: func(*compare.Row) (string, bool) { return "", true }}),
		"faster":    New(trial(t, codec("Fast", "ns/op", 150, 100, 1)), Options{Histories: with}),
		"unchanged": New(trial(t, codec("Same", "ns/op", 100, 100, 1)), Options{Histories: with}),
		"nothing":   New(compare.Compare(compare.Side{}, compare.Side{}, compare.Options{}), Options{Histories: with}),
	} {
		if text := f.Comment(); strings.Contains(text, "history of") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Charts show the newest runs of the first three regressions in the table. If a comment becomes too
// long, the charts are left out first.
func TestWorstCharts(t *testing.T) {
	c := many(t)
	h := &Histories{ToBase: true}
	for i := range 200 {
		h.List = append(h.List, past(fmt.Sprintf("Sort/n=%d/kind=random", i), "sec/op", environmentOf(c), make([]float64, 100)...))
		for k := range h.List[i].Points {
			h.List[i].Points[k].Value = float64(1000+k) * 1e-9
		}
	}
	f := New(c, Options{Histories: h})
	text := f.Summary()
	got := section(text)
	for _, part := range []string{"three worst</summary>", "n=59/kind", "n=58/kind", "n=57/kind", "29 runs from `000000000048` to `000000000064`"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	if n := strings.Count(text, "```mermaid"); n != 3 {
		t.Errorf("%d charts", n)
	}
	size := len(New(c, Options{}).text("", MaxSummary))
	for _, limit := range []int{size - 1000, size + 300, size + 1000, size + len(got)} {
		text := f.text("", limit)
		if len(text) > limit {
			t.Errorf("%d bytes of %d", len(text), limit)
		}
		without := New(c, Options{}).text("", limit-2*more)
		if charts := strings.Count(text, "```mermaid"); limit < size && charts > 0 || strings.Count(text, "<tr>") < strings.Count(without, "<tr>") {
			t.Errorf("%d bytes: %d charts, %d lines, %d without charts", limit, charts, strings.Count(text, "<tr>"), strings.Count(without, "<tr>"))
		}
		if !strings.Contains(text, "omitted to keep this short") {
			t.Errorf("%d bytes: nothing is said of what is left out", limit)
		}
	}
}

// block matches a chart. Even with hostile names, a chart must not contain anything else.
var block = regexp.MustCompile("^" + regexp.QuoteMeta(chartLook) + "xychart-beta\n    title \"([^\"]*)\"\n    x-axis \"runs before (?:this head|the newest)\" -\\d+ --> 0\n" +
	"    y-axis \"([^\"]*)\" (\\d{1,12}(?:\\.\\d{1,9})?) --> (\\d{1,12}(?:\\.\\d{1,9})?)\n    line \\[(\\d{1,12}(?:\\.\\d{1,9})?(?:, \\d{1,12}(?:\\.\\d{1,9})?)*)\\]\n$")

// checkBlock fails unless text is a valid chart for Mermaid and shows all values.
func checkBlock(t interface{ Fatalf(string, ...any) }, text string, points int) {
	m := block.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no chart:\n%s", text)
	}
	for _, words := range m[1:3] {
		if len([]rune(words)) > 2*maxTitle || strings.ContainsFunc(words, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-+=/.,:()?", r)
		}) {
			t.Fatalf("%q in\n%s", words, text)
		}
	}
	lo, _ := strconv.ParseFloat(m[3], 64)
	hi, _ := strconv.ParseFloat(m[4], 64)
	values := strings.Split(m[5], ", ")
	if len(values) != points || lo >= hi {
		t.Fatalf("%d values of %d from %g to %g in\n%s", len(values), points, lo, hi, text)
	}
	for _, v := range values {
		if x, err := strconv.ParseFloat(v, 64); err != nil || x < lo || x > hi {
			t.Fatalf("%s is not from %g to %g in\n%s", v, lo, hi, text)
		}
	}
}

func TestChartOfAnything(t *testing.T) {
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile), rapid.SampledFrom([]string{
		"sec/op", "B/op", "allocs/op", "B/s", "GFLOPS", "%%{init: {\"theme\": \"dark\"}}%%", "\"]\nline [1]", "---\ntitle: x\n---", "x\"`", "```\n</details>", "#quot;", "click A call x()",
	}))
	value := rapid.OneOf(rapid.Float64Range(0, math.MaxFloat64), rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 1e-9, 1, 1 + 1e-15, 999.9999999, 1e9, 1e15, math.MaxFloat64}))
	rapid.Check(t, func(t *rapid.T) {
		var points []Point
		for _, v := range rapid.SliceOfN(value, leastPoints, maxPoints).Draw(t, "values") {
			points = append(points, Point{Value: v})
		}
		checkBlock(t, xychart(words.Draw(t, "name"), words.Draw(t, "unit"), points, rapid.Bool().Draw(t, "head")), len(points))
	})
}

func TestXYChart(t *testing.T) {
	for _, tt := range []struct {
		name, unit string
		values     []float64
		want       string // without the parts common to all charts
	}{
		{"Parse", "sec/op", []float64{1e-7, 1.01e-7, 1.2e-7}, `"Parse, sec/op" -2 "ns" 98 --> 122 [100, 101, 120]`},
		{"Parse", "sec/op", []float64{1.25e-3, 1.26e-3, 2.5e-3}, `"Parse, sec/op" -2 "ms" 1.12 --> 2.62 [1.25, 1.26, 2.5]`},
		{"Grow", "B/op", []float64{1 << 20, 1 << 20, 3 << 20}, `"Grow, B/op" -2 "MiB" 0.8 --> 3.2 [1, 1, 3]`},
		{"First", "allocs/op", []float64{0, 0, 2}, `"First, allocs/op" -2 "allocs/op" 0 --> 2.2 [0, 0, 2]`},
		{"Rate", "B/s", []float64{4e6, 3e6, 3e6}, `"Rate, B/s" -2 "MB/s" 2.9 --> 4.1 [4, 3, 3]`},
		{"Rate", "GFLOPS", []float64{30, 20, 20}, `"Rate, GFLOPS" -2 "GFLOPS" 19 --> 31 [30, 20, 20]`},
		{"Odd", "things/op", []float64{10e3, 12e3, 12e3}, `"Odd, things/op" -2 "k things/op" 9.8 --> 12.2 [10, 12, 12]`},
		{"Level", "sec/op", []float64{1e-7, 1e-7, 1e-7}, `"Level, sec/op" -2 "ns" 98.8 --> 101.2 [100, 100, 100]`},
		{"Nothing", "B/op", []float64{0, 0, 0}, `"Nothing, B/op" -2 "B" 0 --> 1.1 [0, 0, 0]`},
		{"Huge", "sec/op", []float64{1e307, 1e308, 1e308}, `"Huge, sec/op" -2 "1e308 s" 0.01 --> 1.09 [0.1, 1, 1]`},
		{"Small", "sec/op", []float64{1e-290, 2e-290, 2e-290}, `"Small, sec/op" -2 "1e-281 ns" 0.9 --> 2.1 [1, 2, 2]`},
		{"Tiny", "sec/op", []float64{5e-324, 1e-320, 1e-320}, `"Tiny, sec/op" -2 "s" 0 --> 1.1 [0, 0, 0]`},
		{strings.Repeat("long/", 2000), "B/op", []float64{1, 1, 2}, `"` + strings.Repeat("long/", 8) + "...g/" + strings.Repeat("long/", 3) + `, B/op" -2 "B" 0.9 --> 2.1 [1, 1, 2]`},
		{"日本語/サイズ=1", "B/op", []float64{1, 1, 2}, `"日本語/サイズ=1, B/op" -2 "B" 0.9 --> 2.1 [1, 1, 2]`},
		{"a\"b`c\nd]e{f}%%g#h;i<j>k&l|m\\n'o$p@q~r!s*t^u😀v", "x\"y", []float64{1, 1, 2}, `"a?b?c?d?e?f???g?h?i?j?k?l?m?n?o?p?q?r?s?t?u?v, x?y" -2 "x?y" 0.9 --> 2.1 [1, 1, 2]`},
		{"", "", []float64{1, 1, 2}, `"(empty), (empty)" -2 "(empty)" 0.9 --> 2.1 [1, 1, 2]`},
	} {
		var points []Point
		for _, v := range tt.values {
			points = append(points, Point{Value: v})
		}
		got := xychart(tt.name, tt.unit, points, true)
		checkBlock(t, got, len(points))
		short := strings.NewReplacer(chartLook+"xychart-beta\n    title ", "", "\n    x-axis \"runs before this head\"", "", " --> 0\n    y-axis", "", "\n    line", "").Replace(got)
		if short != tt.want+"\n" {
			t.Errorf("%.40q %q %v: %s\nwant %s", tt.name, tt.unit, tt.values, short, tt.want)
		}
	}
}
