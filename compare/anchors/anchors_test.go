package anchors_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
)

// pointOf returns the point of a run in a trial. It has one sample per round, and the rounds are
// numbered from 1.
func pointOf(side record.Side, commit string, samples ...record.Samples) record.HistoryPoint {
	p := record.HistoryPoint{Run: &record.RunInfo{}, Benchmark: record.Benchmark{Samples: samples}}
	p.Run.Trial, p.Run.Side, p.Run.Commit.SHA = "t", side, commit
	for i := range samples[0].Values {
		p.Benchmark.Rounds = append(p.Benchmark.Rounds, record.Round{N: i + 1})
	}
	return p
}

func TestRelative(t *testing.T) {
	nan := math.NaN()
	of := func(unit string, values ...float64) record.Samples { return record.Samples{Unit: unit, Values: values} }
	list := func(s ...record.Samples) []record.Samples { return s }
	for _, tt := range []struct {
		name         string
		head, anchor []record.Samples
		exact        string // a unit that head declares exact
		want         string // each unit with its center and number of rounds
	}{
		{"round by round", list(of("ns/op", 10, 40, 90)), list(of("ns/op", 10, 20, 30)), "", "sec/op ratio 2 of 3"},
		{"not the ratio of medians", list(of("ns/op", 10, 200, 30)), list(of("ns/op", 10, 100, 300)), "", "sec/op ratio 1 of 3"},
		{"an even number, by logarithms", list(of("ns/op", 1, 4)), list(of("ns/op", 1, 1)), "", "sec/op ratio 2 of 2"},
		{"a round that one side lacks", list(of("ns/op", 10, 20, nan)), list(of("ns/op", 20, nan, 30)), "", "sec/op ratio 0.5 of 1"},
		{"a side that ended early", list(of("ns/op", 10, 20, 30)), list(of("ns/op", 20)), "", "sec/op ratio 0.5 of 1"},
		{"0 has no ratio", list(of("ns/op", 0, 20)), list(of("ns/op", 20, 0)), "", ""},
		{"counts do not depend on the host", list(of("ns/op", 3), of("B/op", 16), of("allocs/op", 2)), list(of("ns/op", 1), of("B/op", 8), of("allocs/op", 1)), "", "sec/op ratio 3 of 1"},
		{"nor does what is exact", list(of("ns/op", 3), of("size", 4)), list(of("ns/op", 1), of("size", 2)), "size", "sec/op ratio 3 of 1"},
		{"what follows from the time", list(of("ns/op", 3), of("GFLOPS", 1)), list(of("ns/op", 1), of("GFLOPS", 3)), "", "sec/op ratio 3 of 1"},
		{"without the time", list(of("GFLOPS", 1)), list(of("GFLOPS", 4)), "", "GFLOPS ratio 0.25 of 1"},
		{"a unit that the anchor lacks", list(of("ns/op", 3), of("ttft-ns", 1)), list(of("ns/op", 1)), "", "sec/op ratio 3 of 1"},
	} {
		head, anchor := pointOf(record.Head, "b", tt.head...), pointOf(record.Base, "a", tt.anchor...)
		if tt.exact != "" {
			head.Run.Units = []record.Unit{{Name: tt.exact, Exact: true}}
		}
		p, ok := anchors.Relative(&head, &anchor)
		var got []string
		for _, s := range p.Benchmark.Samples {
			if len(s.Values) != len(p.Benchmark.Rounds) {
				t.Errorf("%s: %d values, %d rounds", tt.name, len(s.Values), len(p.Benchmark.Rounds))
			}
			sum, unit := compare.Summarize(s, p.Run.Exact(s.Unit), 0.95)
			got = append(got, fmt.Sprintf("%s %.6g of %d", unit, sum.Center, sum.N))
		}
		if strings.Join(got, ", ") != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, ok, tt.want)
		}
	}
}

