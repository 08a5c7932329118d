package trackers

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// mergeGo joins the figures of a line of `go test -bench`. Of a line with several figures, the action
// writes the first with the rest of the line as its unit, as it did before 1.18, and then each
// figure as a benchmark called "name - unit". A name may end in its package: "name (pkg)".
func mergeGo(all []actionBench) []actionBench {
	var out []actionBench
	for _, b := range all {
		b.goParts()
		if last := len(out) - 1; b.sub != "" && last >= 0 && out[last].ownName == b.ownName && out[last].pkg == b.pkg {
			out[last].join(b)
			continue
		}
		if line := strings.Fields(b.unit); len(line) > 0 {
			b.unit = line[0]
			for i := 1; i+1 < len(line); i += 2 {
				if v, err := strconv.ParseFloat(line[i], 64); err == nil {
					b.addMetric(metric{v, line[i+1]})
				}
			}
		}
		b.counted = count(b.extra, "", " times")
		b.name = strings.TrimPrefix(b.ownName, "Benchmark")
		if n := count(b.extra, "", " procs"); n > 1 && b.name != "" {
			b.name += "-" + strconv.Itoa(n)
		}
		out = append(out, b)
	}
	return out
}

// goParts splits the name of a benchmark of Go.
func (b *actionBench) goParts() {
	b.ownName = b.name
	if name, ok := strings.CutSuffix(b.ownName, " - "+b.unit); ok {
		b.ownName, b.sub = name, b.unit
	}
	if name, pkg, ok := strings.Cut(b.ownName, " ("); ok && strings.HasSuffix(pkg, ")") {
		b.ownName, b.pkg = name, strings.TrimSuffix(pkg, ")")
	}
}

// join adds the figure of an entry "name - unit". Its first one may be in the line of the benchmark, too.
func (b *actionBench) join(one actionBench) {
	m := metric{one.value, one.unit}
	have, known := b.figure(m.unit)
	why := ""
	switch {
	case slices.Contains(b.joined, m.unit):
		why = "an entry before it has the same name"
	case math.IsNaN(m.value):
		why = noValue
	case known && have != m.value:
		why = "another entry of the benchmark has another value in its unit"
	case !known:
		b.more = append(b.more, m)
	}
	b.joined = append(b.joined, m.unit)
	if why != "" {
		b.lost = append(b.lost, lost{one.line, one.name, why})
	}
}

// figure returns the figure in a unit.
func (b *actionBench) figure(unit string) (v float64, ok bool) {
	for _, m := range append([]metric{{b.value, b.unit}}, b.more...) {
		if m.unit == unit {
			return m.value, true
		}
	}
	return 0, false
}

// addMetric adds a figure, unless there is one in its unit.
func (b *actionBench) addMetric(m metric) {
	if _, known := b.figure(m.unit); !known {
		b.more = append(b.more, m)
	}
}
