package stat

import (
	"math"
	"slices"
)

// nullRanks are distributions of a signed-rank statistic, if the signs are fair coins. The
// zero value is ready.
type nullRanks struct {
	lower  map[[2]int][]float64 // chance of each sum or less, by number and largest rank
	counts []float64            // scratch: of the subsets of the ranks, by their sum
}

const (
	// exactUntied and exactTied are the numbers of pairs up to which the distribution is
	// exact. Its table takes n²/2 sums, and n³/2 steps once for all without ties, but each
	// time anew with ties.
	//
	// Beyond, it is the normal one, corrected for ties and continuity. The true one has
	// thinner tails, by a factor of about exp(-3.6 z⁴ / 24 n): at n = 200 it is 0.9 of the
	// normal one at z = 2.3 and 0.6 at z = 5. So whatever is flagged so late is flagged on
	// the safe side.
	exactUntied, exactTied = 500, 200
)

// tails returns the chances that ranks with fair signs add up to at least up, and at least
// down, all of them twice as large, as ranks may share a half. Largest is the largest rank
// that there is without ties.
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
		// By symmetry, that the ranks that are left out add up to the rest or less.
		lower := d.untied(len(ranks), largest)
		return Tails{Up: lower[(total-up)/2], Down: lower[(total-down)/2]}
	}
	// The larger sum has the smaller chance, and its rest, which is no smaller than the
	// other sum, is all of the table that it takes.
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

// normalRanks is the normal approximation.
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

// untied returns the chance of each sum or less of the ranks 1 to n, none above largest.
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

// subsets returns the chance of each sum up to last that a random subset of the ranks has:
// the distribution of the statistic, by the usual recursion over the ranks. Chances and not
// numbers of subsets, of which a float64 holds no more than 2^1023.
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

// extreme returns how many of the sums from 0 up have together a chance of at most tail. Of
// ranks that are not capped that is the largest k for which the k-th smallest and the k-th
// largest Walsh average each bound the shift with an error of at most tail; 0 if not even the
// extremes do. It is exact without ties. With them it errs on the safe side where a tie counts
// for neither, as one at a Walsh average does, and as [SignedRank.least] has it of capped ranks.
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
