package site

import (
	"math"

	"github.com/perftrack/perftrack/compare/stat"
)

// sparkPlaces is how many values a spark line has at most.
const sparkPlaces = 40

// sparkDigits are the heights 0 to 61.
const sparkDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// sparkLeast is the smallest range that fills the height, as a fraction of the middle: noise is
// to look like noise.
const sparkLeast = 0.1

// spark quantises values, the oldest first, and returns at which place each of them stands. Of
// more than 40, a place has the median of its share. What is no number is none.
func spark(values []float64) (text string, places []int) {
	n := min(len(values), sparkPlaces)
	groups := make([][]float64, n)
	places = make([]int, len(values))
	for i, v := range values {
		at := i * n / len(values)
		places[i] = at
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			groups[at] = append(groups[at], v)
		}
	}
	centers := make([]float64, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, g := range groups {
		centers[i] = math.NaN()
		if len(g) > 0 {
			centers[i] = stat.Median(g)
			lo, hi = min(lo, centers[i]), max(hi, centers[i])
		}
	}
	middle := lo/2 + hi/2
	if least := sparkLeast * math.Abs(middle); hi-lo < least {
		lo, hi = middle-least/2, middle+least/2
	}
	out := make([]byte, n)
	for i, v := range centers {
		out[i] = sparkDigit(v, lo, hi)
	}
	return string(out), places
}

// sparkDigit is the height of v between lo and hi.
func sparkDigit(v, lo, hi float64) byte {
	const top = len(sparkDigits) - 1
	switch {
	case math.IsNaN(v):
		return '.'
	case !(hi > lo):
		return sparkDigits[top/2]
	}
	return sparkDigits[min(top, max(0, int(math.Round((v-lo)/(hi-lo)*float64(top)))))]
}
