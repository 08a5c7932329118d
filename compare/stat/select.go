package stat

import "slices"

const (
	sortedAtMost = 48  // sorting this many values is as fast as selecting one
	splitAtMost  = 100 // after this many splits, Select sorts the rest: its pivots are bad
)

// Select returns the k-th smallest value, counted from 0, and moves it to v[k]. Nothing before it
// is larger and nothing after it is smaller.
func Select(v []float64, k int) float64 {
	for splits := 0; len(v) > sortedAtMost && splits < splitAtMost; splits++ {
		p := pivot(v, k)
		below := moveBelow(v, p)
		if k < below {
			v = v[:below]
			continue
		}
		v, k = v[below:], k-below
		equal := moveEqual(v, p) // values no pivot would split any further
		if k < equal {
			return p
		}
		v, k = v[equal:], k-equal
	}
	slices.Sort(v)
	return v[k]
}

// pivot returns a value of v near the place k of the sorted values, estimated from nine of them.
func pivot(v []float64, k int) float64 {
	var some [9]float64
	for i := range some {
		some[i] = v[(2*i+1)*len(v)/(2*len(some))]
	}
	slices.Sort(some[:])
	return some[k*len(some)/len(v)]
}

// moveBelow moves the values below p to the front and returns their number. Like sorting, it treats
// NaN as the smallest value. The loop has no branch on the values, because the processor could not
// predict it.
func moveBelow(v []float64, p float64) (n int) {
	for i, x := range v {
		v[i], v[n] = v[n], x
		less := 1
		if x >= p {
			less = 0
		}
		n += less
	}
	return n
}

// moveEqual moves the values equal to p to the front and returns their number. p must be the
// smallest value.
func moveEqual(v []float64, p float64) (n int) {
	for i, x := range v {
		v[i], v[n] = v[n], x
		equal := 0
		if x <= p {
			equal = 1
		}
		n += equal
	}
	return n
}
