package github

import (
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
)

// The visible part of a comment shows changes with only the digits that their intervals justify, so
// that they can be read at a glance. The folded parts have more digits.

// A kind is a group of units whose changes are described with the same words.
type kind int

const (
	durations kind = iota
	rates
	allocations
	memory
	others
)

func kindOf(unit string) kind {
	num, per, _ := strings.Cut(unit, "/")
	switch {
	case unit == "allocs/op":
		return allocations
	case unit == "B/op":
		return memory
	case num == "sec" || num == "s" || num == "ms" || num == "us" || num == "µs":
		return durations
	case per == "s" || strings.HasSuffix(num, "FLOPS"):
		return rates
	}
	return others
}

// manifold is the smallest ratio written as a multiple instead of a percentage.
const manifold = 2

// A size describes a change: "4.2x", "as slow", "2.4 to 5.8", or "+12 %", "", "9 to 15".
type size struct{ amount, words, interval string }

func (s size) String() string {
	text := strings.TrimSuffix(s.amount+" "+s.words, " ")
	if s.interval == "" {
		return text
	}
	return text + ",\n" + s.interval
}

// sizeOf returns the size of a row's change, with as many digits as its interval justifies.
func sizeOf(r *compare.Row) size {
	s := r.Shift
	bounded := s.Lo-s.Lo == 0 && s.Hi-s.Hi == 0
	known := bounded && s.Lo < s.Hi
	switch {
	case math.IsNaN(s.Center):
		if !r.HasDelta() || r.Delta-r.Delta != 0 {
			return size{}
		}
		return size{amount: "about " + percent(r.Delta, 0)}
	case s.Absolute:
		return difference(r.Unit, s, known)
	}
	about := ""
	if !known {
		if !bounded && !r.Exact {
			about = "about "
		}
		s.Lo, s.Hi = s.Center, s.Center
	}
	if words, faster := multiple(r.Unit, s.Center); words != "" {
		c, lo, hi := 1+s.Center, 1+s.Lo, 1+s.Hi
		if faster {
			c, lo, hi = 1/c, 1/hi, 1/lo
		}
		return times(about, words, c, lo, hi)
	}
	return percentage(about, s, known)
}

// multiple returns the words after a change written as a multiple, or "" for any other change.
// inverse reports whether the base is a multiple of the head.
func multiple(unit string, change float64) (words string, inverse bool) {
	k := kindOf(unit)
	switch {
	case 1+change >= manifold && k == durations:
		return "as slow", false
	case 1+change >= manifold && k == rates:
		return "as fast", false
	case 1+change >= manifold:
		return "as much", false
	case 1+change <= 1.0/manifold && 1+change > 0 && k == durations:
		return "as fast", true
	}
	return "", false
}

func times(about, words string, c, lo, hi float64) size {
	if c >= 10_000 || c-c != 0 {
		return size{amount: "over 9,999x", words: words}
	}
	digits := 0
	if c < 10 {
		digits = 1
	}
	at := func(x float64) string {
		if x >= 10_000 || x-x != 0 {
			return "over 9,999"
		}
		return reports.WithCommas(strconv.FormatFloat(x, 'f', digits, 64))
	}
	s := size{amount: about + at(c) + "x", words: words}
	if at(lo) != at(hi) {
		s.interval = at(lo) + " to " + at(hi)
	}
	return s
}

// percentage formats a change as a percentage, with enough digits to give the width of its interval
// one or two significant digits.
func percentage(about string, s stat.Shift, known bool) size {
	if !known {
		return size{amount: about + percent(s.Center, digitsOf(math.Abs(s.Center)))}
	}
	digits := digitsOf(s.Hi - s.Lo)
	oneSign := s.Lo > 0 || s.Hi < 0
	for nearest := min(math.Abs(s.Lo), math.Abs(s.Hi)); oneSign && digits < 3 && bare(nearest, digits) == bare(0, digits); {
		digits++ // an interval excluding 0 must not seem to include it
	}
	if oneSign {
		lo, hi := math.Abs(s.Lo), math.Abs(s.Hi)
		return size{amount: percent(s.Center, digits), interval: bare(min(lo, hi), digits) + " to " + bare(max(lo, hi), digits)}
	}
	return size{amount: percent(s.Center, digits), interval: signed(s.Lo, digits) + " to " + signed(s.Hi, digits)}
}

// digitsOf returns the number of decimals for a percentage with an interval of the given width, a
// fraction.
func digitsOf(width float64) int {
	if width <= 0 {
		return 0
	}
	return min(max(0, -int(math.Floor(math.Log10(100*width)))), 2)
}

func percent(x float64, digits int) string { return signed(x, digits) + " %" }

func signed(x float64, digits int) string {
	text := bare(x, digits)
	switch {
	case strings.Trim(text, "0.") == "":
		return text
	case x < 0:
		return "-" + text
	}
	return "+" + text
}

func bare(x float64, digits int) string {
	if x = math.Abs(x); x > 99.99 {
		return "over 9,999"
	}
	return reports.WithCommas(strconv.FormatFloat(100*x, 'f', digits, 64))
}

// difference formats an absolute change: "+2 allocs".
func difference(unit string, s stat.Shift, known bool) size {
	of := func(x float64) string {
		number, prefixed := reports.Quantity{Value: math.Abs(x), Unit: unit, Digits: 2}.In(x)
		text := "+" + spaced(number, prefixed)
		if x < 0 {
			text = "-" + text[1:]
		}
		switch {
		case kindOf(unit) != allocations:
			return text
		case math.Abs(x) == 1:
			return text + " alloc"
		}
		return text + " allocs"
	}
	out := size{amount: of(s.Center)}
	if known {
		out.interval = of(s.Lo) + " to " + of(s.Hi)
	}
	return out
}
