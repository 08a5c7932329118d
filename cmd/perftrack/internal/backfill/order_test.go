package backfill

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest" // the same draws in each run
)

// The newest commit comes first, then the oldest, and then the gaps are halved.
func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		name             string
		candidates, have []int
		want             []int // positions
	}{
		{"nothing", nil, nil, nil},
		{"one", []int{0}, nil, []int{0}},
		{"two", []int{0, 1}, nil, []int{1, 0}},
		{"nine", []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, nil, []int{8, 0, 4, 6, 2, 7, 5, 3, 1}},
		{"all there", []int{2, 3}, []int{3, 2}, nil},
		{"the newest is new", []int{0, 1, 2, 3, 4}, []int{0, 2, 4, 3}, []int{1}},
		{"around what is there", []int{0, 4, 8}, []int{5}, []int{0, 8, 4}},
		{"tags lie where they lie", []int{0, 90, 91, 100}, nil, []int{100, 0, 90, 91}},
	} {
		if got := visits(tt.candidates, tt.have); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func visits(candidates, have []int) (positions []int) {
	o := newOrder(candidates, have)
	for {
		i, ok := o.next()
		if !ok {
			return positions
		}
		positions = append(positions, candidates[i])
	}
}

// Each candidate not in have is visited once. Wherever the order is cut off, the largest distance
// from a candidate to a visited position is at most twice the smallest distance possible for that
// number of positions.
func TestOrderIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		position := rapid.IntRange(0, 30)
		candidates := rapid.SliceOfNDistinct(position, 1, 9, rapid.ID).Draw(t, "candidates")
		have := rapid.SliceOfN(position, 0, 3).Draw(t, "have")
		slices.Sort(candidates)
		got := visits(candidates, have)
		var want []int
		for _, c := range candidates {
			if !slices.Contains(have, c) {
				want = append(want, c)
			}
		}
		once := slices.Clone(got)
		if slices.Sort(once); !slices.Equal(once, want) {
			t.Fatalf("visited %v, want each of %v once", got, want)
		}
		for n := range got {
			at := append(slices.Clone(have), got[:n]...)
			if len(at) == 0 {
				continue
			}
			best := far
			for choice := range 1 << len(candidates) {
				if bits.OnesCount(uint(choice)) != n {
					continue
				}
				points := slices.Clone(have)
				for i, c := range candidates {
					if choice>>i&1 == 1 {
						points = append(points, c)
					}
				}
				best = min(best, farthest(candidates, points))
			}
			if is := farthest(candidates, at); is > 2*best {
				t.Fatalf("after %v one lies %d away, %d would do", at, is, best)
			}
		}
	})
}

// farthest returns the largest distance from a candidate to its nearest point.
func farthest(candidates, points []int) (longest int) {
	for _, c := range candidates {
		nearest := far
		for _, p := range points {
			nearest = min(nearest, max(c-p, p-c))
		}
		longest = max(longest, nearest)
	}
	return longest
}
