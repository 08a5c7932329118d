package stat

import (
	"math"
	"slices"
)

// nullRanks computes distributions of a signed-rank statistic whose signs are fair coins. The zero
// value is ready for use.
type nullRanks struct {
	lower  map[[2]int][]float64 // cumulative probability of each sum, by number of ranks and largest rank
	counts []float64            // scratch: probabilities of the sums of subsets of the ranks
}

const (
	// exactUntied and exactTied are the largest numbers of pairs with an exact distribution.
	// Computing its n²/2 probabilities takes n³/2 steps, once for all tests without ties and again
	// for each test with ties.
	//
	// For more pairs, the normal distribution is used, corrected for ties and continuity. The true
	// distribution has thinner tails, by a factor of about exp(-3.6 z⁴ / 24 n): for n = 200 it is
	// 0.9 of the normal one at z = 2.3 and 0.6 at z = 5. So flags after that many rounds are
	// conservative.
	exactUntied, exactTied = 500, 200
)

// tails returns the probabilities that ranks with fair signs add up to at least up and to at least
// down. The ranks and both sums are doubled, because tied ranks may be halves. largest is the
// largest rank without ties.
func (d *nullRanks) tails(ranks []int, up, down int, tied bool, largest int) Tails {
	total := 0
	for _, r := range ranks {
		total += r
	}
	limit := exactUntied
	if tied {
		limit = exactTied
	}
	switch {
	case len(ranks) == 0:
		return Tails{1, 1}
	case len(ranks) > limit:
		return normalRanks(ranks, total, up, down)
	case !tied:
		// By symmetry, this is the probability that the other ranks add up to the remainder or
		// less.
		lower := d.untied(len(ranks), largest)
		return Tails{Up: lower[(total-up)/2], Down: lower[(total-down)/2]}
	}
	// The larger sum has the smaller probability. The table only needs to reach up to its
	// remainder, and the other sum is no larger.
	most, least := max(up, down), min(up, down)
	p := d.subsets(ranks, total-most)
	small := sumOf(p)
	large := min(1, 1-sumOf(p[:min(least, len(p))])) // 1 - P(sum < least)
	switch {
	case up == down:
		return Tails{Up: small, Down: small}
	case most == up:
		return Tails{Up: small, Down: large}
	}
	return Tails{Up: large, Down: small}
}

func sumOf(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	return min(1, sum)
}

// normalRanks returns the normal approximation of the tails.
func normalRanks(ranks []int, total, up, down int) Tails {
	squares, step := 0.0, 2
	for _, r := range ranks {
		squares += float64(r) * float64(r)
		if r%2 != 0 {
			step = 1
		}
	}
	sigma := math.Sqrt(squares) / 2
	tail := func(sum int) float64 {
		return math.Erfc((float64(sum)-float64(step)/2-float64(total)/2)/sigma/math.Sqrt2) / 2
	}
	return Tails{Up: tail(up), Down: tail(down)}
}

// untied returns, for each sum, the probability that a random subset of the ranks 1 to n, capped at
// largest, adds up to at most that sum.
func (d *nullRanks) untied(n, largest int) []float64 {
	key := [2]int{n, largest}
	if lower, ok := d.lower[key]; ok {
		return lower
	}
	ranks, total := make([]int, n), 0
	for i := range ranks {
		ranks[i] = min(i+1, largest)
		total += ranks[i]
	}
	lower := slices.Clone(d.subsets(ranks, total))
	for i := 1; i < len(lower); i++ {
		lower[i] = min(1, lower[i]+lower[i-1])
	}
	if d.lower == nil {
		d.lower = map[[2]int][]float64{}
	}
	d.lower[key] = lower
	return lower
}

// subsets returns, for each sum up to last, the probability that a random subset of the ranks has
// this sum. This is the distribution of the statistic, computed by the usual recursion over the
// ranks. It works with probabilities, because the numbers of subsets overflow float64 beyond
// 2^1023.
func (d *nullRanks) subsets(ranks []int, last int) []float64 {
	d.counts = slices.Grow(d.counts[:0], last+1)[:last+1]
	clear(d.counts)
	d.counts[0] = 1
	top := 0
	for _, r := range ranks {
		top = min(top+r, last)
		for k := top; k >= r; k-- {
			d.counts[k] = (d.counts[k] + d.counts[k-r]) / 2
		}
		for k := min(top, r-1); k >= 0; k-- {
			d.counts[k] /= 2
		}
	}
	return d.counts
}

// extreme returns how many sums, from 0 up, together have a probability of at most tail. For
// uncapped ranks this is the largest k such that the k-th smallest and the k-th largest Walsh
// average each bound the shift with an error of at most tail, or 0. It is exact without ties. With
// ties it is conservative if a tie counts for neither side, as at a Walsh average, or if capped
// ranks are summed by [SignedRank.least].
func (d *nullRanks) extreme(n, largest int, tail float64) int {
	if n > exactUntied {
		mean, squares := 0.0, 0.0
		for i := range n {
			r := float64(min(i+1, largest))
			mean, squares = mean+r/2, squares+r*r
		}
		return max(0, int(math.Floor(mean-0.5-NormalQuantile(tail)*math.Sqrt(squares)/2))+1)
	}
	lower := d.untied(n, largest)
	k := 0
	for 2*k < len(lower) && lower[k] <= tail {
		k++
	}
	return k
}
