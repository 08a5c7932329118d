package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// All groups with hypotheses share one error rate, and typical rounds get at least four fifths of
// it.
func TestGroupsShareOneRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n sizes
		for i := range n {
			n[i] = rapid.IntRange(0, 50).Draw(t, "hypotheses")
		}
		n[0]++ // a series with a mean always has a typical round, too
		sum, spent := 0.0, 0.0
		for i := range n {
			if n[i] > 0 {
				sum += n.weight(i)
				spent += float64(n[i]) / n.sharing(i, 1)
			}
		}
		if sum > 1+1e-12 || math.Abs(sum-spent) > 1e-12 || n.weight(0)+n.weight(1)*float64(min(n[1], 1)) < 0.8-1e-12 {
			t.Fatalf("%v: weights of %v in all, %v spent", n, sum, spent)
		}
	})
}
