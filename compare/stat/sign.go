package stat

// Sign is the direction of a number: +1 up, -1 down, 0 of 0 and of what is no number.
func Sign(x float64) int {
	switch {
	case x > 0:
		return +1
	case x < 0:
		return -1
	}
	return 0
}