// A ratio inherits its unit's better direction, keeps the run's identity, and applies to all hosts
// of the same kind.
func TestRelativeRun(t *testing.T) {
	head, anchor := pointOf(record.Head, "b", record.Samples{Unit: "words/s", Values: []float64{4}}), pointOf(record.Base, "a", record.Samples{Unit: "words/s", Values: []float64{2}})
	head.Run.ID, head.Run.Units = "id", []record.Unit{{Name: "words/s", Better: +1}}
	head.Run.Env = record.Settings{{Key: "cpu", Value: "x"}, {Key: "cpu-governor", Value: "powersave"}, {Key: "goversion", Value: "go1.26"}, {Key: "machine", Value: "left"}}
	env := slices.Clone(head.Run.Env)
	p, _ := anchors.Relative(&head, &anchor)
	want := record.Settings{{Key: "cpu", Value: "x"}, {Key: "goversion", Value: "go1.26"}}
	if !slices.Equal(p.Run.Env, want) || p.Run.EnvironmentID != want.EnvironmentID() || p.Run.ID != "id" || p.Run.Commit.SHA != "b" {
		t.Errorf("run %+v", p.Run)
	}
	if got := p.Run.Better("words/s ratio"); got != +1 {
		t.Errorf("better %d", got)
	}
	if !slices.Equal(head.Run.Env, env) || head.Benchmark.Samples[0].Unit != "words/s" {
		t.Errorf("the head was changed: %+v", head)
	}
}

func TestFindAnchor(t *testing.T) {
	point := func(trial string, side record.Side, commit, env string) record.HistoryPoint {
		p := pointOf(side, commit, record.Samples{})
		p.Run.Trial = trial
		for _, one := range strings.Fields(env) {
			key, value, _ := strings.Cut(one, "=")
			p.Run.Env = p.Run.Env.Set(key, value)
		}
		return p
	}
	points := []record.HistoryPoint{
		point("t1", record.Base, "aa11", "cpu=x gomaxprocs=1"), point("t1", record.Base, "aa11", "cpu=x gomaxprocs=2"),
		point("t2", record.Base, "bb22", "cpu=x"), point("t3", record.Head, "aa11", "cpu=x"), point("t4", record.Base, "aa11", "cpu=y"),
	}
	for _, tt := range []struct {
		head   record.HistoryPoint
		commit string
		want   int // index in points, or -1 for none
	}{
		{point("t1", record.Head, "cc", "cpu=x gomaxprocs=1"), "aa11", 0},
		{point("t1", record.Head, "cc", "cpu=x gomaxprocs=2"), "aa11", 1},
		{point("t1", record.Head, "cc", "cpu=x gomaxprocs=2 goversion=go1.27"), "aa", 1}, // the toolchain is part of the change
		{point("t1", record.Head, "cc", "cpu=x gomaxprocs=1"), "bb22", -1},
		{point("t2", record.Head, "cc", "cpu=x"), "", 2}, // any anchor
		{point("t3", record.Head, "aa11", "cpu=x"), "aa11", -1},
		{point("t4", record.Head, "cc", "cpu=x"), "aa11", -1}, // runs on two machines are not a trial, even if their ids agree
	} {
		got := slices.IndexFunc(points, func(p record.HistoryPoint) bool {
			found := anchors.Find(&tt.head, points, tt.commit)
			return found != nil && reflect.DeepEqual(*found, p)
		})
		if got != tt.want {
			t.Errorf("trial %s, %v beside %q: point %d, want %d", tt.head.Run.Trial, tt.head.Run.Env, tt.commit, got, tt.want)
		}
	}
}

func TestAnchored(t *testing.T) {
	for _, tt := range []struct {
		trial, procedure string
		side             record.Side
		anchored, anchor bool
	}{
		{"t", "anchor", record.Head, true, false},
		{"t", "anchor", record.Base, false, true},
		{"t", "", record.Head, true, false},
		{"t", "", record.Base, false, false},
		{"t", "check", record.Head, false, false},
		{"t", "calibrate", record.Head, false, false},
		{"", "", record.NoSide, false, false},
	} {
		r := &record.Run{Trial: tt.trial, Side: tt.side, Protocol: record.Protocol{Procedure: tt.procedure}}
		if a, b := anchors.Fits(r), anchors.Is(r); a != tt.anchored || b != tt.anchor {
			t.Errorf("%+v: anchored %v, an anchor %v", tt, a, b)
		}
	}
}
