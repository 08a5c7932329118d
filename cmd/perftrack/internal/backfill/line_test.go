package backfill

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/gitrepo"
)

func TestSpaced(t *testing.T) {
	for _, tt := range []struct {
		size, n    int
		have, want []int
	}{
		{1, 1, nil, []int{0}},
		{10, 1, nil, []int{9}},
		{10, 2, nil, []int{0, 9}},
		{9, 3, nil, []int{0, 4, 8}},
		{10, 4, nil, []int{0, 3, 6, 9}},
		{3, 20, nil, []int{0, 1, 2}},
		{101, 5, nil, []int{0, 25, 50, 75, 100}},
		{101, 5, []int{30, 49, 60, 88}, []int{0, 30, 49, 75, 100}}, // 88 is 13 away from 75, which is more than half a step
		{101, 5, []int{1, 99}, []int{0, 25, 50, 75, 100}},          // the ends are never replaced
		{105, 5, []int{0, 25, 50, 75, 100}, []int{0, 25, 50, 75, 104}},
	} {
		if got := spaced(tt.size, tt.n, tt.have); !slices.Equal(got, tt.want) {
			t.Errorf("spaced(%d, %d, %v) = %v, want %v", tt.size, tt.n, tt.have, got, tt.want)
		}
	}
}

// spaced returns the requested number of positions if there are enough, in order and without
// duplicates. Without known positions, the gaps differ by at most one.
func TestSpacedIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, n := rapid.IntRange(2, 300).Draw(t, "size"), rapid.IntRange(2, 400).Draw(t, "n")
		have := rapid.SliceOfN(rapid.IntRange(0, size-1), 0, 20).Draw(t, "have")
		got := spaced(size, n, nil)
		least, most := size, 0
		for i := 1; i < len(got); i++ {
			least, most = min(least, got[i]-got[i-1]), max(most, got[i]-got[i-1])
		}
		if len(got) != min(size, n) || least < 1 || most-least > 1 || got[0] != 0 || got[len(got)-1] != size-1 {
			t.Fatalf("%v", got)
		}
		with := spaced(size, n, have)
		if !slices.IsSorted(with) || len(slices.Compact(slices.Clone(with))) != len(got) {
			t.Fatalf("beside %v: %v in place of %v", have, with, got)
		}
	})
}

func TestPeriodic(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		name  string
		ages  []float64 // days, the oldest commit first
		every time.Duration
		want  []int
	}{
		{"one", []float64{0}, day, []int{0}},
		{"one a day", []float64{2, 1, 0}, day, []int{0, 1, 2}},
		{"the newest of each week", []float64{20, 15, 13, 8, 7, 6, 1, 0}, 7 * day, []int{1, 4, 7}},
		{"no commit for months", []float64{100, 0}, 7 * day, []int{0, 1}},
		{"a clock that was ahead", []float64{9, -300, 0}, 7 * day, []int{0, 2}},
		{"a clock that was behind", []float64{9, 8, 9000, 0}, 7 * day, []int{1, 2, 3}},
	} {
		var commits []gitrepo.Commit
		for _, age := range tt.ages {
			commits = append(commits, gitrepo.Commit{Time: time.Unix(1_800_000_000, 0).Add(-time.Duration(age * float64(day)))})
		}
		if got := periodic(commits, tt.every); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
