package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
)

// ramped returns n values on a straight line between two values.
func ramped(n int, from, to float64) (out []float64) {
	for i := range n {
		out = append(out, from+(to-from)*float64(i)/float64(n-1))
	}
	return out
}

// changesOf lists the changes in a course. For drifts, it includes the commits at both ends.
func changesOf(c Course) string {
	var out []string
	for _, s := range c.Steps {
		word := fmt.Sprintf("%s %+.0f%%", s.Verdict, 100*s.Shift.Center)
		if s.Drift > 0 {
			word += fmt.Sprintf(" drift %s..%s", s.Last.Commit, s.First.Commit)
		}
		switch {
		case s.Unresolved:
			word += " unresolved"
		case s.Accepted:
			word += " accepted"
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}

func TestDrift(t *testing.T) {
	opt := Options{Unit: "sec/op", Better: -1}
	acceptedIn := func(commit string) Options {
		o := opt
		o.Accepted = func(_, first string) bool { return first == commit }
		return o
	}
	for _, tt := range []struct {
		name   string
		opt    Options
		values []float64
		want   string
	}{
		{"slower and slower", opt, ramped(100, 100, 110), "regressed +10% drift a0..a99 unresolved"},
		{"faster and faster", opt, ramped(100, 100, 90), "improved -10% drift a0..a99"},
		{"less than matters", opt, ramped(100, 100, 102), ""},
		{"back at once", opt, slices.Concat(ramped(100, 100, 110), flat(20, 100)), "regressed +10% drift a0..a99, improved -9%"},
		{"and a step", opt, slices.Concat(ramped(100, 100, 110), flat(20, 140)), "regressed +10% drift a0..a99 unresolved, regressed +27% unresolved"},
		{"three steps", opt, slices.Concat(flat(30, 100), flat(30, 104), flat(30, 108), flat(30, 112)), "regressed +4% unresolved, regressed +4% unresolved, regressed +4% unresolved"},
		{"short", opt, slices.Concat(flat(20, 100), ramped(6, 101, 109), flat(20, 110)), "regressed +10% unresolved"},
		{"accepted", acceptedIn("a99"), ramped(100, 100, 110), "regressed +10% drift a0..a99 accepted"},
		{"accepted shortly before", acceptedIn("a90"), ramped(100, 100, 110), "regressed +10% drift a0..a99 accepted"},
		{"accepted half way", acceptedIn("a50"), ramped(100, 100, 110), "regressed +10% drift a0..a99 unresolved"},
		{"of counts", Options{Unit: "allocs/op", Better: -1, Exact: true}, ramped(3, 100, 200), "regressed +50% unresolved, regressed +33% unresolved"},
	} {
		if got := changesOf(course(tt.opt, tt.values...)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A drift between two levels begins with the last run of one and ends with the first run of the
// other. The runs in between belong to neither level.
func TestDriftBetweenLevels(t *testing.T) {
	c := course(Options{Unit: "sec/op", Better: -1}, slices.Concat(flat(60, 100), ramped(61, 100, 110), flat(60, 110))...)
	if len(c.Steps) != 1 || len(c.Levels) != 2 || len(c.Outliers) != 0 {
		t.Fatalf("%+v", c)
	}
	s, before, after := c.Steps[0], c.Levels[0], c.Levels[1]
	if s.Last != c.Runs[before.End-1] || s.First != c.Runs[after.First] || after.First-before.End+1 != s.Drift || after.End != 181 {
		t.Errorf("drift of %d runs from %v to %v, levels %+v", s.Drift, s.Last, s.First, c.Levels)
	}
	if math.Abs(float64(before.End-60)) > 4 || math.Abs(float64(after.First-120)) > 4 || math.Abs(s.Now-0.1) > 0.002 {
		t.Errorf("levels %+v and now %+.3f, want a drift from run 60 to 120 by 10 %%", c.Levels, s.Now)
	}
}

// The Shift of a step or drift agrees with its From and To in all kinds of lines.
func TestChangeAgreesWithFromAndTo(t *testing.T) {
	seen := [2]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		noise := rapid.SampledFrom([]float64{0.001, 0.01}).Draw(t, "noise")
		wander := rapid.SampledFrom([]float64{0, 0.003, 0.01}).Draw(t, "wander")
		slope := rapid.SampledFrom([]float64{0, 0.0005, -0.001}).Draw(t, "slope")
		l, level := NewLine(Options{Unit: "sec/op", Better: -1}), 0.0
		for i := range rapid.IntRange(6, 200).Draw(t, "n") {
			level += slope + wander*r.NormFloat64()
			if r.IntN(60) == 0 {
				level += 0.06 * r.NormFloat64()
			}
			l.Append(Point{Run: fmt.Sprint(i), Commit: fmt.Sprint(i), Value: math.Exp(level + noise*r.NormFloat64())})
		}
		c := l.Course()
		for i, s := range c.Steps {
			seen[min(1, s.Drift)]++
			up := s.To > s.From
			if s.Shift.Absolute || s.Shift.Center != s.To/s.From-1 || !(s.Shift.Lo <= s.Shift.Center && s.Shift.Center <= s.Shift.Hi) || (s.Verdict == compare.Regressed) != up {
				t.Fatalf("%s of %+v from %v to %v", s.Verdict, s.Shift, s.From, s.To)
			}
			if i > 0 && order(s.First) <= order(c.Steps[i-1].First) || order(s.Last) >= order(s.First) || s.Drift > 0 && order(s.First)-order(s.Last) != s.Drift {
				t.Fatalf("steps %+v", c.Steps)
			}
		}
		end := 0
		for _, v := range c.Levels {
			if v.First < end || v.End <= v.First {
				t.Fatalf("levels %+v", c.Levels)
			}
			end = v.End
		}
	})
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("%d steps and %d drifts", seen[0], seen[1])
	}
}

// order returns a run's position, parsed from its name.
func order(m Point) (n int) {
	_, _ = fmt.Sscan(m.Run, &n)
	return n
}
