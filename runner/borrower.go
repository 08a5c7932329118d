package runner

import (
	"errors"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A borrower is a side of which some benchmarks are built with the test files of the other side.
type borrower struct {
	*gotestProgram                // built with its own
	with           *gotestProgram // built with the other side's
	lent           map[Slot]bool  // measured by with
}

// of returns what measures a slot, or a benchmark of its function.
func (b *borrower) of(s Slot) *gotestProgram {
	function, _, _ := strings.Cut(s.Bench, "/")
	if b.lent[s] || b.lent[s.of(function)] {
		return b.with
	}
	return b.gotestProgram
}

// divide divides slots among the two.
func (b *borrower) divide(slots []Slot) (own, lent []Slot) {
	for _, s := range slots {
		if b.of(s) == b.with {
			lent = append(lent, s)
		} else {
			own = append(own, s)
		}
	}
	return own, lent
}

func (b *borrower) lacking(seed uint64, slots []Slot) []linkJob {
	own, lent := b.divide(slots)
	return append(b.gotestProgram.lacking(seed, own), b.with.lacking(seed, lent)...)
}

func (b *borrower) use(seed uint64, slots []Slot) error {
	own, lent := b.divide(slots)
	return errors.Join(b.gotestProgram.use(seed, own), b.with.use(seed, lent))
}

func (b *borrower) command(s Slot) proc.Command { return b.of(s).command(s) }

func (b *borrower) binary(s Slot) turnstile.Side { return b.of(s).binary(s) }

func (b *borrower) codeOf(s Slot) string { return b.of(s).codeOf(s) }

func (b *borrower) close() error { return errors.Join(b.gotestProgram.close(), b.with.close()) }

// overlayOf is the file of -overlay with which a program was built, or "".
func overlayOf(p program) string {
	if b, ok := p.(*borrower); ok {
		return b.with.overlay
	}
	return ""
}
