package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare/stat"
	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// course returns the course of the values of commits a0, a1, ... with noise of a thousandth.
func course(opt Options, values ...float64) Course {
	l := NewLine(opt)
	r := rand.New(rand.NewPCG(3, 4))
	for i, v := range values {
		if !opt.Exact {
			v *= 1 + 0.001*r.NormFloat64()
		}
		l.Append(Point{Run: fmt.Sprint("run", i), Commit: fmt.Sprint("a", i), Value: v, Samples: 5})
	}
	return l.Course()
}

// shown describes steps and outliers in a few words.
func shown(c Course) string {
	var out []string
	for _, s := range c.Steps {
		word := fmt.Sprintf("%s %s..%s", s.Verdict, s.Last.Commit, s.First.Commit)
		if s.Unresolved {
			word += " unresolved"
		}
		if s.Accepted {
			word += " accepted"
		}
		out = append(out, word)
	}
	for _, o := range c.Outliers {
		word := "outlier " + o.Commit
		if o.Open {
			word += " open"
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}

func flat(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func TestCourse(t *testing.T) {
	time := Options{Unit: "sec/op", Better: -1}
	speed := Options{Unit: "B/s", Better: +1}
	nobody := Options{Unit: "furlongs"}
	exact := Options{Unit: "allocs/op", Better: -1, Exact: true}
	counted := exact
	counted.Repeats = stat.DifferRounds // two runs of five samples
	few := exact
	few.Repeats = 100
	wide := Options{Unit: "sec/op", Better: -1, Threshold: 0.3}
	accepted := time
	accepted.Accepted = func(last, first string) bool { return last == "a5" && first == "a6" }
	for _, tt := range []struct {
		name   string
		opt    Options
		values []float64
		want   string
	}{
		{"nothing", time, nil, ""},
		{"one run", time, flat(1, 100), ""},
		{"two runs", time, []float64{100, 200}, ""},
		{"no change", time, flat(40, 100), ""},
		{"slower", time, slices.Concat(flat(6, 100), flat(6, 110)), "regressed a5..a6 unresolved"},
		{"slower of a speed", speed, slices.Concat(flat(6, 110), flat(6, 100)), "regressed a5..a6 unresolved"},
		{"faster", time, slices.Concat(flat(6, 100), flat(6, 90)), "improved a5..a6"},
		{"no direction", nobody, slices.Concat(flat(6, 100), flat(6, 90)), "changed a5..a6"},
		{"below half of the threshold", wide, slices.Concat(flat(6, 100), flat(6, 110)), ""},
		{"undone", time, slices.Concat(flat(6, 100), flat(6, 110), flat(6, 100)), "regressed a5..a6, improved a11..a12"},
		{"undone by half", time, slices.Concat(flat(6, 100), flat(6, 110), flat(6, 105)), "regressed a5..a6 unresolved, improved a11..a12"},
		{"undone, then again", time, slices.Concat(flat(6, 100), flat(6, 110), flat(6, 100), flat(6, 110)),
			"regressed a5..a6, improved a11..a12, regressed a17..a18 unresolved"},
		{"accepted", accepted, slices.Concat(flat(6, 100), flat(6, 110)), "regressed a5..a6 accepted"},
		{"a high point", time, slices.Concat(flat(6, 100), flat(1, 400), flat(6, 100)), "outlier a6"},
		{"two high points", time, slices.Concat(flat(6, 100), flat(2, 400), flat(6, 100)), "outlier a6, outlier a7"},
		{"the last one", time, slices.Concat(flat(12, 100), flat(1, 400)), "outlier a12 open"},
		{"a high point and a step", time, slices.Concat(flat(8, 100), flat(1, 400), flat(8, 100), flat(8, 120)), "regressed a16..a17 unresolved, outlier a8"},
		{"the third makes a level", time, slices.Concat(flat(12, 100), flat(3, 120)), "regressed a11..a12 unresolved"},
		{"two of three", time, slices.Concat(flat(12, 100), []float64{130, 400, 130}), "outlier a12 open, outlier a13 open, outlier a14 open"},
		{"from zeros", time, slices.Concat(flat(6, 0), flat(6, 1)), "regressed a5..a6 unresolved"},
		{"a step that may be none", time, []float64{10, 10, 10, 10, 0, 0, 0, 10, 10, 20, 10, 20, 10, 10, 10, 0, 0}, ""},
		{"zeros", time, slices.Concat(flat(6, 0), flat(6, 3)), "regressed a5..a6 unresolved"},
		{"one allocation more", exact, []float64{2, 2, 2, 3}, "regressed a2..a3 unresolved"},
		{"and less", exact, []float64{2, 2, 3, 2}, "regressed a1..a2, improved a2..a3"},
		{"from none", exact, []float64{0, 0, 1}, "regressed a1..a2 unresolved"},
		{"too few of either side", counted, []float64{0, 3}, "outlier a1 open"},
		{"too few after", counted, []float64{2, 2, 2, 3}, "outlier a3 open"},
		{"too few before", counted, []float64{2, 3, 3, 3, 3}, "outlier a0"},
		{"enough of both sides", counted, []float64{2, 2, 3, 3}, "regressed a1..a2 unresolved"},
		{"one run that no other confirms", counted, []float64{2, 2, 3, 2, 2}, "outlier a2"},
		{"one before a level", counted, []float64{2, 2, 5, 3, 3}, "regressed a2..a3 unresolved, outlier a2"},
		{"undone by one", counted, []float64{2, 2, 3, 3, 2}, "regressed a1..a2 unresolved, outlier a4 open"},
		{"each other run", counted, []float64{2, 3, 2, 3, 2, 3, 2, 3}, "outlier a7 open"},
		{"of three commits, of few samples", few, []float64{2, 2, 2, 3, 3, 3}, "regressed a2..a3 unresolved"},
		{"of two commits, of few samples", few, []float64{2, 2, 2, 3, 3}, "outlier a3 open, outlier a4 open"},
		{"size classes", Options{Unit: "B/op", Better: -1, Exact: true}, []float64{1000, 1008, 1000, 1200}, "regressed a2..a3 unresolved"},
	} {
		if got := shown(course(tt.opt, tt.values...)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A course reports whether its runs are enough for a step to be found.
func TestEnoughRunsForAStep(t *testing.T) {
	time, exact := Options{Unit: "sec/op"}, Options{Unit: "allocs/op", Exact: true}
	counted := Options{Unit: "allocs/op", Exact: true, Repeats: stat.DifferRounds} // two runs of five samples
	few := Options{Unit: "allocs/op", Exact: true, Repeats: 100}
	for _, tt := range []struct {
		opt     Options
		commits string // one letter per run; - means no commit
		needs   int
		enough  bool
	}{
		{time, "", 6, false}, {time, "abcde", 6, false}, {time, "abcdef", 6, true}, {time, "aaabbb", 6, true},
		{time, "aaaaaa", 6, false}, {time, "aaaabb", 6, false}, {time, "aabbbb", 6, false}, {time, "------", 6, true},
		{exact, "a", 2, false}, {exact, "ab", 2, true}, {exact, "aaa", 2, false},
		{counted, "ab", 4, false}, {counted, "abc", 4, false}, {counted, "abb", 4, false}, {counted, "aabb", 4, true}, {counted, "aaab", 4, false},
		{few, "aabb", 6, false}, {few, "abcdef", 6, true}, {few, "aaaaabcdefgh", 6, true}, {few, "abcddd", 6, false},
	} {
		l := NewLine(tt.opt)
		for i, c := range strings.Split(tt.commits, "") {
			l.Append(Point{Run: fmt.Sprint(i), Commit: strings.Trim(c, "-"), Value: 1, Samples: 5})
		}
		if c := l.Course(); c.Needs != tt.needs || c.Enough != tt.enough {
			t.Errorf("runs of %q: needs %d, enough %v, want %d, %v", tt.commits, c.Needs, c.Enough, tt.needs, tt.enough)
		}
	}
}

func TestStepSize(t *testing.T) {
	c := course(Options{Unit: "sec/op", Better: -1}, slices.Concat(flat(40, 100), flat(8, 110))...)
	s := c.Steps[0]
	if s.Shift.Lo > 0.1 || s.Shift.Hi < 0.1 || s.Shift.Hi-s.Shift.Lo > 0.005 || math.Abs(s.Now-0.1) > 0.005 || math.Abs(s.From-100) > 0.2 || math.Abs(s.To-110) > 0.2 {
		t.Errorf("%+v", s)
	}
	c = course(Options{Unit: "sec/op", Better: -1}, slices.Concat(flat(3, 100), flat(3, 110))...)
	if len(c.Steps) != 1 || !math.IsInf(c.Steps[0].Shift.Hi, 1) {
		t.Errorf("three runs a side have no interval of 95 %%: %+v", c.Steps)
	}
	c = course(Options{Unit: "allocs/op", Better: -1, Exact: true}, 2, 3)
	if s := c.Steps[0].Shift; s != (stat.Shift{Center: 0.5, Lo: 0.5, Hi: 0.5}) {
		t.Errorf("%+v", s)
	}
}

// Runs of one commit measure the same code, so there is no step between them, but each of them
// counts as a run of its level.
func TestRunsOfOneCommit(t *testing.T) {
	l := NewLine(Options{Unit: "sec/op", Better: -1})
	for i, v := range slices.Concat(flat(6, 100), flat(6, 120)) {
		l.Append(Point{Run: fmt.Sprint(i), Commit: "one", Value: v})
	}
	if c := l.Course(); len(c.Steps) != 0 {
		t.Errorf("a step within a commit: %+v", c.Steps)
	}
	l = NewLine(Options{Unit: "sec/op", Better: -1})
	for i, v := range slices.Concat(flat(6, 100), flat(3, 120)) {
		l.Append(Point{Run: fmt.Sprint(i), Commit: fmt.Sprint("c", min(i, 6)), Value: v})
	}
	if c := l.Course(); len(c.Steps) != 1 || c.Steps[0].First.Commit != "c6" {
		t.Errorf("three runs of a commit are a level: %+v", c.Steps)
	}
}

// The course depends neither on earlier calls nor on the unit's size; an invalid value has no
// effect.
func TestLineIsIncremental(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 90).Draw(t, "n")
		noise := rapid.SampledFrom([]float64{0, 0.001, 0.01, 0.1}).Draw(t, "noise")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		opt := Options{Unit: "sec/op", Better: -1, Exact: rapid.Bool().Draw(t, "exact"), Repeats: rapid.IntRange(0, 20).Draw(t, "repeats")}
		asked, once, scaled := NewLine(opt), NewLine(opt), NewLine(opt)
		level, ties := 1.0, noise == 0
		for i := range n {
			switch r.IntN(30) {
			case 0:
				level *= 1.2
			case 1:
				level, ties = 0, true
			case 2:
				level = 1
				asked.Append(Point{Value: math.NaN()})
				asked.Append(Point{Value: math.Inf(1)})
				asked.Append(Point{Value: -1})
			}
			m := Point{fmt.Sprint(i), fmt.Sprint(i - r.IntN(2)), level * math.Exp(noise*r.NormFloat64()), 1 + r.IntN(10)}
			asked.Append(m)
			once.Append(m)
			m.Value *= 1024
			scaled.Append(m)
			asked.Course()
		}
		if a, b := fmt.Sprintf("%+v", asked.Course()), fmt.Sprintf("%+v", once.Course()); a != b {
			t.Fatalf("asked each time\n%s\nonce\n%s", a, b)
		}
		if a, b := shown(once.Course()), shown(scaled.Course()); a != b && !ties {
			t.Fatalf("%s\nin another unit %s", a, b)
		}
		checkLevels(t, once.Course())
	})
}

// checkLevels checks that levels follow each other and cover all runs. Gaps are allowed only for
// the runs of a drift: they belong to no level.
func checkLevels(t *rapid.T, c Course) {
	drift := slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Drift > 0 })
	end := 0
	for _, v := range c.Levels {
		if v.End <= v.First || v.First < end || v.First > end && !drift {
			t.Fatalf("levels %+v", c.Levels)
		}
		end = v.End
	}
	if end > len(c.Runs) || end < len(c.Runs) && !drift {
		t.Fatalf("levels end at %d of %d", end, len(c.Runs))
	}
}

// The noise is computed from the newest level only. Neither an outlier nor an earlier step affects
// it much.
func TestNoise(t *testing.T) {
	level := func(values ...float64) Course {
		c := Course{Levels: []Level{{0, 2, 50}, {2, 2 + len(values), 100}}, Runs: []Point{{Value: 1}, {Value: 50}}}
		for _, v := range values {
			c.Runs = append(c.Runs, Point{Value: v})
		}
		return c
	}
	for _, tt := range []struct {
		course Course
		want   float64
	}{
		{level(98, 102, 98, 102), 0.02 * stat.NormalMAD},
		{level(99, 101, 99, 101, 900), 0.01 * stat.NormalMAD},
		{level(100, 100, 100, 100), 0},
		{level(98, 102, 98), math.NaN()},
		{Course{Runs: []Point{{Value: 1}}}, math.NaN()},
		{Course{Runs: make([]Point, 5), Levels: []Level{{0, 5, 0}}}, math.NaN()},
	} {
		if got := tt.course.Noise(); math.Abs(got-tt.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(tt.want) {
			t.Errorf("of %v: %v, want %v", tt.course.Runs, got, tt.want)
		}
	}
}
