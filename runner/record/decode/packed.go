package decode

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A Packed is a run in compact form: each sample takes about ten bytes. The header may be changed,
// but the samples must not be.
type Packed struct {
	Header record.Run // without Benchmarks
	Ours   bool       // perftrack wrote it, so nothing in the header may be changed

	packs  []*pack // sorted by id
	rounds int
	format string // version of the text that the samples need; "" if there are none
}

// Len returns the number of benchmarks.
func (p *Packed) Len() int { return len(p.packs) }

// IDs iterates over the ids of the benchmarks.
func (p *Packed) IDs() iter.Seq[record.BenchmarkID] {
	return func(yield func(record.BenchmarkID) bool) {
		for _, q := range p.packs {
			if !yield(q.id) {
				return
			}
		}
	}
}

// Size returns roughly how many bytes of memory the samples take.
func (p *Packed) Size() (n int) {
	for _, q := range p.packs {
		n += q.size + packOverhead
	}
	return n
}

// packOverhead is roughly the size of a pack without its chunks.
const packOverhead = 500

// Rounds is like [record.Run.Rounds].
func (p *Packed) Rounds() int { return p.rounds }

// Benchmarks iterates over the benchmarks and decodes each on demand.
func (p *Packed) Benchmarks() iter.Seq[*record.Benchmark] {
	return func(yield func(*record.Benchmark) bool) {
		for _, q := range p.packs {
			if !yield(q.benchmark()) {
				return
			}
		}
	}
}

// Validate is like [record.Run.Validate], but does not check the samples, because they were checked when
// the run was built.
func (p *Packed) Validate() error { return p.Header.ValidateHeader(len(p.packs)) }

// ID is like [record.Run.ID].
func (p *Packed) ID() string {
	all := make([]record.Series, len(p.packs))
	for i, q := range p.packs {
		all[i] = newPackSeries(q)
	}
	return p.Header.IDWith(p.format, all)
}

// A packSeries is the [record.Series] of a pack.
type packSeries struct {
	reader
	units   []string
	columns []int // for each unit of the pack, its index in units
}

func newPackSeries(p *pack) *packSeries {
	s := &packSeries{reader: reader{pack: p}}
	s.units = slices.SortedFunc(slices.Values(p.units), record.CompareUnits)
	for _, unit := range p.units {
		s.columns = append(s.columns, slices.Index(s.units, unit))
	}
	s.next()
	return s
}

func (s *packSeries) ID() record.BenchmarkID { return s.pack.id }

func (s *packSeries) Units() []string { return s.units }

func (s *packSeries) Round() (record.Round, bool) { return s.round, !s.done }

func (s *packSeries) Take(values []float64) []float64 {
	first := len(values)
	for range s.units {
		values = append(values, math.NaN())
	}
	for k, u := range s.at.units {
		values[first+s.columns[u]] = s.reader.values[k]
	}
	s.next()
	return values
}

// addSamples passes the results of a group to take, or moves them into the run if take is nil. A
// group in a format without samples has none.
func (p *Packed) addSamples(g *group, take func(*record.Benchmark)) error {
	if version, _, _ := strings.Cut(g.header.Get(record.KeyFormat), "#"); record.Unsampled(version) {
		for _, q := range g.packs {
			if q.id != (record.BenchmarkID{Kind: record.Bench, Name: record.UnsampledName}) {
				return fmt.Errorf("%s: unexpected benchmark %s: runs of format %s have no samples", q.pos, q.id.Name, version)
			}
		}
		return nil
	}
	if len(g.packs) > record.MaxBenchmarks {
		return fmt.Errorf("%s: more than %d benchmarks", g.packs[record.MaxBenchmarks].pos, record.MaxBenchmarks)
	}
	total := 0
	for _, q := range g.packs {
		if q.n > record.MaxSamples {
			return fmt.Errorf("%s: more than %d samples of %s", q.over, record.MaxSamples, q.id.Name)
		}
		if total += q.n * len(q.units); total > record.MaxTotalSamples {
			return fmt.Errorf("%s: more than %d samples", q.pos, record.MaxTotalSamples)
		}
		if err := q.check(); err != nil {
			return fmt.Errorf("%s: benchmark %s: %w", g.pos, q.id.Name, err)
		}
		switch {
		case take != nil:
			take(q.benchmark())
			q.chunks = nil
		case q.mixed:
			q.sort()
		}
		p.rounds, p.format = max(p.rounds, q.n), max(p.format, q.format)
	}
	p.packs = g.packs
	slices.SortFunc(p.packs, func(a, b *pack) int { return a.id.Compare(b.id) })
	return nil
}

// addUnits adds the declarations of all units that occur in the run to its header.
func (p *Packed) addUnits(declared map[string]record.Unit) {
	for _, q := range p.packs {
		for _, unit := range q.units {
			u, ok := declared[unit]
			if ok && !slices.ContainsFunc(p.Header.Units, func(have record.Unit) bool { return have.Name == u.Name }) {
				p.Header.Units = append(p.Header.Units, u)
			}
		}
	}
}
