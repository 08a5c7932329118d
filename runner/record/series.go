package record

// A Series yields the samples of one benchmark, in the order of measurement.
type Series interface {
	ID() BenchmarkID
	// Units returns the units of the values, in the order of [CompareUnits].
	Units() []string
	// Round returns the round of the next sample. ok is false after the last one.
	Round() (r Round, ok bool)
	// Take appends the values of the next sample, one per unit, and advances. A missing value is
	// NaN.
	Take(values []float64) []float64
}

// samplesOf is the Series of a Benchmark.
type samplesOf struct {
	*Benchmark
	next int // index of the next round
}

// series returns the samples of all benchmarks.
func (r *Run) series() []Series {
	all := make([]Series, len(r.Benchmarks))
	for i := range r.Benchmarks {
		all[i] = &samplesOf{Benchmark: &r.Benchmarks[i]}
	}
	return all
}

func (s *samplesOf) ID() BenchmarkID { return s.BenchmarkID }

func (s *samplesOf) Units() (units []string) {
	for _, of := range s.Samples {
		units = append(units, of.Unit)
	}
	return units
}

func (s *samplesOf) Round() (Round, bool) {
	if s.next == len(s.Rounds) {
		return Round{}, false
	}
	return s.Rounds[s.next], true
}

func (s *samplesOf) Take(values []float64) []float64 {
	for _, of := range s.Samples {
		values = append(values, of.Values[s.next])
	}
	s.next++
	return values
}
