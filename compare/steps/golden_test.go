package steps

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shapes returns, by name, one line for each thing a course may show.
func shapes() map[string]*Line {
	long := noisy(1500)
	for i := range long {
		long[i].Run = fmt.Sprint(i)
	}
	all := map[string]*Line{"noisy, with steps": lineOf(long)}
	for name, values := range slopes() {
		switch name {
		case "0.5 % more of 200", "saturates", "a step in it", "settles after 6, +100 %, begins at 12":
			all[name] = noisyLine(values, 0.01, 3)
		}
	}
	all["steady"] = noisyLine(flat(300, 100), 0.02, 4)
	all["short"] = noisyLine(slices.Concat(flat(5, 100), flat(5, 120)), 0.02, 4)
	all["staircase"] = noisyLine(slices.Concat(flat(40, 100), flat(30, 104), flat(9, 120), flat(4, 90), flat(60, 100), flat(3, 130)), 0.01, 5)
	all["slow drift"] = noisyLine(slices.Concat(flat(100, 100), ramped(300, 100, 112), flat(100, 112)), 0.02, 6)
	r, x := rand.New(rand.NewPCG(7, 7)), 0.0
	lasting, zeros, counts := make([]float64, 400), make([]float64, 60), make([]float64, 80)
	for i := range lasting {
		x = 0.9*x + 0.02*r.NormFloat64()
		lasting[i] = math.Exp(x)
	}
	for i := range zeros {
		zeros[i] = float64(r.IntN(3) + i/30)
	}
	for i := range counts {
		counts[i] = float64(100 + 4*(i/20) + r.IntN(20)/19)
	}
	all["noise that lasts"] = noisyLine(lasting, 0.005, 8)
	all["with zeros"] = noisyLine(zeros, 0, 0)
	all["counts"] = NewLine(Options{Unit: "allocs/op", Better: -1, Exact: true, Repeats: 7})
	for i, v := range counts {
		all["counts"].Append(Point{Run: fmt.Sprint(i), Commit: fmt.Sprint("a", i), Value: v, Samples: 2})
	}
	return all
}

// describe returns a course as text, one line for each level, step and outlier.
func describe(c Course) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %+.6f since %q, drift %d; needs %d, %v\n", c.Stand.State, c.Stand.Change, c.Stand.Since.Run, c.Stand.Drift, c.Needs, c.Enough)
	for _, l := range c.Levels {
		fmt.Fprintf(&b, "level %d to %d: %.6g\n", l.First, l.End, l.Center)
	}
	for _, s := range c.Steps {
		fmt.Fprintf(&b, "%s from run %q to %q, drift %d: %.6g to %.6g, %+.6f [%.6f, %.6f], now %+.6f", s.Verdict, s.Last.Run, s.First.Run, s.Drift, s.From, s.To, s.Shift.Center, s.Shift.Lo, s.Shift.Hi, s.Now)
		fmt.Fprintf(&b, ", unresolved %v, recovers %v\n", s.Unresolved, s.Recovers)
	}
	for _, o := range c.Outliers {
		fmt.Fprintf(&b, "outlier %q: %+.6f, open %v\n", o.Run, o.Change, o.Open)
	}
	return b.String()
}

// The courses of known lines match the golden file.
func TestGoldenCourses(t *testing.T) {
	all := shapes()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "# %s\n%s\n", name, describe(all[name].Course()))
	}
	const file = "testdata/courses.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		got, want := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("line %d: %s, want %s", i+1, got[i], want[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}
