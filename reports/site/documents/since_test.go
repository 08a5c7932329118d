package documents

import "testing"

// A page with only the newest commits has the same points and steps for them as the whole page.
func TestSince(t *testing.T) {
	var l Line
	for i := range 48 {
		l.Commit, l.Run, l.N, l.Value = append(l.Commit, i), append(l.Run, 47-i), append(l.N, 6), append(l.Value, Number(i))
	}
	l.Lo, l.Hi = l.Value, l.Value
	l.Samples = make([]Numbers, 20)
	l.Carried, l.Aside, l.Levelled = []int{3, 40}, []int{38}, []int{2, 46}
	l.Levels = []Level{{0, 12, 1}, {12, 40, 2}, {40, 48, 3}}
	l.Steps = []Step{{Last: 11, First: 12}, {Last: 37, First: 38}, {Last: 39, First: 40, Change: 0.35}}
	l.Outliers = []Outlier{{Point: 30}, {Point: 47, Open: true}}
	got := (&Benchmark{ID: "x", Lines: []Line{l, {Commit: []int{2}, Run: []int{1}, N: []int{1}, Value: []Number{1}, Lo: []Number{1}, Hi: []Number{1}}}}).Since(38)
	if len(got.Lines) != 1 {
		t.Fatalf("%d lines, want that which has a point since", len(got.Lines))
	}
	c := got.Lines[0]
	if len(c.Commit) != 10 || c.Commit[0] != 38 || c.Value[0] != 38 || len(c.Hi) != 10 || len(c.Run) != 10 || len(c.Samples) != 10 || len(c.Ratio) != 0 {
		t.Errorf("points %v, %d samples", c.Commit, len(c.Samples))
	}
	if len(c.Carried) != 1 || c.Carried[0] != 2 || len(c.Aside) != 1 || c.Aside[0] != 0 {
		t.Errorf("carried over %v, aside %v", c.Carried, c.Aside)
	}
	if len(c.Levelled) != 1 || c.Levelled[0] != 8 {
		t.Errorf("levelled %v, want point 8", c.Levelled)
	}
	if len(c.Levels) != 2 || c.Levels[0] != (Level{0, 2, 2}) || c.Levels[1] != (Level{2, 10, 3}) {
		t.Errorf("levels %v", c.Levels)
	}
	if len(c.Steps) != 1 || c.Steps[0].Last != 1 || c.Steps[0].First != 2 || c.Steps[0].Change != 0.35 {
		t.Errorf("steps %+v", c.Steps)
	}
	if len(c.Outliers) != 1 || c.Outliers[0].Point != 9 {
		t.Errorf("outliers %+v", c.Outliers)
	}
	if none := (&Benchmark{}).Since(38); none.Lines == nil {
		t.Error("no lines are null in JSON")
	}
	if len(l.Commit) != 48 || l.Steps[2].Last != 39 {
		t.Error("the whole was changed")
	}
}
