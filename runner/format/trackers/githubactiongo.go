package trackers

import (
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
			out[last].addMetric(metric{b.value, b.unit})
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

// addMetric adds a figure, unless there is one in its unit.
func (b *actionBench) addMetric(m metric) {
	if m.unit == b.unit {
		return
	}
	for _, have := range b.more {
		if have.unit == m.unit {
			return
		}
	}
	b.more = append(b.more, m)
}
