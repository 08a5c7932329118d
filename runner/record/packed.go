package record

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// A Packed is a run whose samples take about ten bytes each, so that even a million samples fit
// into little memory. The header may be changed, but the samples must not be.
type Packed struct {
	Header Run // without Benchmarks

	packs  []*pack // sorted by id
	rounds int
	format string // version of the text that the samples need; "" if there are none
}

// Len returns the number of benchmarks.
func (p *Packed) Len() int { return len(p.packs) }

// Size returns roughly how many bytes of memory the samples take.
func (p *Packed) Size() (n int) {
	for _, q := range p.packs {
		n += q.size + packOverhead
	}
	return n
}

// packOverhead is roughly the size of a pack without its chunks.
const packOverhead = 500

// Rounds is like [Run.Rounds].
func (p *Packed) Rounds() int { return p.rounds }

// Benchmarks iterates over the benchmarks and decodes each on demand.
func (p *Packed) Benchmarks() iter.Seq[*Benchmark] {
	return func(yield func(*Benchmark) bool) {
		for _, q := range p.packs {
			if !yield(q.benchmark()) {
				return
			}
		}
	}
}

// Validate is like [Run.Validate], but does not check the samples, because they were checked when
// the run was built.
func (p *Packed) Validate() error {
	p.Header.Normalize()
	if err := p.Header.checkAbove(); err != nil {
		return err
	}
	return p.Header.checkCount(len(p.packs))
}

// ID is like [Run.ID].
func (p *Packed) ID() string {
	p.Header.Normalize()
	format := p.format
	if len(p.packs) == 0 {
		format = unsampledFormat
	}
	format = p.Header.Protocol.format(format)
	return idOf(func(w *Writer) { w.text(&p.Header, format, func() { p.write(w) }) })
}

// write writes the result lines.
func (p *Packed) write(w *Writer) {
	lines := make([]lineOf, len(p.packs))
	readers := make([]reader, len(p.packs))
	columns := make([][]int, len(p.packs)) // for each unit of a pack, its column in the line
	for i, q := range p.packs {
		lines[i] = newLineOf(q.id, p.Header.Env)
		lines[i].units = slices.SortedFunc(slices.Values(q.units), CompareUnits)
		for _, unit := range q.units {
			columns[i] = append(columns[i], slices.Index(lines[i].units, unit))
		}
		readers[i].pack = q
		readers[i].next()
	}
	var values []float64
	inOrder(len(lines), func(i int) (int, int, bool) {
		r := &readers[i]
		return r.round.N, r.round.Order, !r.done
	}, func(i int) {
		r := &readers[i]
		values = values[:0]
		for range lines[i].units {
			values = append(values, math.NaN())
		}
		for k, u := range r.at.units {
			values[columns[i][u]] = r.values[k]
		}
		w.sample(&lines[i], r.round, values)
		r.next()
	})
}

// addSamples moves the results of a group into the run, or to take unless it is nil. A group in a
// format without samples has none.
func (p *Packed) addSamples(g *group, take func(*Benchmark)) error {
	if version, _, _ := strings.Cut(g.header.Get(KeyFormat), "#"); unsampled(version) {
		for _, q := range g.packs {
			if q.id != (BenchmarkID{Kind: Bench, Name: unsampledName}) {
				return fmt.Errorf("%s: unexpected benchmark %s: runs of format %s have no samples", q.pos, q.id.Name, version)
			}
		}
		return nil
	}
	if len(g.packs) > MaxBenchmarks {
		return fmt.Errorf("%s: more than %d benchmarks", g.packs[MaxBenchmarks].pos, MaxBenchmarks)
	}
	total := 0
	for _, q := range g.packs {
		if q.n > MaxSamples {
			return fmt.Errorf("%s: more than %d samples of %s", q.over, MaxSamples, q.id.Name)
		}
		if total += q.n * len(q.units); total > MaxTotalSamples {
			return fmt.Errorf("%s: more than %d samples", q.pos, MaxTotalSamples)
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
func (p *Packed) addUnits(declared map[string]Unit) {
	for _, q := range p.packs {
		for _, unit := range q.units {
			u, ok := declared[unit]
			if ok && !slices.ContainsFunc(p.Header.Units, func(have Unit) bool { return have.Name == u.Name }) {
				p.Header.Units = append(p.Header.Units, u)
			}
		}
	}
}
