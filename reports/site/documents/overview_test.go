package documents

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare/steps"
	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
)

func TestSpark(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		values []float64
		want   string
	}{
		{"nothing", nil, ""},
		{"one", []float64{5}, "v"},
		{"zero", []float64{0, 0}, "uu"},
		{"the ends", []float64{1, 2}, "0Z"},
		{"the middle", []float64{0, 1, 0.5}, "0Zv"},
		{"none", []float64{1, nan, 2, math.Inf(1)}, "0.Z."},
		{"noise looks like noise", []float64{100, 101, 100}, "ryr"},
		{"negative", []float64{-2, -1}, "0Z"},
		{"small", []float64{1e-300, 2e-300}, "0Z"},
		{"large", []float64{1e300, 1.7e308}, "0Z"},
	} {
		if got, _ := spark(tt.values); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i)
	}
	many[500] = 1e9 // a single outlier does not change the median at its position
	text, places := spark(many)
	if len(text) != sparkPlaces || text[0] != '0' || text[sparkPlaces-1] != 'Z' || places[0] != 0 || places[999] != sparkPlaces-1 {
		t.Errorf("%q, places %v to %v", text, places[0], places[999])
	}
}

// For any values, a spark line has at most 40 characters, all from its alphabet. Larger values are
// not drawn below smaller ones, and later values are not placed before earlier ones.
func TestSparkProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64(), 0, 120).Draw(t, "values")
		text, places := spark(values)
		if len(text) != min(len(values), sparkPlaces) || len(places) != len(values) || !slices.IsSorted(places) || strings.Trim(text, sparkDigits+".") != "" {
			t.Fatalf("%q, places %v", text, places)
		}
		if len(values) > sparkPlaces {
			return
		}
		for i := range values {
			for k := range values {
				if values[i] < values[k] && strings.IndexByte(sparkDigits, text[i]) > strings.IndexByte(sparkDigits, text[k]) {
					t.Fatalf("%v is drawn above %v in %q", values[i], values[k], text)
				}
			}
		}
	})
}

