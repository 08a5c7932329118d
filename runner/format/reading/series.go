package reading

import "cmp"

// MaxSeries is the maximum number of values that a [Series] keeps. It is below the number of samples
// that a run may have of one benchmark.
const MaxSeries = 8192

// A Series collects the samples of one benchmark. If there are more than Most, it keeps the
// averages of consecutive samples instead, so a file of any length needs constant memory.
type Series struct {
	Values []float64
	Batch  int // number of samples that each value averages
	N      int // number of samples
	Most   int // maximum number of values, an even number; 0 means MaxSeries

	sum   float64 // of the current batch
	inSum int
}

// Add adds a sample. If the values are averages, the last batch counts only when it is complete.
func (s *Series) Add(v float64) {
	s.Batch = max(s.Batch, 1)
	s.N++
	s.sum += v
	if s.inSum++; s.inSum < s.Batch {
		return
	}
	if most := cmp.Or(s.Most, MaxSeries); len(s.Values) == most {
		for i := range most / 2 {
			s.Values[i] = s.Values[2*i]/2 + s.Values[2*i+1]/2
		}
		s.Values = s.Values[:most/2]
		s.Batch *= 2
		return // the sample begins a larger batch
	}
	s.Values = append(s.Values, s.sum/float64(s.Batch))
	s.sum, s.inSum = 0, 0
}

// Reset empties the series.
func (s *Series) Reset() { *s = Series{Values: s.Values[:0], Most: s.Most} }
