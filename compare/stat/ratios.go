package stat

import (
	"math"
	"slices"
)

// LogRatios returns the logarithms of head over base for the rounds that have both sides, or nil if
// any of these logarithms is not finite.
func LogRatios(pairs []Pair) []float64 {
	var out []float64
	for _, p := range pairs {
		r := math.Log(p.Head / p.Base)
		switch {
		case math.IsNaN(p.Base) || math.IsNaN(p.Head):
		case r-r != 0:
			return nil
		default:
			out = append(out, r)
		}
	}
	return slices.Clip(out)
}

// Alone turns each value into a pair with that value as Head and 0 as Base.
func Alone(values []float64) []Pair {
	out := make([]Pair, len(values))
	for i, v := range values {
		out[i].Head = v
	}
	return out
}
