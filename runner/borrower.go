package runner

import (
	"errors"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A borrower is the program of a side that builds some benchmarks from the other side's test files.
type borrower struct {
	*gotestProgram                // built with the side's own test files
	with           *gotestProgram // built with the other side's test files
	lent           map[Slot]bool  // slots measured by the program in the field with
}

// of returns the program that measures s. If a function is lent, so are its sub-benchmarks.
func (b *borrower) of(s Slot) *gotestProgram {
	function, _, _ := strings.Cut(s.Bench, "/")
	if b.lent[s] || b.lent[s.of(function)] {
		return b.with
	}
	return b.gotestProgram
}

// divide splits slots into those measured by the side's own program and those measured with
// borrowed test files.
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

func (b *borrower) binary(s Slot) turnstile.Program { return b.of(s).binary(s) }

func (b *borrower) codeOf(s Slot) string { return b.of(s).codeOf(s) }

func (b *borrower) close() error { return errors.Join(b.gotestProgram.close(), b.with.close()) }

// overlayOf returns the -overlay file p was built with, or "".
func overlayOf(p program) string {
	if b, ok := p.(*borrower); ok {
		return b.with.overlay
	}
	return ""
}
