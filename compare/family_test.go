package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// familyRuns returns the runs on both sides of a target with the given number of benchmarks. family
// lists the targets it was first measured with, and of is the number of targets sharing the error
// rate.
func familyRuns(t *testing.T, target string, benchmarks, of int, family string) []*record.Run {
	t.Helper()
	var runs []*record.Run
	for i, side := range []record.Side{record.Base, record.Head} {
		var rows []string
		for k := range benchmarks {
			rows = append(rows, fmt.Sprintf("B%02d 1 %d ns/op", k, 100+50*i))
		}
		r := checkedRun(t, side, strings.Join(rows, "\n"))
		r.Target = target
		if family != "" {
			r.Protocol.Family = &record.Family{Of: of, Targets: slices.Sorted(slices.Values(strings.Fields(family)))}
		}
		runs = append(runs, r)
	}
	return runs
}

// shares returns each target's portion of the error rate: alpha, and the fraction of it that bounds
// the target's flags.
func shares(opt Options, runs ...[]*record.Run) string {
	var all []*record.Run
	for _, r := range runs {
		all = append(all, r...)
	}
	c := &Comparison{Options: opt.withDefaults()}
	order := pairs.Of(pairs.BySide(all))
	portions := c.portions(order)
	var out []string
	total := 0.
	for _, p := range order {
		part := portions[p]
		total += part.alpha * part.flags
		out = append(out, fmt.Sprintf("%s %.4g %.4g", p.Target, part.alpha, part.flags))
	}
	if total > c.Options.Alpha*(1+1e-9) {
		out = append(out, fmt.Sprintf("in all %g", total))
	}
	return strings.Join(out, ", ")
}

// Targets measured together divide the error rate in proportion to their hypotheses, and targets
// checked one after the other divide it equally. No sequence of checks spends it twice.
func TestFamilies(t *testing.T) {
	of := func(target string, benchmarks, all int, family string) []*record.Run {
		return familyRuns(t, target, benchmarks, all, family)
	}
	oneSided := of("B", 1, 2, "A B")[:1]
	starved := of("C", 1, 3, "A B C")
	for _, r := range starved {
		r.Benchmarks = nil
	}
	known := func(target string, _ record.BenchmarkID, _ string) bool { return target != "B" }
	for _, tt := range []struct {
		name string
		opt  Options
		runs [][]*record.Run
		want string
	}{
		{"one of one", Options{Families: 1}, [][]*record.Run{of("A", 3, 1, "A")}, "A 0.01 1"},
		{"two together", Options{Families: 2}, [][]*record.Run{of("A", 3, 2, "A B"), of("B", 1, 2, "A B")}, "A 0.01 0.75, B 0.01 0.25"},
		{"one after the other", Options{Families: 2}, [][]*record.Run{of("A", 3, 2, "A"), of("B", 1, 2, "B")}, "A 0.005 1, B 0.005 1"},
		{"one of two", Options{Families: 2}, [][]*record.Run{of("A", 3, 2, "A")}, "A 0.005 1"},
		{"a third that joins later", Options{Families: 3}, [][]*record.Run{of("A", 3, 3, "A B"), of("B", 1, 3, "A B"), of("C", 9, 3, "C")},
			"A 0.006667 0.75, B 0.006667 0.25, C 0.003333 1"},
		{"a third that got no round", Options{Families: 3}, [][]*record.Run{of("A", 3, 3, "A B C"), of("B", 1, 3, "A B C"), starved},
			"A 0.006667 0.75, B 0.006667 0.25, C 0.003333 0"},
		{"and is measured later", Options{Families: 3}, [][]*record.Run{of("A", 3, 3, "A B C"), of("B", 1, 3, "A B C"), starved, of("C", 2, 3, "C")},
			"A 0.006667 0.75, B 0.006667 0.25, C 0.003333 1"},
		{"a side that has none", Options{Families: 2}, [][]*record.Run{of("A", 3, 2, "A B"), oneSided}, "A 0.005 1, B 0.005 0"},
		{"that says nothing", Options{Families: 4}, [][]*record.Run{of("A", 3, 0, ""), of("B", 1, 0, "")}, "A 0.005 0.75, B 0.005 0.25"},
		{"unknown to the base", Options{Families: 2, Known: known}, [][]*record.Run{of("A", 3, 0, ""), of("B", 97, 0, "")}, "A 0.01 0.9, B 0.01 0.1"},
		{"as a peer", Options{Families: 2, Peers: of("B", 1, 2, "A B")}, [][]*record.Run{of("A", 3, 2, "A B")}, "A 0.01 0.75"},
	} {
		if got := shares(tt.opt, tt.runs...); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Rounds after the first do not change the division of the error rate.
func TestFamilyIsOfTheFirstRound(t *testing.T) {
	a, b := familyRuns(t, "A", 3, 2, "A B"), familyRuns(t, "B", 1, 2, "A B")
	before := shares(Options{}, a, b)
	for _, r := range b {
		late := r.Benchmarks[0]
		late.Name = "Late"
		late.Rounds, late.Samples = late.Rounds[1:], []record.Samples{{Unit: "ns/op", Values: late.Samples[0].Values[1:]}}
		r.Benchmarks = append(r.Benchmarks, late)
		r.Benchmarks[0].Samples = append(r.Benchmarks[0].Samples,
			record.Samples{Unit: "allocs/op", Values: make([]float64, len(r.Benchmarks[0].Rounds))}, // counts repeat
			record.Samples{Unit: "MB/s", Values: make([]float64, len(r.Benchmarks[0].Rounds))})      // follows from the time
	}
	if got := shares(Options{}, a, b); got != before {
		t.Errorf("%s, and was %s", got, before)
	}
}

func TestSpent(t *testing.T) {
	for _, tt := range []struct {
		runs [][]*record.Run
		want float64
	}{
		{nil, 0},
		{[][]*record.Run{familyRuns(t, "A", 1, 3, "A B"), familyRuns(t, "B", 1, 3, "A B")}, 2. / 3},
		{[][]*record.Run{familyRuns(t, "A", 1, 3, "A"), familyRuns(t, "B", 1, 4, "B")}, 1./3 + 1./4},
		{[][]*record.Run{familyRuns(t, "A", 1, 0, "")}, 1},
		{[][]*record.Run{familyRuns(t, "A", 1, 3, "A")[:1]}, 0},
	} {
		var all []*record.Run
		for _, r := range tt.runs {
			all = append(all, r...)
		}
		if got := pairs.Spent(all); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("spent %v, want %v", got, tt.want)
		}
	}
	noted, ok := pairs.FamilyOf(familyRuns(t, "A", 1, 3, "B A"))
	if !ok || noted == nil || noted.Of != 3 || !slices.Equal(noted.Targets, []string{"A", "B"}) {
		t.Errorf("family %+v, %v", noted, ok)
	}
}
