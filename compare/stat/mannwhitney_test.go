package stat

import (
	"math"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

// For samples too large for the exact distribution, the normal distribution is a good
// approximation.
func TestNormalApproximation(t *testing.T) {
	for _, u := range []int{1300, 1500, 1700, 1799} {
		exact := stats.UDist{N1: 60, N2: 60}.CDF(float64(u))
		if got := uCDF(60, 60, u); math.Abs(got-exact) > 8e-4 {
			t.Errorf("P(U <= %d) is %v, exactly %v", u, got, exact)
		}
	}
}

// The counted orders give the same ranks as the distribution of the library.
func TestRankIsThatOfDistribution(t *testing.T) {
	sizes := [][2]int{{30, 30}, {29, 31}, {30, 31}, {1, 59}}
	for n1 := 1; n1 <= 13; n1++ {
		for n2 := 1; n2 <= 13; n2++ {
			sizes = append(sizes, [2]int{n1, n2})
		}
	}
	for _, n := range sizes {
		for _, tail := range []float64{0.01, 0.025, 0.05} {
			k := uRank(n[0], n[1], tail)
			if k > 0 && uCDF(n[0], n[1], k-1) > tail || k < n[0]*n[1]/2 && uCDF(n[0], n[1], k) <= tail {
				t.Errorf("rank %d for %d and %d samples and tail %v", k, n[0], n[1], tail)
			}
		}
	}
}
