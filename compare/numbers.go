package compare

// Median sorts values and returns their median, 0 of none.
func Median(values []float64) float64 { return median(values) }

// NormalMAD times the median absolute deviation of normal values is their standard deviation.
const NormalMAD = normalMAD

// NormalQuantile returns the z that a standard normal value exceeds with probability p.
func NormalQuantile(p float64) float64 { return normalQuantile(p) }

// A Shifter estimates shifts with confidence intervals of one error rate.
type Shifter struct{ in shifter }

// NewShifter returns the estimator whose intervals leave out the true shift with at most
// the probability tail at either end.
func NewShifter(tail float64) *Shifter { return &Shifter{shifter{tail: tail}} }

// Estimate returns the Hodges-Lehmann estimate of the difference, in the unit of the values.
func (s *Shifter) Estimate(base, head []float64) Shift { return s.in.estimate(base, head) }

// Relative returns the same of the logarithms, as a relative change; of values above 0 only.
func (s *Shifter) Relative(base, head []float64) (shift Shift, ok bool) {
	shift, _, ok = s.in.relative(base, head)
	return shift, ok
}

// Around moves the center of a shift to what the values shown differ by, and widens
// the interval to hold it.
func (s Shift) Around(center float64) Shift {
	s.Center, s.Lo, s.Hi = center, min(s.Lo, center), max(s.Hi, center)
	return s
}

// Exact judges two values that repeat without noise: every difference is real, and
// only its size is left to weigh.
func Exact(unit string, better int, base, head float64) (Shift, Verdict) {
	r := &Row{Unit: unit, Better: better, Base: Summary{Center: base}, Head: Summary{Center: head}}
	r.decideExact()
	return r.Shift, r.Verdict
}

// Direction turns a change up (+1) or down (-1) into a verdict.
func Direction(change, better int) Verdict { return direction(change, better) }
