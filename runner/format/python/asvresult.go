package python

import (
	"math"
	"strings"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// maxCombinations is the maximum number of combinations of parameters of one benchmark.
const maxCombinations = bounds.MaxBenchmarks

// An asvResult is what a file has of one benchmark. Each list has one value for each combination of
// parameters, where the last parameter varies fastest, or is empty.
type asvResult struct {
	values    []float64 // NaN if the benchmark failed or was skipped
	params    [][]string
	low, high []float64 // bounds of the confidence interval
	number    []float64 // iterations of a sample
	repeat    []float64 // number of samples
	samples   []reading.Series
}

// name returns the name of the i-th combination, as asv shows it.
func (r *asvResult) name(benchmark string, i int) string {
	if len(r.params) == 0 {
		return benchmark
	}
	values := make([]string, len(r.params))
	for p := len(r.params) - 1; p >= 0; p-- {
		n := len(r.params[p])
		values[p] = strings.Join(strings.Fields(r.params[p][i%n]), " ")
		i /= n
	}
	return benchmark + "(" + strings.Join(values, ",") + ")"
}

// benchmark reads a member of the results: in version 2 a row of columns, in version 1 an object, or a
// number if there are no parameters.
func (a *asv) benchmark(name string) (err error) {
	r := &asvResult{}
	switch a.Next() {
	case '[':
		if a.columns == nil {
			return a.Hold(&a.rows, name)
		}
		i := 0
		err = a.Array(func() error {
			i++
			if i > len(a.columns) {
				return a.Errorf("%s has more values than the %d columns", bounds.Quote(name), len(a.columns))
			}
			return a.column(r, a.columns[i-1])
		})
	case '{':
		err = a.Object(func(key string) error {
			if key == "stats" {
				return a.stats(r)
			}
			return a.column(r, key)
		})
	default:
		r.values, err = a.numbers()
	}
	if err != nil {
		return err
	}
	return a.emit(name, r)
}

func (a *asv) column(r *asvResult, key string) (err error) {
	switch key {
	case "result":
		r.values, err = a.numbers()
	case "params":
		err = a.Into(&r.params)
	case "stats_ci_99_a":
		r.low, err = a.numbers()
	case "stats_ci_99_b":
		r.high, err = a.numbers()
	case "stats_number":
		r.number, err = a.numbers()
	case "stats_repeat":
		r.repeat, err = a.numbers()
	case "samples":
		err = a.samples(r)
	default:
		err = a.Skip()
	}
	return err
}

// stats reads the statistics of version 1: an object for each combination.
func (a *asv) stats(r *asvResult) error {
	read := func() error {
		var s struct {
			CI     []*float64 `json:"ci_99"`
			Number *float64   `json:"number"`
			Repeat *float64   `json:"repeat"`
			N      *float64   `json:"n"`
		}
		if err := a.Into(&s); err != nil {
			return err
		}
		if len(r.low) == maxCombinations {
			return a.Errorf("more than %d combinations of parameters, the limit", maxCombinations)
		}
		if len(s.CI) != 2 {
			s.CI = make([]*float64, 2)
		}
		if s.Repeat == nil {
			s.Repeat = s.N
		}
		r.low, r.high = append(r.low, known(s.CI[0])), append(r.high, known(s.CI[1]))
		r.number, r.repeat = append(r.number, known(s.Number)), append(r.repeat, known(s.Repeat))
		return nil
	}
	if a.Next() == '{' {
		return read()
	}
	return a.Array(read)
}

func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// numbers reads one number, or a list of them. Anything else in it is no result, and becomes NaN.
func (a *asv) numbers() (values []float64, err error) {
	read := func() error {
		if len(values) == maxCombinations {
			return a.Errorf("more than %d combinations of parameters, the limit", maxCombinations)
		}
		v := math.NaN()
		if a.Next() == '0' {
			v, err = a.Number()
		} else {
			err = a.Skip()
		}
		values = append(values, v)
		return err
	}
	if a.Next() == '[' {
		err = a.Array(read)
	} else if a.Next() == 'n' {
		err = a.Skip()
	} else {
		err = read()
	}
	return values, err
}

// samples reads the samples: a list for each combination, or just one list.
func (a *asv) samples(r *asvResult) error {
	kept := 0
	var plain reading.Series
	err := a.Array(func() error {
		switch a.Next() {
		case '0':
			v, err := a.Number()
			plain.Add(v)
			return err
		case '[', 'n':
		default:
			return a.Skip()
		}
		r.samples = append(r.samples, reading.Series{})
		s := &r.samples[len(r.samples)-1]
		if _, err := a.Numbers(s); err != nil {
			return err
		}
		if kept += 1 + len(s.Values); kept > bounds.MaxValues {
			return a.Errorf("more than %d samples of one benchmark, the limit", bounds.MaxValues)
		}
		return nil
	})
	if plain.N > 0 {
		r.samples = []reading.Series{plain}
	}
	return err
}
