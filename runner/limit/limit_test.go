package limit

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text, unit string // unit is one that benchmarks report or that reports show
		bound      float64
	}{
		{">= 25 GFLOPS", "GFLOPS", 25},
		{">= 25000 MFLOPS", "GFLOPS", 25},
		{">= 25 GFLOPS", "MFLOPS", 25000},
		{"< 1 MB/tok", "B/tok", 1e6},
		{"<= 100 ms", "sec/op", 0.1},
		{"<=100ms", "ns/op", 1e8},
		{"<= 100 ms/op", "sec/op", 0.1},
		{"<= 2.5 us/tok", "sec/tok", 2.5e-6},
		{"< 1e3 ns", "sec/op", 1e-6},
		{"<= 20 ttft-ms", "ttft-sec", 0.02},
		{"<= 20 ttft-ms", "ttft-ns", 2e7},
		{"<= 64 KiB/op", "B/op", 65536},
		{">= 1 GB/s", "B/s", 1e9},
		{">= 1000 MB/s", "MB/s", 1000},
		{"<= 0 allocs/op", "allocs/op", 0},
		{"> 40 tok/s", "tok/s", 40},
		{"< 3 widgets", "widgets", 3},
		{"< 3 s", "sec/op", 3},
	} {
		l, err := Parse("*", tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if got, ok := l.Bound(tt.unit); !ok || math.Abs(got-tt.bound) > 1e-12*tt.bound {
			t.Errorf("%q in %s is %v %v, want %v", tt.text, tt.unit, got, ok, tt.bound)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "write a relation",
		"100 ms":              "write a relation",
		"= 100 ms":            "write a relation",
		"<= 100":              "write a relation",
		"<= ms":               "write a relation",
		"<= -1 ms":            "write a relation",
		"<= 1,5 ms":           "write a relation",
		"<= 1 ms per op":      "write a relation",
		"<= 100 ms <= 200 ms": "write a relation",
		"=> 1 ms":             "write a relation",
		"<= 1e999 ms":         "too large",
		"<= 1e308 GFLOPS":     "too large",
		"< 1 MB":              "bytes per op, second or token",
		"< 1 mb/tok":          `did you mean "MB/tok"?`,
		"< 1 KB/op":           `did you mean "kB/op"?`,
		">= 25 Gflops":        `did you mean "GFLOPS"?`,
		"< 1 MS":              `did you mean "ms"?`,
		"< 1 ttft-MS":         `did you mean "ttft-ms"?`,
		"< 1 Allocs/op":       `did you mean "allocs/op"?`,
		"< 0 ms":              "no measured value",
		">= 0 ms":             "every measured value",
	} {
		if l, err := Parse("*", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, l, err, want)
		}
	}
}

