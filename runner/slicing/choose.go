package slicing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/turnstile"
)

const (
	// usualLength is that of a slice: below the time slice of a scheduler, and long against what
	// starts and ends one.
	usualLength = 2 * time.Millisecond

	// longest is the length from which on slices are no better than fresh processes: the
	// machine changes meanwhile.
	longest = 50 * time.Millisecond

	// leastSlices is how many pairs of slices a round has at least.
	leastSlices = 20
)

// Choose decides how a benchmark is measured, from what it does in a few slices. Of the spec it
// needs the sides, the name, the flags, the CPUs and the time limit. long is what a fresh process
// of each side printed of the benchmark, of about the time benchtime; that is also how long each
// side is to be timed in a round. threshold is the smallest change that matters, as a share: 0 is
// 5 %. The error is that of the machine or of ctx: a benchmark that cannot be sliced is a Way that says
// why.
func Choose(ctx context.Context, spec turnstile.Spec, long [2]*benchfmt.Result, benchtime time.Duration, threshold float64) (Way, error) {
	perOp := math.Sqrt(value(long[0], "ns/op") * value(long[1], "ns/op"))
	if !(perOp > 0) {
		return fresh("it has no time per operation"), nil
	}
	if err := turnstile.Supported(); err != nil {
		return fresh(err.Error()), nil
	}
	w := Way{N: max(1, int(math.Round(float64(usualLength)/perOp))), Estimator: Sum}
	w.Length = time.Duration(float64(w.N) * perOp)
	if w.Length > longest {
		return fresh(fmt.Sprintf("an operation takes %v", w.Length.Round(time.Millisecond))), nil
	}
	w.Slices = max(leastSlices, int(benchtime/w.Length))
	round, err := w.Measure(ctx, spec, 0, 0)
	var cannot *turnstile.SliceError
	switch {
	case errors.As(err, &cannot):
		return fresh(cannot.Why), nil
	case err != nil:
		return Way{}, err
	}
	_ = round
	return w, nil
}

// fresh is the way of a benchmark that is measured in fresh processes.
func fresh(why string) Way { return Way{Why: why} }

// value is that of a unit as the benchmark printed it, 0 if it has none.
func value(r *benchfmt.Result, unit string) float64 {
	if r == nil {
		return 0
	}
	if v := valueOf(r, 0, unit); !math.IsNaN(v) {
		return v
	}
	return 0
}
