package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// A Series holds the tidied samples of both sides for one row.
type Series struct {
	ID     record.BenchmarkID
	Unit   string // the tidied unit
	Orig   string // as the benchmark program printed it, on the base side if it has the series
	Values [2][]float64
	Told   [2]*record.Summary // what the files state about the samples of a side without samples
	place  [3]int             // run, round and order of its first sample
	iters  [2]float64         // the sum of all iterations
	rounds [2]int
}

// Calls returns the mean number of calls to a scope per sample, for each side.
func (s *Series) Calls() (calls [2]float64) {
	for side, n := range s.rounds {
		if n > 0 && s.ID.Kind == record.Scope {
			calls[side] = s.iters[side] / float64(n)
		}
	}
	return calls
}

// tell adds a summary to a side. Of several, only the number of samples is kept.
func (s *Series) tell(side int, told record.Summary) {
	if had := s.Told[side]; had != nil {
		n := had.N + told.N
		if had.N == 0 || told.N == 0 {
			n = 0
		}
		nan := math.NaN()
		told = record.Summary{Center: nan, SD: nan, Low: nan, High: nan, N: n}
	}
	s.Told[side] = &told
}

// Series collects the series of a pairing. They are sorted by kind, package, suite and unit, and
// then in the order of measurement: first those of base, then those that only head has.
func (p *Pairing) Series() []*Series {
	type key struct {
		id   record.BenchmarkID
		unit string
	}
	index := map[key]*Series{}
	var out []*Series
	for side := range p.Runs {
		for n, run := range p.Runs[side] {
			for i := range run.Benchmarks {
				b := &run.Benchmarks[i]
				for _, s := range b.Series() {
					values, unit := units.Tidied(s)
					if len(values) == 0 {
						continue
					}
					k := key{b.BenchmarkID, unit}
					of := index[k]
					if of == nil {
						of = &Series{ID: k.id, Unit: unit, Orig: s.Unit, place: place(side*len(p.Runs[base])+n, b)}
						index[k] = of
						out = append(out, of)
					}
					if of.Values[side] == nil {
						of.Values[side] = values
					} else {
						of.Values[side] = append(of.Values[side], values...)
					}
					if told, ok := units.Summary(s); ok {
						of.tell(side, told)
					}
					for _, round := range b.Rounds {
						of.iters[side] += float64(round.Iters)
						of.rounds[side]++
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Series) int {
		return cmp.Or(
			cmp.Compare(a.ID.Kind, b.ID.Kind),
			cmp.Compare(a.ID.Package, b.ID.Package),
			cmp.Compare(a.ID.Suite, b.ID.Suite),
			units.Compare(a.Unit, b.Unit),
			slices.Compare(a.place[:], b.place[:]),
			cmp.Compare(a.ID.Name, b.ID.Name),
		)
	})
	return out
}

// place returns when a benchmark was first measured: the run, the round, and the order within the
// round.
func place(run int, b *record.Benchmark) [3]int {
	p := [3]int{run, 0, 0}
	for i, r := range b.Rounds {
		if i == 0 || r.N < p[1] || r.N == p[1] && r.Order < p[2] {
			p[1], p[2] = r.N, r.Order
		}
	}
	return p
}