// A limit on the time per token also applies to benchmarks reporting tokens per second, and Factor
// returns how much they have to improve.
func TestTimeATokenBoundsRates(t *testing.T) {
	for _, tt := range []struct {
		text, unit string
		value      float64
		want       State
		factor     float64
	}{
		{"<= 50 ms/tok", "tok/s", 20, Met, 1},
		{"<= 50 ms/tok", "tok/s", 5, Missed, 4},
		{"<= 50 ms/tok", "tok/s", 40, Met, 0.5},
		{"< 50 ms/tok", "tok/s", 20, Missed, 1},
		{">= 50 ms/tok", "tok/s", 40, Missed, 2},
		{"<= 50 ms/tok", "ms/tok", 100, Missed, 2},
		{"<= 50 ms/tok", "ns/tok", 25e6, Met, 0.5},
		{">= 25 GFLOPS", "GFLOPS", 10, Missed, 2.5},
		{"< 1 MB/tok", "B/tok", 1e5, Met, 0.1},
		{"< 1 MB/tok", "B/tok", 0, Met, math.NaN()},
	} {
		l, err := Parse("*", tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if !l.Bounds("X", tt.unit) || l.Judge(tt.value, tt.value, tt.unit) != tt.want {
			t.Errorf("%g %s by %s is %s, want %s", tt.value, tt.unit, tt.text, l.Judge(tt.value, tt.value, tt.unit), tt.want)
		}
		if got := l.Factor(tt.value, tt.unit); math.Abs(got-tt.factor) > 1e-12 || math.IsNaN(got) != math.IsNaN(tt.factor) {
			t.Errorf("%g %s by %s: factor %g, want %g", tt.value, tt.unit, tt.text, got, tt.factor)
		}
	}
}

func TestBoundsNoOtherUnit(t *testing.T) {
	l, err := Parse("*", "<= 100 ms")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"sec/tok", "ttft-sec", "min-sec/op", "B/op", "GFLOPS", "sec"} {
		if _, ok := l.Bound(unit); ok {
			t.Errorf("%s bounds %s", l.Text, unit)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		text   string
		lo, hi float64
		want   State
	}{
		{"<= 10 x", 9, 10, Met}, {"<= 10 x", 10, 11, Undecided}, {"<= 10 x", 10.1, 11, Missed},
		{"< 10 x", 9, 9.9, Met}, {"< 10 x", 9, 10, Undecided}, {"< 10 x", 10, 11, Missed},
		{">= 10 x", 10, 11, Met}, {">= 10 x", 9, 10, Undecided}, {">= 10 x", 9, 9.9, Missed},
		{"> 10 x", 10.1, 11, Met}, {"> 10 x", 10, 11, Undecided}, {"> 10 x", 9, 10, Missed},
		{"<= 10 x", math.Inf(-1), math.Inf(1), Undecided},
		{"<= 10 x", math.NaN(), math.NaN(), Undecided},
	} {
		l, err := Parse("*", tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Judge(tt.lo, tt.hi, "x"); got != tt.want {
			t.Errorf("%s with [%v, %v] is %s, want %s", tt.text, tt.lo, tt.hi, got, tt.want)
		}
	}
}

// A value and a limit in different units are equal if their exact values are equal.
func TestJudgeTakesNoRoundingForADifference(t *testing.T) {
	factor := 1e-9 // computed at run time, because a constant would be exact
	for _, tt := range []struct {
		text string
		x    float64
		unit string
		want State
	}{
		{"<= 0.3 ms", 300000 * factor, "sec/op", Met},
		{"< 0.3 ms", 300000 * factor, "sec/op", Missed},
		{">= 0.3 ms", 300000 * factor, "sec/op", Met},
		{"> 0.3 ms", 300000 * factor, "sec/op", Missed},
		{"<= 0.3 ms", 300000.001 * factor, "sec/op", Missed},
		{"<= 0.3 ms", 300000, "ns/op", Met},
		{"<= 0 allocs/op", 1e-300, "allocs/op", Missed},
		{"<= 0 allocs/op", 0, "allocs/op", Met},
	} {
		l, err := Parse("*", tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Judge(tt.x, tt.x, tt.unit); got != tt.want {
			t.Errorf("%v %s is %s of %s, want %s", tt.x, tt.unit, got, tt.text, tt.want)
		}
	}
}

func TestJudgeIsOfOneSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.IntRange(1, 50).Draw(t, "bound")
		op := rapid.SampledFrom(ops).Draw(t, "op")
		l, err := Parse("*", op+" "+"1 x")
		if err != nil {
			t.Fatal(err)
		}
		l.value = float64(bound)
		lo := rapid.Float64Range(0, 100).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0, 50).Draw(t, "width")
		lo, hi = snap(lo, l.value), snap(hi, l.value)
		holds := func(x float64) bool {
			switch op {
			case "<":
				return x < l.value
			case "<=":
				return x <= l.value
			case ">":
				return x > l.value
			}
			return x >= l.value
		}
		want := Undecided
		if holds(lo) && holds(hi) {
			want = Met
		} else if !holds(lo) && !holds(hi) {
			want = Missed
		}
		if got := l.Judge(lo, hi, "x"); got != want {
			t.Fatalf("[%v, %v] %s %d is %s, want %s", lo, hi, op, bound, got, want)
		}
	})
}

func TestTheLastLimitOfASideApplies(t *testing.T) {
	var all List
	for _, rule := range [][2]string{{"*", "<= 9 ms"}, {"A*", "<= 5 ms"}, {"A*", ">= 1 ms"}, {"A*", "<= 7 allocs/op"}, {"AB", "< 4 ms"}} {
		l, err := Parse(rule[0], rule[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	for _, tt := range []struct{ bench, unit, want string }{
		{"B", "sec/op", "<= 9 ms"}, {"A", "sec/op", "<= 5 ms >= 1 ms"}, {"AB", "ns/op", ">= 1 ms < 4 ms"},
		{"AB", "allocs/op", "<= 7 allocs/op"}, {"B", "allocs/op", ""}, {"AB", "B/op", ""},
	} {
		var got []string
		for _, l := range all.Of(tt.bench, tt.unit) {
			got = append(got, l.Text)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.bench, tt.unit, s, tt.want)
		}
	}
}
