package decode

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A pack holds the results of one benchmark in input order. It takes about ten bytes per result,
// because each is encoded as its difference from the previous one.
type pack struct {
	id     record.BenchmarkID
	pos    string // position of the first result
	over   string // position of the first result beyond MaxSamples
	units  []string
	format string // oldest version of the text that can hold all results
	n      int
	empty  bool     // a result has no values
	mixed  bool     // the results are not in canonical order
	chunks [][]byte // each chunk holds whole results
	size   int      // total size of the chunks
	last   coded
	next   *pack // pack of the result that came after the last one
}

// coded is the state that the next result is encoded against.
type coded struct {
	place int // index of the result in its group
	round record.Round
	units []int        // indexes into pack.units
	known record.Round // round with any unknown number and position filled in
}

// maxChunk is the usual size in bytes of a pack's chunks. The first chunks are smaller.
const maxChunk = 4 << 10

// Flags in the first byte of an encoded result.
const (
	codedRound byte = 1 << iota // the result has a round
	codedOrder                  // the result has a position in its round
	codedSeed                   // the seed differs from the previous result's
	codedSlices
	codedUnits // the units differ from the previous result's
	codedMean
)

// add appends a result, at index place in its group.
func (p *pack) add(r *result, place int) {
	if p.n == record.MaxSamples {
		p.over = r.pos()
	}
	at := known(r.round, p.n+1, place)
	p.empty = p.empty || len(r.values) == 0
	p.mixed = p.mixed || p.n > 0 && at.Compare(p.last.known) < 0
	var flags byte
	now := r.round
	body := binary.AppendUvarint(r.code[:0], uint64(place-p.last.place))
	if now.N >= 0 {
		flags |= codedRound
		body = binary.AppendVarint(body, int64(now.N-p.last.round.N))
	} else {
		now.N = p.last.round.N
	}
	if now.Order >= 0 {
		flags |= codedOrder
		body = binary.AppendVarint(body, int64(now.Order-p.last.round.Order))
	} else {
		now.Order = p.last.round.Order
	}
	body = binary.AppendVarint(body, int64(now.Iters-p.last.round.Iters))
	if now.Seed != p.last.round.Seed {
		flags |= codedSeed
		body = binary.AppendUvarint(body, now.Seed)
	}
	p.format = max(p.format, now.Format())
	if now.Slices != 0 || now.Spread != 0 {
		flags |= codedSlices
		body = binary.AppendUvarint(body, uint64(now.Slices))
		body = appendValue(body, now.Spread)
	}
	if now.Mean != 0 || now.Slow != 0 {
		flags |= codedMean
		body = appendValue(body, now.Mean)
		body = appendValue(body, now.Slow)
	}
	if !p.sameUnits(r.units) {
		flags |= codedUnits
		p.setUnits(r.units)
		body = binary.AppendUvarint(body, uint64(len(p.last.units)))
		for _, u := range p.last.units {
			body = binary.AppendUvarint(body, uint64(u))
		}
	}
	for _, v := range r.values {
		body = appendValue(body, v)
	}
	p.put(flags, body)
	p.last.place, p.last.round, p.last.known = place, now, at
	p.n++
	r.code = body
}

// known returns r with its number set to n and its position set to order if they are unknown.
func known(r record.Round, n, order int) record.Round {
	if r.N < 0 {
		r.N = n
	}
	if r.Order < 0 {
		r.Order = order
	}
	return r
}

// put appends an encoded result to the last chunk, or starts a new one.
func (p *pack) put(flags byte, body []byte) {
	size := 1 + len(body)
	last := len(p.chunks) - 1
	if last < 0 || cap(p.chunks[last])-len(p.chunks[last]) < size {
		p.chunks = append(p.chunks, make([]byte, 0, max(size, min(p.size, maxChunk))))
		last++
	}
	p.chunks[last] = append(append(p.chunks[last], flags), body...)
	p.size += size
}

func (p *pack) sameUnits(units []string) bool {
	if len(units) != len(p.last.units) {
		return false
	}
	for i, u := range p.last.units {
		if p.units[u] != units[i] {
			return false
		}
	}
	return true
}

func (p *pack) setUnits(units []string) {
	p.last.units = p.last.units[:0]
	for _, unit := range units {
		u := slices.Index(p.units, unit)
		if u < 0 {
			u = len(p.units)
			p.units = append(p.units, unit)
		}
		p.last.units = append(p.last.units, u)
	}
}

// A reader decodes the results in a pack one by one.
type reader struct {
	pack  *pack
	uses  bool // release each chunk as it is decoded
	chunk int
	rest  []byte
	n     int  // results decoded so far
	done  bool // there are no more results

	at     coded        // the result that was decoded last
	said   record.Round // its round, with -1 for an unknown number or position
	round  record.Round // its round, with any unknown number and position filled in
	values []float64
}

