package slicing

import (
	"cmp"
	"math"
	"slices"
)

// An Estimator makes one value of the slices of a round: it selects slices, and the two sides
// are compared by the sums over these. Each selection is the same when the sides change
// places, to the last bit. So where both behave the same and a fair coin decides which is first,
// the sign of a round's value is the coin's, and a test of signed ranks is exact with any of
// them.
type Estimator string

const (
	// Sum drops the pairs whose ratio is off, both slices or none: what disturbed one slice and
	// not the other. It sees what costs time in some slices only.
	Sum Estimator = "sum"

	// Trimmed is of the three fifths of the pairs in the middle, by their ratio.
	Trimmed Estimator = "trimmed"

	// Median is of the fifth in the middle: what happens in the typical slice. It is sharp where
	// a machine has long bursts of other work, and does not see what happens in a few slices.
	Median Estimator = "median"

	// Quiet is of the quickest tenth of each side's slices: by far the sharpest where other
	// programs take the CPU from many of them, and blind to what happens in the others.
	Quiet Estimator = "quiet"

	// All drops nothing: for a benchmark that itself takes longer now and then.
	All Estimator = "all"
)

const (
	// leastPairs is how many pairs of slices a round needs.
	leastPairs = 8

	// offLimit is how many standard deviations a pair may lie from the median of its round
	// before it is off, and offLeast how far it may lie in any case: times are printed with
	// four digits, and of equal ones the deviation is 0.
	offLimit, offLeast = 5, 0.01

	// leaning is the chance below which pairs that are off lean too much to one side to come
	// from the machine.
	leaning = 0.01

	// normalMAD times the median absolute deviation is the standard deviation, of normal
	// values.
	normalMAD = 1.4826
)

// A selection is what an estimator makes of the pairs of slices of a round.
type selection struct {
	kept [2][]int // which slices of each side; nil if there are too few pairs

	// spread is the standard deviation of the log ratios of all pairs, by their median
	// absolute deviation.
	spread float64

	// lower and higher are how often ratios are off, downwards and upwards. Where both sides
	// behave the same, either is as likely as the other.
	lower, higher int
}

// of selects from pairs of times, base's and head's. Those without a time are never kept.
func (e Estimator) of(times [][2]float64) selection {
	r := ratiosOf(times)
	if len(r.values) < leastPairs {
		return selection{}
	}
	s := selection{spread: r.spread}
	s.lower, s.higher = r.off()
	low, high := r.sorted[0], r.sorted[len(r.sorted)-1]
	// Where ratios are off nearly all to one side all stay: they are what that side does now
	// and then, and not the machine's doing.
	if signTest(s.lower, s.higher) >= leaning {
		switch n := len(r.sorted); e {
		case Sum:
			low, high = r.middle-r.limit(), r.middle+r.limit()
		case Trimmed:
			low, high = r.sorted[n/5], r.sorted[n-1-n/5]
		case Median:
			low, high = r.sorted[n*2/5], r.sorted[n-1-n*2/5]
		case Quiet:
			for side := range s.kept {
				s.kept[side] = quickest(times, r.index, side)
			}
			return s
		}
	}
	for i, x := range r.values {
		if low <= x && x <= high {
			s.kept[0] = append(s.kept[0], r.index[i])
		}
	}
	s.kept[1] = s.kept[0]
	return s
}

// Times are the times of the two sides that a round of such pairs has, NaN if there are too few.
func (e Estimator) Times(times [][2]float64) (sides [2]float64) {
	s := e.of(times)
	for side := range sides {
		column := make([]float64, len(times))
		for i, t := range times {
			column[i] = t[side]
		}
		sides[side] = mean("ns/op", column, s.kept[side])
	}
	return sides
}

// quickest are the tenth of a side's slices that took least, three at least.
func quickest(times [][2]float64, index []int, side int) []int {
	order := slices.SortedStableFunc(slices.Values(index), func(i, j int) int { return cmp.Compare(times[i][side], times[j][side]) })
	return slices.Sorted(slices.Values(order[:max(3, len(order)/10)]))
}

// ratios are the log ratios of the pairs that have one.
type ratios struct {
	values []float64
	index  []int // of the pairs
	sorted []float64
	middle float64
	spread float64
}

func ratiosOf(times [][2]float64) ratios {
	var r ratios
	for i, t := range times {
		if t[0] > 0 && t[1] > 0 && !math.IsInf(t[0], 1) && !math.IsInf(t[1], 1) {
			r.values, r.index = append(r.values, math.Log(t[1])-math.Log(t[0])), append(r.index, i)
		}
	}
	if len(r.values) > 0 {
		r.sorted = slices.Sorted(slices.Values(r.values))
		r.middle = middleOf(r.sorted)
		r.spread = normalMAD * middleOf(deviations(r.values, r.middle))
	}
	return r
}

// limit is how far from the median a pair is off.
func (r ratios) limit() float64 { return max(offLimit*r.spread, offLeast) }

// off counts how often ratios are off. What disturbs the machine for longer than a slice makes
// several off, one after the other, and counts once.
func (r ratios) off() (lower, higher int) {
	last := 0
	for _, x := range r.values {
		now := 0
		if x-r.middle > r.limit() {
			now = 1
		} else if r.middle-x > r.limit() {
			now = -1
		}
		switch {
		case now == last:
		case now > 0:
			higher++
		case now < 0:
			lower++
		}
		last = now
	}
	return lower, higher
}

// deviations are how far values are from the middle, sorted.
func deviations(values []float64, middle float64) []float64 {
	off := make([]float64, len(values))
	for i, x := range values {
		off[i] = math.Abs(x - middle)
	}
	slices.Sort(off)
	return off
}

// middleOf is the median of sorted values. It changes only its sign when all values do.
func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// signTest returns the chance that a fair coin falls as unevenly as a to b, or more.
func signTest(a, b int) float64 {
	n, least := a+b, min(a, b)
	term, sum := math.Ldexp(1, -n), 0.0
	for k := 0; k <= least; k++ {
		sum += term
		term *= float64(n-k) / float64(k+1)
	}
	return min(1, 2*sum)
}
