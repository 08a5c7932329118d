package slicing

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// The results of a round have all units of the benchmark and as many iterations as the kept slices
// have together.
func TestMeasure(t *testing.T) {
	spec := newSpec(t, "Metrics", "MORE=10")
	w := Method{N: 100, Slices: 10}
	r, err := w.Measure(t.Context(), spec, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Kept < 2 || r.Kept > 10 || r.Spread < 0 {
		t.Errorf("%d pairs kept, spread %v", r.Kept, r.Spread)
	}
	for side, res := range r.Results {
		if n := w.iterations("Metrics", 3); res.Iters != r.Kept*n || string(res.Name.Base()) != "Metrics" || res.GetConfig("pkg") != "bench" {
			t.Errorf("side %d: %d iterations of %s", side, res.Iters, res.Name)
		}
		sec, _ := res.Value("sec/op")
		speed, _ := res.Value("B/s")
		if sec <= 0 || math.Abs(speed*sec/1000-1) > 0.01 {
			t.Errorf("side %d: %v s, %v B/s", side, sec, speed)
		}
		if allocs, ok := res.Value("allocs/op"); !ok || allocs != 0 {
			t.Errorf("side %d: %v allocations", side, allocs)
		}
	}
	for side, want := range []float64{100, 110} {
		if got, _ := r.Results[side].Value("things/op"); got != want {
			t.Errorf("side %d: %v things, want %v", side, got, want)
		}
	}
}

// A benchmark that fails midway is refused with a SliceError. A benchmark without times, a method
// without slices and the end of ctx cause other errors.
func TestMeasureFails(t *testing.T) {
	w := Method{N: 10, Slices: 30}
	var cannot *turnstile.SliceError
	if _, err := w.Measure(t.Context(), newSpec(t, "Fails"), 0, 0); !errors.As(err, &cannot) || !cannot.Failed {
		t.Errorf("a benchmark that fails: %v", err)
	}
	if _, err := w.Measure(t.Context(), newSpec(t, "Timeless"), 0, 0); err == nil || errors.As(err, &cannot) {
		t.Errorf("a benchmark without a time: %v", err)
	}
	if _, err := (Method{Why: "it is so"}).Measure(t.Context(), newSpec(t, "Integer"), 0, 0); err == nil {
		t.Error("a method without slices measures")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	w = Method{N: 1, Slices: 1000}
	if _, err := w.Measure(ctx, newSpec(t, "Slow"), 0, 0); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &cannot) {
		t.Errorf("ctx ends: %v", err)
	}
}
