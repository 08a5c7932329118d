// Package current writes the current medians of benchmarks in the formats of other tools: Bencher,
// github-action-benchmark and OpenMetrics. These formats describe one state, without samples and
// without history.
//
// [Of] computes the medians of a run. Each format has a file.
package current

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Value is the median of a benchmark's samples in one unit, with the interval of the median at the
// level [reports.Confidence]. Both are what perftrack run shows. Lo and Hi are infinite if there are
// too few samples.
type Value struct {
	Target string
	record.BenchmarkID
	Commit      string // short, and marked if the work tree had changes; "" if unknown
	Environment string // an EnvironmentID
	Unit        string // as the benchmark printed it
	Better      int    // +1 if higher is better, -1 if lower is, 0 if unknown
	compare.Summary
}

// Of returns the values of a run's benchmarks in the order of their ids and units. scopes is the
// number of scopes, which have no values, because the other tools know only benchmarks.
func Of(r *record.Run) (values []Value, scopes int) {
	commit := record.ShortHash(r.Commit.SHA)
	if r.Commit.Dirty {
		commit += "+dirty"
	}
	environment := r.Env.EnvironmentID()
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		if b.Kind != record.Bench {
			scopes++
			continue
		}
		for _, s := range b.Series() {
			// Without a unit, the median stays in the unit of the samples.
			sum, _ := compare.Summarize(record.Samples{Values: s.Values}, r.Exact(s.Unit), reports.Confidence)
			if sum.N == 0 || !finite(sum.Center) {
				continue
			}
			values = append(values, Value{Target: r.Target, BenchmarkID: b.BenchmarkID, Commit: commit, Environment: environment, Unit: s.Unit, Better: r.Better(s.Unit), Summary: sum})
		}
	}
	Sort(values)
	return values, scopes
}

// Direct sets the directions that ruled returns for a unit of a benchmark; 0 keeps the program's.
func Direct(values []Value, ruled func(bench, unit string) int) {
	for i := range values {
		v := &values[i]
		v.Better = cmp.Or(ruled(v.Name, v.Unit), v.Better)
	}
}

// Sort sorts values by target, benchmark and unit.
func Sort(values []Value) {
	slices.SortFunc(values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), a.BenchmarkID.Compare(b.BenchmarkID), record.CompareUnits(a.Unit, b.Unit))
	})
}

// bounded reports whether the interval of the median is known.
func (v *Value) bounded() bool { return finite(v.Lo) && finite(v.Hi) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// fullName returns the name of the benchmark in a tool that has only names. It has all parts of the
// benchmark's identity, so it stays the same when another target, suite or package is added.
func (v *Value) fullName() string {
	name := v.Name
	if v.Package != "" {
		name = v.Package + "." + name
	}
	parts := slices.DeleteFunc([]string{v.Target, v.Suite, name}, func(s string) bool { return s == "" })
	return strings.ToValidUTF8(strings.Join(parts, ":"), "\uFFFD")
}

// A tally counts what a format leaves out, by the reason.
type tally struct {
	reasons []string
	counts  map[string]int
	first   map[string]string
}

// add counts a value.
func (t *tally) add(reason, name string) {
	if t.counts == nil {
		t.counts, t.first = map[string]int{}, map[string]string{}
	}
	if t.counts[reason]++; t.counts[reason] == 1 {
		t.reasons = append(t.reasons, reason)
		t.first[reason] = name
	}
}

// notes returns a sentence for each reason.
func (t *tally) notes() (out []string) {
	for _, reason := range t.reasons {
		n := t.counts[reason]
		words := t.first[reason]
		if n > 1 {
			words = fmt.Sprintf("%s and %d more", words, n-1)
		}
		out = append(out, fmt.Sprintf("left out %s: %s: %s", reports.Plural(n, "value"), reason, words))
	}
	return out
}
