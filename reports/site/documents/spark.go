package documents

import (
	"math"

	"github.com/perftrack/perftrack/compare/stat"
)

// sparkPlaces is the maximum number of characters in a spark line.
const sparkPlaces = 40

// sparkDigits lists the characters for the heights 0 to 61.
const sparkDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// sparkLeast is the smallest range of values that takes up the full height, as a fraction of the
// middle value. It keeps noise from looking like changes.
const sparkLeast = 0.1

// spark converts values, oldest first, to a spark line. places holds the position of each value in
// the line. If several values share a position, their median is shown. NaN and infinities are not
// shown.
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

// sparkDigit returns the character for the height of v between lo and hi.
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