// next decodes the next result and reports whether there was one.
func (d *reader) next() bool {
	if d.n == d.pack.n {
		d.done = true
		return false
	}
	if len(d.rest) == 0 {
		d.rest = d.pack.chunks[d.chunk]
		if d.uses {
			d.pack.chunks[d.chunk] = nil
		}
		d.chunk++
	}
	flags := d.rest[0]
	d.rest = d.rest[1:]
	at := &d.at
	at.place += int(d.uvarint())
	d.n++
	n, order := -1, -1
	if flags&codedRound != 0 {
		at.round.N += d.varint()
		n = at.round.N
	}
	if flags&codedOrder != 0 {
		at.round.Order += d.varint()
		order = at.round.Order
	}
	at.round.Iters += d.varint()
	if flags&codedSeed != 0 {
		at.round.Seed = d.uvarint()
	}
	at.round.Slices, at.round.Spread, at.round.Mean, at.round.Slow = 0, 0, 0, 0
	if flags&codedSlices != 0 {
		at.round.Slices = int(d.uvarint())
		at.round.Spread = d.value()
	}
	if flags&codedMean != 0 {
		at.round.Mean = d.value()
		at.round.Slow = d.value()
	}
	if flags&codedUnits != 0 {
		at.units = slices.Grow(at.units[:0], len(d.pack.units))[:d.uvarint()]
		for i := range at.units {
			at.units[i] = int(d.uvarint())
		}
	}
	d.values = slices.Grow(d.values[:0], len(at.units))[:len(at.units)]
	for i := range d.values {
		d.values[i] = d.value()
	}
	d.said = at.round
	d.said.N, d.said.Order = n, order
	d.round = known(d.said, d.n, at.place)
	return true
}

func (d *reader) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.rest = d.rest[n:]
	return v
}

func (d *reader) varint() int {
	v, n := binary.Varint(d.rest)
	d.rest = d.rest[n:]
	return int(v)
}

// result stores the last decoded result in into and returns into, for adding it to another pack.
// Its slices are valid until the next call to next.
func (d *reader) result(into *result) *result {
	into.round, into.values, into.units = d.said, d.values, into.units[:0]
	for _, u := range d.at.units {
		into.units = append(into.units, d.pack.units[u])
	}
	return into
}

// benchmark returns the results as a benchmark in canonical order. If a round has no value in a
// unit, that value is NaN.
func (p *pack) benchmark() *record.Benchmark {
	b := &record.Benchmark{BenchmarkID: p.id, Rounds: make([]record.Round, 0, p.n), Samples: make([]record.Samples, len(p.units))}
	values := make([]float64, p.n*len(p.units))
	for i, unit := range p.units {
		b.Samples[i] = record.Samples{Unit: unit, Values: values[i*p.n : (i+1)*p.n : (i+1)*p.n]}
	}
	for d := (reader{pack: p}); d.next(); {
		k := len(b.Rounds)
		b.Rounds = append(b.Rounds, d.round)
		if len(d.at.units) < len(p.units) {
			for i := range b.Samples {
				b.Samples[i].Values[k] = math.NaN()
			}
		}
		for i, u := range d.at.units {
			b.Samples[u].Values[k] = d.values[i]
		}
	}
	b.Normalize()
	return b
}

// check is like [record.Benchmark.Validate]. It rarely has to decode results, because each result
// is checked when it is added.
func (p *pack) check() error {
	if p.empty || len(p.units) > record.MaxUnits || p.n > record.MaxSamples {
		return p.benchmark().Validate()
	}
	return p.id.Validate()
}

// sort puts the results into canonical order.
func (p *pack) sort() {
	b := p.benchmark()
	q := &pack{id: p.id, pos: p.pos}
	var r result
	for k, round := range b.Rounds {
		r.round, r.units, r.values = round, r.units[:0], r.values[:0]
		for _, s := range b.Samples {
			if v := s.Values[k]; !math.IsNaN(v) {
				r.units, r.values = append(r.units, s.Unit), append(r.values, v)
			}
		}
		q.add(&r, k)
	}
	*p = *q
}

// rawValue in the low three bits of an encoded value means that a float64 follows. Otherwise these
// bits hold the number of digits after the decimal point. Most values are short decimals and take
// fewer bytes in this form than as a float64.
const rawValue = 7

var tens = [rawValue]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// appendValue appends the encoding of v, which must not be negative. [reader.value] decodes it.
func appendValue(to []byte, v float64) []byte {
	for digits, ten := range tens {
		m := v * ten
		if m >= 1<<49 {
			break
		}
		if m == math.Trunc(m) && m/ten == v {
			return binary.AppendUvarint(to, uint64(m)<<3|uint64(digits))
		}
	}
	return binary.LittleEndian.AppendUint64(append(to, rawValue), math.Float64bits(v))
}

func (d *reader) value() float64 {
	v := d.uvarint()
	if v&7 != rawValue {
		return float64(v>>3) / tens[v&7]
	}
	bits := binary.LittleEndian.Uint64(d.rest)
	d.rest = d.rest[8:]
	return math.Float64frombits(bits)
}
