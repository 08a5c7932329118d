package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A periodic event, such as a garbage collection, biases the result if all slices have the same
// number of iterations, because the slices of one side may then contain one event more than the
// other's. TestLiveStarts checks that a change of 3 % is measured as 3 % with any starting number
// of iterations.
//
//	PERFTRACK_LIVE=full go test -run 'LiveStarts/quiet' -v -timeout 1h ./cmd/perftrack
//
// measures 20 trials of 15 rounds that start with 0.7 to 1.3 times the chosen number.
// LiveStarts/disturbed measures 10 trials with the disturber.
func TestLiveStarts(t *testing.T) {
	if !full() {
		t.Skip("it takes minutes: PERFTRACK_LIVE=full go test -run LiveStarts -v -timeout 1h ./cmd/perftrack")
	}
	for _, machine := range []string{"quiet", "disturbed"} {
		t.Run(machine, func(t *testing.T) {
			m := newWorkModule(t)
			sides, trials := m.layouts(60), checksOr(t, 20)
			if machine == "disturbed" {
				trials = checksOr(t, 10)
				m.disturb()
			}
			for _, bench := range []string{"Allocate", "Flush"} {
				t.Run(bench, func(t *testing.T) { starts(t, sides, bench, trials) })
			}
		})
	}
}

// layouts builds both sides of a 3 % change with n layouts each. A trial uses fifteen of them. More
// are needed because a single layout, or the layouts of a single trial, may be off by a percent.
func (m workModule) layouts(n int) (sides [][2]turnstile.Program) {
	for seed := range n {
		sides = append(sides, [2]turnstile.Program{{Binary: m.binaryOf("live", seed+1)}, {Binary: m.binaryOf("plus-3", seed+1)}})
	}
	return sides
}

func starts(t *testing.T, sides [][2]turnstile.Program, bench string, trials int) {
	const rounds, truth = 15, 3.0
	spec := turnstile.Spec{Sides: sides[0], Name: bench, Timeout: time.Minute}
	const affords = 10 * time.Second // what a check of two benchmarks can afford in its default budget
	way, err := slicing.Choose(t.Context(), spec, longResults(t, spec), 100*time.Millisecond, slicing.Affords{Round: affords}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if way.Sliced() {
		fmt.Printf("%s: chosen %d iterations in %s\n", bench, way.N, wayText(way))
	} else {
		fmt.Printf("%s: fresh processes, whose numbers of iterations are never the same: %s\n", bench, way.Why)
	}
	estimates, missed, missing := []float64(nil), 0, 0
	coins := rand.New(rand.NewPCG(1, 1))
	for i := range trials {
		w := way
		w.N = int(float64(way.N) * (0.7 + 0.6*float64(i)/float64(max(1, trials-1))))
		var pairs []stat.Pair
		for round := 1; round <= rounds; round++ {
			spec.Sides = sides[(i*rounds+round)%len(sides)]
			first := coins.IntN(2)
			values, err := oneRound(t, w, spec, round, first)
			if err != nil {
				missing++
				continue
			}
			pairs = append(pairs, stat.Pair{Base: values[0], Head: values[1], HeadFirst: first == 1})
		}
		d := stat.Replay(stat.Trial{Series: []stat.Series{{Better: -1, Threshold: 0.05, Pairs: pairs}}, Sessions: []int{len(pairs)}},
			stat.Options{Plan: stat.FixedPlan(len(pairs))})[0]
		shift := d.Shift
		estimates = append(estimates, 100*shift.Center)
		inside := 100*shift.Lo <= truth && truth <= 100*shift.Hi
		if !inside {
			missed++
		}
		fmt.Printf("%2d: N %d: %+.2f %% [%+.2f, %+.2f]%s\n", i+1, w.N, 100*shift.Center, 100*shift.Lo, 100*shift.Hi, map[bool]string{false: " without 3 %"}[inside])
	}
	mean, sd := moments(estimates)
	fmt.Printf("%s: mean of the estimates %+.2f +- %.2f %% (SD of one %.2f), %d of %d intervals leave 3 %% out, %d rounds were missing\n",
		bench, mean, sd/math.Sqrt(float64(trials)), sd, missed, trials, missing)
	if math.Abs(mean-truth) > 0.7 || missed > 1 {
		t.Errorf("the mean is to be within 0.7 of 3 %%, and at most 1 of %d intervals without it", trials)
	}
}

// oneRound returns the ns/op of both sides in one round, measured in slices or in fresh processes.
func oneRound(t *testing.T, w slicing.Method, spec turnstile.Spec, round, first int) (values [2]float64, err error) {
	t.Helper()
	if !w.Sliced() {
		for _, side := range []int{first, 1 - first} {
			values[side] = sample(t, spec.Sides[side].Binary, spec.Name, "100ms")
		}
		return values, nil
	}
	r, err := w.Measure(t.Context(), spec, round, first)
	if err != nil {
		return values, err
	}
	return [2]float64{nsOf(t, r.Results[0]), nsOf(t, r.Results[1])}, nil
}

// longResults returns the results of both sides, each from a fresh process.
func longResults(t *testing.T, spec turnstile.Spec) (long [2]*benchfmt.Result) {
	t.Helper()
	for i, side := range spec.Sides {
		long[i] = printed(t, side.Binary, spec.Name, "100ms")
	}
	return long
}

func nsOf(t *testing.T, r *benchfmt.Result) float64 {
	t.Helper()
	for _, unit := range []string{"ns/op", "sec/op"} {
		if v, ok := r.Value(unit); ok {
			return v
		}
	}
	t.Fatalf("%s has no time", r.Name)
	return 0
}

// printed returns the result of a benchmark in a fresh process.
func printed(t *testing.T, binary, bench, benchtime string) *benchfmt.Result {
	t.Helper()
	r := benchfmt.NewReader(strings.NewReader(printedText(t, binary, bench, benchtime)), bench)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			return res.Clone()
		}
	}
	t.Fatalf("%s printed no result", bench)
	return nil
}
