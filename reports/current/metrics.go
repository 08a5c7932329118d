package current

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports/openmetrics"
	"github.com/perftrack/perftrack/runner/record"
)

// MaxSeries is the maximum number of series of benchmarks. Prometheus keeps each of them in memory,
// and a scrape has ten seconds.
const MaxSeries = 10_000

// maxCounted is the maximum number of commits that are named, and of targets and units for which the
// series left out are counted apart.
const maxCounted = 1_000

// families has the families of the units that have one, by their tidied units. All other units
// share otherUnits.
var families = map[string]openmetrics.Family{
	"sec/op":    family("seconds_per_op", "Median time of an operation."),
	"B/s":       family("bytes_per_second", "Median rate of processed bytes."),
	"ops/s":     family("ops_per_second", "Median rate of operations."),
	"B/op":      family("bytes_per_op", "Median of the bytes allocated by an operation."),
	"allocs/op": family("allocs_per_op", "Median number of allocations of an operation."),
}

var (
	otherUnits = openmetrics.Family{Name: "perftrack_benchmark_value", Kind: openmetrics.Gauge, Help: "Median of a benchmark in the unit that the label names."}
	commits    = openmetrics.Family{Name: "perftrack_benchmark_commit", Kind: openmetrics.Gauge, Help: "Number of series whose value is of this commit."}
	leftOut    = openmetrics.Family{Name: "perftrack_benchmark_series_left_out", Kind: openmetrics.Gauge, Help: fmt.Sprintf("Series of benchmarks beyond the limit of %d.", MaxSeries)}
)

func family(unit, help string) openmetrics.Family {
	return openmetrics.Family{Name: "perftrack_benchmark_" + unit, Kind: openmetrics.Gauge, Unit: unit, Help: help}
}

// A LeftOut counts the series of a target's unit beyond the limit.
type LeftOut struct {
	Target, Unit string // "" for all that are not counted apart
	Series       int
}

// WriteMetrics writes the medians as gauges, in base units. It writes at most most series, times
// first, and returns what it left out.
func WriteMetrics(w *openmetrics.Writer, values []Value, most int) (left []LeftOut) {
	list := make([]gauge, 0, len(values))
	for _, v := range values {
		if g := gaugeOf(v); finite(g.value) {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b gauge) int { return compareFamilies(a.unit, b.unit) })
	kept := list[:min(len(list), most)]
	for i, g := range kept {
		if i == 0 || compareFamilies(kept[i-1].unit, g.unit) != 0 {
			w.Family(familyOf(g.unit))
		}
		labels := []string{"target", g.Target, "package", g.Package, "suite", g.Suite, "benchmark", g.Name, "environment", g.Environment}
		if familyOf(g.unit) == otherUnits {
			labels = append(labels, "unit", g.unit)
		}
		w.Sample(g.value, labels...)
	}
	writeCommits(w, kept)
	left = countLeft(list[len(kept):])
	w.Family(leftOut)
	for _, l := range left {
		w.Sample(float64(l.Series), "target", l.Target, "unit", l.Unit)
	}
	if len(left) == 0 {
		w.Sample(0)
	}
	return left
}

// writeCommits writes the commits of the values. They are no labels of the values, because each commit
// would then begin new series.
func writeCommits(w *openmetrics.Writer, kept []gauge) {
	count := map[[2]string]int{}
	for _, g := range kept {
		count[[2]string{g.Target, g.Commit}]++
	}
	if len(count) == 0 {
		return
	}
	w.Family(commits)
	keys := slices.SortedFunc(maps.Keys(count), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, key := range keys[:min(len(keys), maxCounted)] {
		w.Sample(float64(count[key]), "target", key[0], "commit", key[1])
	}
}

// A gauge is a value in base units.
type gauge struct {
	Value
	unit  string // tidied
	value float64
}

// gaugeOf divides where a factor is below 1, so that 102 ns are 1.02e-07 s and not 1.0200000000000001e-07.
func gaugeOf(v Value) gauge {
	one, unit := units.Tidied(record.Samples{Unit: v.Unit, Values: []float64{1}})
	factor := one[0]
	if factor < 1 {
		return gauge{v, unit, v.Center / math.Round(1/factor)}
	}
	return gauge{v, unit, v.Center * factor}
}

// compareFamilies orders the families as the units of go test, with the other units last.
func compareFamilies(a, b string) int {
	switch x, y := familyOf(a), familyOf(b); {
	case x == y:
		return 0
	case x == otherUnits:
		return 1
	case y == otherUnits:
		return -1
	}
	return units.Compare(a, b)
}

func familyOf(unit string) openmetrics.Family {
	if f, ok := families[unit]; ok {
		return f
	}
	return otherUnits
}

// countLeft counts gauges by target and unit.
func countLeft(list []gauge) (left []LeftOut) {
	at := map[LeftOut]int{}
	for _, g := range list {
		key := LeftOut{Target: g.Target, Unit: g.unit}
		if _, known := at[key]; !known && len(at) >= maxCounted {
			key = LeftOut{}
		}
		at[key]++
	}
	for key, n := range at {
		left = append(left, LeftOut{key.Target, key.Unit, n})
	}
	slices.SortFunc(left, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Unit, b.Unit))
	})
	return left
}

// Metrics returns the medians in OpenMetrics text. left has a sentence if there are series beyond the
// limit.
func Metrics(values []Value) (text []byte, left []string) {
	var w openmetrics.Writer
	if list := WriteMetrics(&w, values, MaxSeries); len(list) > 0 {
		left = []string{leftWords(list)}
	}
	return w.Text(), left
}

// leftWords returns a sentence about the series left out.
func leftWords(list []LeftOut) string {
	const named = 5
	total, words := 0, ""
	for i, l := range list {
		total += l.Series
		if i < named {
			words += fmt.Sprintf("%d of target %q in %q, ", l.Series, l.Target, l.Unit)
		}
	}
	if len(list) > named {
		words += "and others"
	}
	return fmt.Sprintf("left out %d series, because there are more than %d: %s", total, MaxSeries, strings.TrimSuffix(words, ", "))
}
