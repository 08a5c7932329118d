package store

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// The packed columns of a row of the table results, see migrations/sqlite/00008_packed.sql.
const (
	numbers = iota
	orders
	iterations
	seeds
	slicePairs
	spreads
	means
	slow
	roundColumns // number of packed columns
)

// columnNames are the names of the packed columns, in this order.
var columnNames = [roundColumns]string{"numbers", "orders", "iterations", "seeds", "slices", "slice_spreads", "slice_means", "slow_slices"}

// A resultRow holds the results of a benchmark in a run, as they are stored.
type resultRow struct {
	rounds  int
	columns [roundColumns]sql.RawBytes
	samples sql.RawBytes
}

// integer returns the field of a round that a column of integers stores.
func integer(column int, r *record.Round) *int {
	switch column {
	case numbers:
		return &r.N
	case orders:
		return &r.Order
	case iterations:
		return &r.Iters
	}
	return &r.Slices
}

// float returns the field of a round that a column of floats stores, from spreads on.
func float(column int, r *record.Round) *float64 {
	switch column {
	case spreads:
		return &r.Spread
	case means:
		return &r.Mean
	}
	return &r.Slow
}

// field returns the value for a round in a packed column.
func field(column int, r *record.Round) uint64 {
	switch {
	case column == seeds:
		return r.Seed
	case column >= spreads:
		return math.Float64bits(*float(column, r))
	}
	return uint64(*integer(column, r))
}

// setField is the inverse of field. It returns an error if the value is impossible.
func setField(column int, r *record.Round, v uint64) error {
	switch {
	case column == seeds:
		r.Seed = v
	case column >= spreads:
		f := float(column, r)
		*f = math.Float64frombits(v)
		if err := checkValue(*f); err != nil {
			return fmt.Errorf("%s: %w", columnNames[column], err)
		}
	case v > math.MaxInt:
		return fmt.Errorf("%s: %d is too large", columnNames[column], v)
	default:
		*integer(column, r) = int(v)
	}
	return nil
}

// nth returns the value for round i in a packed column or packed samples. A single value applies to
// all rounds.
func nth(packed []byte, i int) uint64 {
	if len(packed) == 8 {
		i = 0
	}
	return binary.LittleEndian.Uint64(packed[8*i:])
}

// usual returns the default value of a column in round i. A column with only default values is not
// stored.
func usual(column, i int) uint64 {
	if column == numbers {
		return uint64(i + 1)
	}
	return 0
}

// packRounds packs a column of the rounds, see resultRow.
func packRounds(column int, list []record.Round) []byte {
	usually, same := true, true
	first := field(column, &list[0])
	for i := range list {
		v := field(column, &list[i])
		usually = usually && v == usual(column, i)
		same = same && v == first
	}
	switch {
	case usually:
		return nil
	case same:
		return binary.LittleEndian.AppendUint64(nil, first)
	}
	out := make([]byte, 0, 8*len(list))
	for i := range list {
		out = binary.LittleEndian.AppendUint64(out, field(column, &list[i]))
	}
	return out
}

// headerLen is the length of an entry of packed samples before its values.
const headerLen = 8

// packResults packs the results of a benchmark. index returns the index of a unit in the list of the
// benchmark's units.
func packResults(b *record.Benchmark, index func(unit string) int) resultRow {
	r := resultRow{rounds: len(b.Rounds)}
	for c := range r.columns {
		r.columns[c] = packRounds(c, b.Rounds)
	}
	r.samples = make([]byte, 0, (headerLen+8*r.rounds)*len(b.Samples))
	for _, s := range b.Samples {
		values, one := s.Values, uint32(0)
		if constant(values) {
			values, one = values[:1], 1
		}
		r.samples = binary.LittleEndian.AppendUint32(r.samples, uint32(index(s.Unit)))
		r.samples = binary.LittleEndian.AppendUint32(r.samples, one)
		for _, v := range values {
			r.samples = binary.LittleEndian.AppendUint64(r.samples, valueBits(v))
		}
	}
	return r
}

