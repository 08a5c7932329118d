package decode

import (
	"crypto/sha256"
	"maps"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A Stream is a [Builder] that holds only one run at a time: it emits each run as soon as the
// results of the next run begin. This works for the output of a [record.Writer] and for most other
// files, but not if the results of one run are scattered, as in a file that was concatenated from
// several. Scattered results and errors in later lines are known only at the end of the input.
// Unless the caller keeps the runs until then, an input is therefore read twice: once by a Stream
// that only checks it, and then by the Stream that [Stream.Again] returns.
type Stream struct {
	builder   Builder
	emit      func(*Packed) error
	ended     map[headerID]int // memory that the results with a header take, for all headers so far
	order     []headerID       // keys of ended, by first appearance
	now       headerID         // of the current results
	scattered bool
	err       error // the first error, from a run or from emit
}

// NewStream returns a Stream that calls emit for each run. base is the Default of its [Builder]. If
// emit is nil, the Stream only checks the input.
func NewStream(base record.Run, emit func(*Packed) error) *Stream {
	s := &Stream{builder: Builder{Default: base}, emit: emit, ended: map[headerID]int{}}
	s.builder.begin = s.begin
	return s
}

// Again returns a Stream for a second pass over the same input. It uses the units declared in the
// first pass.
func (s *Stream) Again(emit func(*Packed) error) *Stream {
	again := NewStream(s.builder.Default, emit)
	again.builder.units = maps.Clone(s.builder.units)
	return again
}

// Complete reports whether the emitted runs have all units declared in the input. Otherwise a unit
// was declared only after a run.
func (s *Stream) Complete() bool { return !s.builder.late }

// Add adds one record, like [Builder.Add].
func (s *Stream) Add(rec benchfmt.Record) error { return s.builder.Add(rec) }

// Err returns the error of the first run that could not be built, or else the error from emit.
// Nothing is emitted after an error.
func (s *Stream) Err() error { return s.err }

// Finish emits the last run. If whole is false, the results of one run were scattered and the
// emitted runs are only parts of it; such an input requires a Builder.
func (s *Stream) Finish() (whole bool, err error) {
	s.flush()
	return !s.scattered, s.err
}

// A headerID is the hash of a run's header.
type headerID [sha256.Size]byte

func (s *Stream) begin(key string) {
	s.flush()
	s.now = sha256.Sum256([]byte(key))
	if _, known := s.ended[s.now]; known {
		s.scattered = true
		return
	}
	s.ended[s.now] = 0
	s.order = append(s.order, s.now)
}

// flush emits the runs assembled so far: a single run or one run for each GOMAXPROCS.
func (s *Stream) flush() {
	b := &s.builder
	for _, g := range b.groups {
		for _, p := range g.packs {
			s.ended[s.now] += p.size + packOverhead
		}
	}
	if s.err == nil && len(b.groups) > 0 && !s.scattered {
		runs, err := b.Packed()
		for _, r := range runs {
			if err == nil && s.emit != nil {
				err = s.emit(r)
			}
		}
		s.err = err
	}
	b.ended = b.ended || len(b.groups) > 0
	b.groups, b.byKey, b.last = nil, nil, above{}
}
