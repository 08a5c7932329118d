package record

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// A Packed is a run whose samples take some ten bytes each, so that a run of a million fits
// into little memory. Its header may be changed, its samples not.
type Packed struct {
	Header Run // without Benchmarks

	packs  []*pack // in the order of their ids
	rounds int
	format string // of the text, where anything was sampled
}

// Len returns the number of benchmarks.
func (p *Packed) Len() int { return len(p.packs) }

// Rounds is [Run.Rounds].
func (p *Packed) Rounds() int { return p.rounds }

// Benchmarks returns the benchmarks, each of which is made when it is asked for.
func (p *Packed) Benchmarks() iter.Seq[*Benchmark] {
	return func(yield func(*Benchmark) bool) {
		for _, q := range p.packs {
			if b, _ := q.benchmark(); !yield(b) {
				return
			}
		}
	}
}

// Validate is [Run.Validate]; the samples were checked when the run was built.
func (p *Packed) Validate() error {
	p.Header.Normalize()
	if err := p.Header.checkAbove(); err != nil {
		return err
	}
	return p.Header.checkCount(len(p.packs))
}

// ID is [Run.ID].
func (p *Packed) ID() string {
	p.Header.Normalize()
	format := p.format
	if len(p.packs) == 0 {
		format = unsampledFormat
	}
	return idOf(func(w *Writer) { w.text(&p.Header, format, func() { p.write(w) }) })
}

// write writes the result lines.
func (p *Packed) write(w *Writer) {
	lines := make([]lineOf, len(p.packs))
	readers := make([]reader, len(p.packs))
	columns := make([][]int, len(p.packs)) // of each unit of a pack, its place in the line
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

// unpack returns the run with all its samples.
func (p *Packed) unpack() *Run {
	r := p.Header
	for b := range p.Benchmarks() {
		r.Benchmarks = append(r.Benchmarks, *b)
	}
	return &r
}

// addSamples takes over the results of a group, of a format that has any.
func (p *Packed) addSamples(g *group) error {
	if version, _, _ := strings.Cut(g.header.Get(KeyFormat), "#"); version == unsampledFormat {
		for _, q := range g.packs {
			if q.id != (BenchmarkID{Kind: Bench, Name: unsampledName}) {
				return fmt.Errorf("%s: %s in a run of format %s, which has no samples", q.pos, q.id.Name, unsampledFormat)
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
		b, sorted := q.benchmark()
		if err := b.check(); err != nil {
			return fmt.Errorf("%s: benchmark %s: %w", g.pos, b.Name, err)
		}
		if !sorted {
			q.sort(b)
		}
		p.rounds, p.format = max(p.rounds, q.n), max(p.format, q.format)
	}
	p.packs = g.packs
	slices.SortFunc(p.packs, func(a, b *pack) int { return a.id.Compare(b.id) })
	return nil
}

// addUnits keeps the declarations of the units that the run has.
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
