package record

import (
	"crypto/sha256"
	"maps"

	"golang.org/x/perf/benchfmt"
)

// A Stream is a [Builder] that holds one run at a time: it hands each on as soon as the
// results of another one begin. That is right for what [Writer] wrote, and for most
// other files, but not where the results of one run stand apart, as when cat made a
// file of several. Only the end of the input tells, and so do lines that cannot be read.
// An input is therefore read twice: by a Stream that only checks, and by [Stream.Again].
type Stream struct {
	builder Builder
	emit    func(*Packed) error
	ended   map[[sha256.Size]byte]bool // headers of the runs that were handed on
	apart   bool
	err     error // the first, of a run or of emit
}

// NewStream returns a Stream that hands runs to emit. See [Builder] for base. A nil emit
// only checks.
func NewStream(base Run, emit func(*Packed) error) *Stream {
	s := &Stream{builder: Builder{Default: base}, emit: emit, ended: map[[sha256.Size]byte]bool{}}
	s.builder.begin = s.begin
	return s
}

// Again returns a Stream for the same input once more, which knows the units that s has
// seen declared.
func (s *Stream) Again(emit func(*Packed) error) *Stream {
	again := NewStream(s.builder.Default, emit)
	again.builder.units = maps.Clone(s.builder.units)
	return again
}

// Add takes one record, as [Builder.Add] does.
func (s *Stream) Add(rec benchfmt.Record) error { return s.builder.Add(rec) }

// Err returns why a run could not be built, or what emit returned. Nothing is handed on
// after it.
func (s *Stream) Err() error { return s.err }

// Finish hands on the last run. whole is false where the results of one run stood apart,
// and the runs that were handed on are parts of some: such an input is one for a Builder.
func (s *Stream) Finish() (whole bool, err error) {
	s.flush()
	return !s.apart, s.err
}

func (s *Stream) begin(key string) {
	s.flush()
	id := sha256.Sum256([]byte(key))
	s.apart = s.apart || s.ended[id]
	s.ended[id] = true
}

// flush hands on the runs that were assembled so far: one, or one for each GOMAXPROCS.
func (s *Stream) flush() {
	b := &s.builder
	if s.err == nil && len(b.groups) > 0 {
		runs, err := b.Packed()
		for _, r := range runs {
			if err == nil && s.emit != nil {
				err = s.emit(r)
			}
		}
		s.err = err
	}
	b.groups, b.byKey, b.last = nil, nil, above{}
}