// valueBits returns the bits of v. All NaNs are the same.
func valueBits(v float64) uint64 {
	if v != v {
		v = math.NaN()
	}
	return math.Float64bits(v)
}

// constant reports whether all values have the same bits.
func constant(values []float64) bool {
	for _, v := range values {
		if valueBits(v) != valueBits(values[0]) {
			return false
		}
	}
	return len(values) > 0
}

// entries calls visit for each entry of the packed samples: the index of its unit, and one value for
// all rounds or one for each of them.
func (r *resultRow) entries(visit func(unit int, values []byte) error) error {
	for rest := r.samples; len(rest) > 0; {
		if len(rest) < headerLen {
			return errors.New("its samples end early")
		}
		unit, one := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		n := headerLen + 8
		if one == 0 && 0 < r.rounds && r.rounds <= len(rest)/8 { // otherwise the row is damaged
			n = headerLen + 8*r.rounds
		}
		if one > 1 || len(rest) < n || one == 0 && n != headerLen+8*r.rounds {
			return fmt.Errorf("%d rounds and other numbers of values", r.rounds)
		}
		if err := visit(int(unit), rest[headerLen:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// units iterates over the indexes of the row's units. Reading the values returns the errors.
func (r *resultRow) units() iter.Seq[int] {
	return func(yield func(int) bool) {
		_ = r.entries(func(unit int, _ []byte) error {
			if !yield(unit) {
				return io.EOF
			}
			return nil
		})
	}
}

// space holds preallocated rounds and values. Allocating them for many benchmarks at once is
// cheaper.
type space struct {
	rounds []record.Round
	values []float64
	before []record.Round // of the previous row
}

func take[T any](free *[]T, n int) []T {
	if len(*free) < n {
		*free = make([]T, max(n, 1000))
	}
	taken := (*free)[:n:n]
	*free = (*free)[n:]
	return taken
}

// unpack sets the rounds and samples of b, in the order of CompareUnits. units are the names of the
// benchmark's units.
func (r *resultRow) unpack(b *record.Benchmark, units []string, free *space) error {
	room := free.rounds
	b.Rounds = take(&free.rounds, r.rounds)
	for c, column := range r.columns {
		if err := unpackRounds(c, column, b.Rounds); err != nil {
			return err
		}
	}
	if len(room) >= r.rounds && slices.Equal(b.Rounds, free.before) { // as in most rows of a history
		clear(b.Rounds)
		b.Rounds, free.rounds = free.before, room
	}
	free.before = b.Rounds
	b.Samples = make([]record.Samples, 0, 4)
	return r.entries(func(unit int, packed []byte) error {
		if unit >= len(units) {
			return fmt.Errorf("unit %d of %d", unit, len(units))
		}
		values := take(&free.values, r.rounds)
		for i := range values {
			values[i] = math.Float64frombits(nth(packed, i))
			if values[i] != values[i] {
				continue // no value in this round
			}
			if err := checkValue(values[i]); err != nil {
				return fmt.Errorf("%s: %w", units[unit], err)
			}
		}
		b.Samples = append(b.Samples, record.Samples{Unit: units[unit], Values: values})
		return nil
	})
}

func unpackRounds(column int, packed []byte, rounds []record.Round) error {
	if packed == nil {
		for i := 0; i < len(rounds) && column == numbers; i++ {
			rounds[i].N = i + 1
		}
		return nil
	}
	if len(packed) != 8 && len(packed) != 8*len(rounds) {
		return fmt.Errorf("%d rounds and %d bytes of %s", len(rounds), len(packed), columnNames[column])
	}
	for i := range rounds {
		if err := setField(column, &rounds[i], nth(packed, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(v float64) error {
	if v < 0 || v != v || math.IsInf(v, 0) {
		return fmt.Errorf("%v is not a finite number of 0 or more", v)
	}
	return nil
}
