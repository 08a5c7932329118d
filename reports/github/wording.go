package github

import (
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
)

// How a change and a value are written for somebody who looks for five seconds: with no more
// digits than are known. The folds have all of them.

// A kind is what a unit measures, as far as words depend on it.
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

// manifold is from which quotient on a change is a multiple rather than a percentage.
const manifold = 2

// A size is a change in words: "4.2x as slow" with "2.4 to 5.8", "+12 %" with "9 to 15".
type size struct{ text, interval string }

func (s size) String() string {
	if s.interval == "" {
		return s.text
	}
	return s.text + ",\n" + s.interval
}

// short is the size without its words: "4.2x".
func (s size) short() string {
	text, _, _ := strings.Cut(s.text, " as ")
	return text
}

// sizeOf says how much a row changed, with as many digits as the interval leaves.
func sizeOf(r *compare.Row) size {
	s := r.Shift
	bounded := s.Lo-s.Lo == 0 && s.Hi-s.Hi == 0
	known := bounded && s.Lo < s.Hi
	switch {
	case math.IsNaN(s.Center):
		if !r.Compared() || r.Delta-r.Delta != 0 {
			return size{}
		}
		return size{text: "about " + percent(r.Delta, 0)}
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

// multiple returns in which words a change is a multiple of what was, "" if it is none, and
// whether it is what was that is the multiple.
func multiple(unit string, change float64) (words string, faster bool) {
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
		return size{text: "over 9,999x " + words}
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
	s := size{text: about + at(c) + "x " + words}
	if at(lo) != at(hi) {
		s.interval = at(lo) + " to " + at(hi)
	}
	return s
}

// percentage writes a change with so many digits that its interval has one or two.
func percentage(about string, s stat.Shift, known bool) size {
	if !known {
		return size{text: about + percent(s.Center, digitsOf(math.Abs(s.Center)))}
	}
	digits := digitsOf(s.Hi - s.Lo)
	oneSign := s.Lo > 0 || s.Hi < 0
	for nearest := min(math.Abs(s.Lo), math.Abs(s.Hi)); oneSign && digits < 3 && bare(nearest, digits) == bare(0, digits); {
		digits++ // what is proven not to be 0 is not written as 0
	}
	if oneSign {
		lo, hi := math.Abs(s.Lo), math.Abs(s.Hi)
		return size{percent(s.Center, digits), bare(min(lo, hi), digits) + " to " + bare(max(lo, hi), digits)}
	}
	return size{percent(s.Center, digits), signed(s.Lo, digits) + " to " + signed(s.Hi, digits)}
}

// digitsOf is how many digits after the point a percentage has that is known to within width,
// a fraction.
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

// difference is a change of what has no ratio: "+2 allocs".
func difference(unit string, s stat.Shift, known bool) size {
	of := func(x float64) string {
		sign := "+"
		if x < 0 {
			sign = "-"
		}
		text := sign + spaced(amountOf(math.Abs(x), math.Abs(x), 2, unit))
		switch {
		case kindOf(unit) != allocations:
			return text
		case math.Abs(x) == 1:
			return text + " alloc"
		}
		return text + " allocs"
	}
	out := size{text: of(s.Center)}
	if known {
		out.interval = of(s.Lo) + " to " + of(s.Hi)
	}
	return out
}
