package current

import "github.com/perftrack/perftrack/runner/record"

// A State gathers the values of several runs, of which each measured only some of the benchmarks.
// The zero value is empty.
type State struct {
	values []Value
	known  map[benchmark]bool
}

type benchmark struct {
	target string
	record.BenchmarkID
}

// Add adds the values of a run, except of benchmarks that have values of an earlier call. So the
// newest run comes first.
func (s *State) Add(of []Value) {
	older := len(s.values)
	for _, v := range of {
		if !s.known[benchmark{v.Target, v.BenchmarkID}] {
			s.values = append(s.values, v)
		}
	}
	if s.known == nil {
		s.known = map[benchmark]bool{}
	}
	for _, v := range s.values[older:] {
		s.known[benchmark{v.Target, v.BenchmarkID}] = true
	}
}

// Values returns all values in the order of [Sort].
func (s *State) Values() []Value {
	Sort(s.values)
	return s.values
}
