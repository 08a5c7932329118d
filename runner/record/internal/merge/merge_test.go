package merge

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// Samples are written in the order of their places, regardless of the order of the benchmarks.
func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []place
		lists := make([][]place, rapid.IntRange(0, 20).Draw(t, "benchmarks"))
		for i := range lists {
			for range rapid.IntRange(0, 9).Draw(t, "samples") {
				lists[i] = append(lists[i], place{rapid.IntRange(1, 12).Draw(t, "round"), rapid.IntRange(0, 5).Draw(t, "order"), i})
			}
			slices.SortFunc(lists[i], comparePlaces)
			want = append(want, lists[i]...)
		}
		slices.SortFunc(want, comparePlaces)
		var got []place
		InOrder(len(lists), func(i int) (int, int, bool) {
			if len(lists[i]) == 0 {
				return 0, 0, false
			}
			return lists[i][0].round, lists[i][0].order, true
		}, func(i int) {
			got, lists[i] = append(got, lists[i][0]), lists[i][1:]
		})
		if !slices.Equal(got, want) {
			t.Errorf("order %v, want %v", got, want)
		}
	})
}
