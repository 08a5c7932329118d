package rust

import (
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// prefixes are the SI prefixes before a count, as in Melem/s.
var prefixes = map[string]float64{"": 1, "K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}

// counts are the things of which Criterion and divan print so many a second, with their unit.
var counts = []struct{ suffix, unit string }{
	{"elem/s", "elements/s"}, {"item/s", "items/s"}, {"char/s", "chars/s"},
}

// throughputValue returns a throughput as a tool prints it: bytes, bits or other things a second.
func throughputValue(v float64, unit string) (reading.Value, bool) {
	for _, c := range counts {
		prefix, ok := strings.CutSuffix(unit, c.suffix)
		if factor := prefixes[prefix]; ok && factor > 0 {
			return reading.Value{V: v * factor, Unit: c.unit, From: unit}, true
		}
	}
	if prefix, ok := strings.CutSuffix(unit, "b/s"); ok && prefixes[prefix] > 0 {
		return reading.Value{V: v * prefixes[prefix] / 8e6, Unit: "MB/s", From: unit}, true
	}
	if u := reading.UnitOf(unit); u.Go == "MB/s" {
		return u.Value(v), true
	}
	return reading.Value{}, false
}