// historyOf returns the history of a benchmark with one run per commit. The values are the measured
// times in ns. If change is not nil, it can modify each point.
func historyOf(values []float64, change func(i int, p *record.HistoryPoint)) History {
	h := History{First: true, Series: steps.Series{Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/p", Name: "X"}}}
	for i, v := range values {
		p := record.HistoryPoint{Run: &record.RunInfo{
			ID: fmt.Sprintf("%064x", i+1), Seq: int64(i + 1), EnvironmentID: "e", Benchmarks: 1,
			Run: record.Run{Target: "t", Status: record.Complete, Commit: record.Commit{SHA: fmt.Sprintf("%040x", i+1)}, End: time.Unix(int64(1000*(i+1)), 0)},
		}}
		p.Benchmark = record.Benchmark{BenchmarkID: h.BenchmarkID}
		for n := range 3 {
			p.Benchmark.Rounds = append(p.Benchmark.Rounds, record.Round{N: n + 1})
		}
		p.Benchmark.Samples = []record.Samples{{Unit: "ns/op", Values: []float64{v, math.NaN(), v}}, {Unit: "MB/s", Values: []float64{1, 1, 1}}}
		if change != nil {
			change(i, &p)
		}
		h.Points = append(h.Points, p)
	}
	h.Lines = steps.UnitLines(steps.UnitsOf(h.Points), steps.Options{Threshold: 0.05})
	return h
}

// places returns a Lookup for commits and runs by their numbers in historyOf.
func places() Lookup {
	number := func(name string) int {
		n := 0
		if _, err := fmt.Sscanf(name, "%x", &n); err != nil {
			return -1
		}
		return n - 1
	}
	return Lookup{Commit: number, Run: number, Environment: func(id string) int { return strings.Index("ef", id) }, Benchmark: func(string, record.BenchmarkID) int { return 0 }}
}

// repeat returns values for pairs of n and v: n values within 0.4 % of v.
func repeat(pairs ...float64) (values []float64) {
	for i := 0; i < len(pairs); i += 2 {
		for k := range int(pairs[i]) {
			values = append(values, pairs[i+1]*(1+0.002*float64(k%3)))
		}
	}
	return values
}

func TestRows(t *testing.T) {
	accepted := func(string, string) bool { return true }
	for _, tt := range []struct {
		name     string
		values   []float64
		accepted func(last, first string) bool
		state    string
		change   float64
		at       int
		marks    int
	}{
		{"too few", repeat(2, 100), nil, "too-few", 0, -1, 0},
		{"steady", repeat(20, 100), nil, "steady", 0, -1, 0},
		{"regressed", repeat(10, 100, 10, 150), nil, "regressed", 0.5, 10, 1},
		{"improved", repeat(10, 150, 10, 100), nil, "improved", -0.333, 10, 1},
		{"recovered", repeat(10, 100, 10, 150, 10, 100), nil, "recovered", -0.333, 20, 2},
		{"newest far off", repeat(20, 100, 1, 135), nil, "off", 0.35, 20, 0},
		{"accepted", repeat(10, 100, 10, 150), accepted, "accepted", 0.5, 10, 1},
		{"unresolved before a later gain", repeat(10, 100, 10, 200, 10, 150), nil, "regressed", 0.5, 10, 2},
		{"two steps", repeat(10, 100, 10, 110, 10, 126.5), nil, "regressed", 0.265, 10, 2},
	} {
		h := historyOf(tt.values, nil)
		h.Lines = steps.UnitLines(steps.UnitsOf(h.Points), steps.Options{Threshold: 0.05, Accepted: tt.accepted})
		rows := NewRows(h, places())
		if len(rows) != 1 {
			t.Fatalf("%s: %d rows; MB/s follows from the time", tt.name, len(rows))
		}
		r := rows[0]
		if r.State != tt.state || r.ChangeAt != tt.at || len(r.Marks) != tt.marks || r.Runs != len(tt.values) || r.Last != len(tt.values)-1 || r.Unit != "sec/op" || r.Better != -1 {
			t.Errorf("%s: %+v", tt.name, r)
		}
		if (r.Change == nil) != (tt.change == 0) || r.Change != nil && math.Abs(*r.Change-tt.change) > 0.01 {
			t.Errorf("%s: change %v, want %v", tt.name, r.Change, tt.change)
		}
		if last := tt.values[len(tt.values)-1] * 1e-9; r.Level == nil || math.Abs(*r.Level/last-1) > 1e-4 {
			t.Errorf("%s: level %v, want %v", tt.name, r.Level, last)
		}
	}
}

// A row includes only points that may be part of a history. A document has all points and marks
// those excluded from the history.
func TestPointsAside(t *testing.T) {
	h := historyOf(repeat(10, 100, 10, 150), func(i int, p *record.HistoryPoint) {
		switch i {
		case 3:
			p.Run.Status = record.Partial
		case 4:
			p.Run.Commit.Dirty = true
		case 5:
			p.CarriedFrom = "aa"
		}
	})
	if r := NewRows(h, places())[0]; r.Runs != 17 || r.State != "regressed" || r.ChangeAt != 10 {
		t.Errorf("row %+v", r)
	}
	lines := NewLines(h, places())
	if len(lines) != 2 || lines[0].Derived || !lines[1].Derived || lines[1].Unit != "B/s" {
		t.Fatalf("lines %+v", lines)
	}
	l := lines[0]
	if len(l.Value) != 20 || !slices.Equal(l.Aside, []int{3, 4}) || !slices.Equal(l.Carried, []int{5}) || len(l.Levels) != 2 || len(l.Steps) != 1 {
		t.Fatalf("line %+v", l)
	}
	if s := l.Steps[0]; s.Last != 9 || s.First != 10 || s.State != "regressed" || l.Levels[0].First != 0 || l.Levels[0].End != 10 || l.Levels[1].First != 10 || l.Levels[1].End != 20 {
		t.Errorf("step %+v, levels %+v", s, l.Levels)
	}
	for i := range l.Value {
		if l.Commit[i] != i || l.Run[i] != i || l.N[i] != 2 {
			t.Errorf("point %d is of commit %d, run %d, with %d samples", i, l.Commit[i], l.Run[i], l.N[i])
		}
	}
	newest := l.Samples[len(l.Samples)-1]
	if len(l.Samples) != 20 || len(newest) != 3 || !math.IsNaN(float64(newest[1])) || math.Abs(float64(newest[0])/150.0e-9-1) > 0.01 {
		t.Errorf("samples %v", l.Samples)
	}

	// Rows and lines on another branch name the branch. If its name is unknown, they say "another
	// branch".
	h.First = false
	if l, r := NewLines(h, places())[0], NewRows(h, places())[0]; l.Branch != "another branch" || r.Branch != "another branch" {
		t.Errorf("branches %q and %q", l.Branch, r.Branch)
	}
}

// The most recently measured environment comes first, and two environments are never joined into
// one line.
func TestEnvironmentsApart(t *testing.T) {
	h := historyOf(repeat(20, 100), func(i int, p *record.HistoryPoint) {
		if i%2 == 1 {
			p.Run.EnvironmentID = "f"
		}
	})
	lines := NewLines(h, places())
	if len(lines) != 4 || lines[0].Environment != 1 || lines[2].Environment != 0 || len(lines[0].Value) != 10 || lines[0].Commit[0] != 1 {
		t.Errorf("lines %+v", lines)
	}
}
