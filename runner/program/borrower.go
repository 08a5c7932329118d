package program

import (
	"errors"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A Borrower is the program of a side that builds some benchmarks from the other side's test files.
type Borrower struct {
	*Gotest               // built with the side's own test files
	with    *Gotest       // built with the other side's test files
	lent    map[Slot]bool // slots measured by the program in the field with
}

// Of returns the program that measures s. If a function is lent, so are its sub-benchmarks.
func (b *Borrower) Of(s Slot) *Gotest {
	function, _, _ := strings.Cut(s.Bench, "/")
	if b.lent[s] || b.lent[s.Of(function)] {
		return b.with
	}
	return b.Gotest
}

// divide splits slots into own, measured by the side's own program, and lent, measured with
// borrowed test files.
func (b *Borrower) divide(slots []Slot) (own, lent []Slot) {
	for _, s := range slots {
		if b.Of(s) == b.with {
			lent = append(lent, s)
		} else {
			own = append(own, s)
		}
	}
	return own, lent
}

func (b *Borrower) Lacking(seed uint64, slots []Slot) []LinkJob {
	own, lent := b.divide(slots)
	return append(b.Gotest.Lacking(seed, own), b.with.Lacking(seed, lent)...)
}

func (b *Borrower) Use(seed uint64, slots []Slot) error {
	own, lent := b.divide(slots)
	return errors.Join(b.Gotest.Use(seed, own), b.with.Use(seed, lent))
}

func (b *Borrower) Command(s Slot) proc.Command { return b.Of(s).Command(s) }

func (b *Borrower) Binary(s Slot) turnstile.Program { return b.Of(s).Binary(s) }

func (b *Borrower) CodeOf(s Slot) string { return b.Of(s).CodeOf(s) }

func (b *Borrower) Close() error { return errors.Join(b.Gotest.Close(), b.with.Close()) }

// OverlayOf returns the -overlay file p was built with, or "".
func OverlayOf(p Program) string {
	if b, ok := p.(*Borrower); ok {
		return b.with.overlay
	}
	return ""
}

// Lend makes the program measure s with the other side's test files.
func (b *Borrower) Lend(s Slot) { b.lent[s] = true }

// TakeBack makes the program measure s with its own test files again.
func (b *Borrower) TakeBack(s Slot) { delete(b.lent, s) }

// Lends reports whether s is measured with the other side's test files.
func (b *Borrower) Lends(s Slot) bool { return b.lent[s] }

// OwnTests returns the part of p that has the side's own test files, or nil if p is not built by go
// test.
func OwnTests(p Program) *Gotest {
	if b, ok := p.(*Borrower); ok {
		return b.Gotest
	}
	g, _ := p.(*Gotest)
	return g
}
