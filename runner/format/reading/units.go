package reading

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// A Unit converts the values of a file to one of Go's units, or keeps a unit that Go does not have.
type Unit struct {
	Go     string  // unit of the result, such as ns/op
	Factor float64 // of a value in the file
	From   string  // unit in the file if it is another one, or ""
}

// Value converts a value of the file.
func (u Unit) Value(v float64) Value {
	raw := v
	if u.Factor != 0 && u.Factor != 1 {
		v *= u.Factor
	}
	return Value{v, u.Go, u.From, raw}
}

// Nanoseconds per unit of time, as tools write it. A rune of the Greek alphabet and the sign for micro
// look alike.
var times = map[string]float64{
	"ps": 1e-3, "ns": 1, "nsec": 1, "nanoseconds": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "usec": 1e3, "microseconds": 1e3,
	"ms": 1e6, "msec": 1e6, "milliseconds": 1e6, "s": 1e9, "sec": 1e9, "second": 1e9, "seconds": 1e9,
	"m": 60e9, "min": 60e9, "minutes": 60e9, "h": 3600e9, "hr": 3600e9, "hours": 3600e9, "day": 86400e9,
}

// Bytes per unit of size. KB is 1000 bytes and KiB is 1024.
var sizes = map[string]float64{
	"B": 1, "byte": 1, "bytes": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
}

// perOperation are the words for an operation after a slash.
var perOperation = []string{"op", "iter", "iteration", "call", "run"}

// countable are the words for operations before a slash, as in ops/s.
var countable = []string{"ops", "op", "iter", "iterations", "iters", "calls", "hz", "Hz"}

// UnitOf returns the conversion for a unit as a file writes it. A time is the time of one operation,
// so that ms and ms/op are the same. Unknown units are kept.
func UnitOf(text string) Unit {
	clean := strings.TrimSpace(text)
	u := unitOf(clean)
	if u.Go != clean {
		u.From = clean
	}
	return u
}

func unitOf(text string) Unit {
	if text == "hz" || text == "Hz" {
		return Unit{Go: "ops/s", Factor: 1}
	}
	of, per, divided := strings.Cut(text, "/")
	of, per = strings.TrimSpace(of), strings.TrimSpace(per)
	isOp := !divided || slices.Contains(perOperation, per)
	switch seconds := times[per]; {
	case isOp && times[of] != 0:
		return Unit{Go: "ns/op", Factor: times[of]}
	case isOp && divided && sizes[of] != 0:
		return Unit{Go: "B/op", Factor: sizes[of]}
	case isOp && divided && (of == "allocs" || of == "allocations"):
		return Unit{Go: "allocs/op", Factor: 1}
	case !divided && sizes[of] != 0:
		return Unit{Go: "B", Factor: sizes[of]}
	case divided && seconds != 0 && sizes[of] != 0:
		return Unit{Go: "MB/s", Factor: sizes[of] / 1e6 * 1e9 / seconds}
	case divided && seconds != 0 && slices.Contains(countable, of):
		return Unit{Go: "ops/s", Factor: 1e9 / seconds}
	case divided && seconds != 0 && of != "":
		return Unit{Go: word(of) + "/s", Factor: 1e9 / seconds}
	}
	return Unit{Go: word(text), Factor: 1}
}

// Count converts a number of iterations, samples or CPUs to an int: 0 if it is unknown or below 1, and
// at most the largest that any platform has.
func Count(v float64) int {
	if v >= 1 {
		return int(min(v, math.MaxInt32))
	}
	return 0
}

// better lists the directions of units, other than Go's own, that are the same for every tool.
var better = map[string]string{"ops/s": "higher", "items/s": "higher", "elements/s": "higher", "req/s": "higher", "cpu-ns/op": "lower"}

// Better returns the direction of a unit that is the same for every tool, "higher" or "lower", or "".
func Better(unit string) string {
	switch unit {
	case "ns/op", "B/op", "allocs/op":
		return "lower"
	case "MB/s":
		return "higher"
	}
	return better[unit]
}

// word replaces white space, because a name or a unit of the benchmark format is one word.
func word(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), "_")
}
