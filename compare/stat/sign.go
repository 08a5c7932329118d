package stat

// Sign returns +1 if x is above 0, -1 if it is below, and 0 for 0 and NaN.
func Sign(x float64) int {
	switch {
	case x > 0:
		return +1
	case x < 0:
		return -1
	}
	return 0
}
