package slicing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/turnstile"
)

func TestChoose(t *testing.T) {
	tests := []struct {
		name string
		why  string // part of Method.Why; "" if the benchmark is sliced
	}{
		{"Integer", ""},
		{"Metrics", ""},
		{"Slow", "an operation takes "},
		{"Timeless", "it reports no time per operation"},
		{"Fails", "it failed: "},
	}
	for _, tt := range tests {
		w := chosen(t, t.Context(), newSpec(t, tt.name), 0)
		if !strings.Contains(w.Why, tt.why) || w.Sliced() != (tt.why == "") {
			t.Errorf("%s: %+v", tt.name, w)
		}
		if w.Sliced() && (w.N < 1 || w.Slices < leastSlices || w.Length <= 0) {
			t.Errorf("%s: %+v", tt.name, w)
		}
	}
}

// A benchmark that uses a pool may find it empty after the collection before each count. Its slices
// must be so long that refilling the pool adds nothing to the cost of an operation, as in a long
// sample.
func TestPoolNeedsLongSlices(t *testing.T) {
	spec := newSpec(t, "Pool")
	w := chosen(t, t.Context(), spec, 0)
	if !w.Sliced() {
		t.Skip("on this machine it is not sliced: " + w.Why)
	}
	c := chooser{ctx: t.Context(), spec: spec, plain: spec, benchtime: time.Second}
	p, err := c.probe(spec, w.N, 4, false)
	if err != nil {
		t.Fatal(err)
	}
	if !c.alike(p) {
		t.Errorf("slices of %d operations allocate, and long samples do not: %+v", w.N, p.sides)
	}
}

// Choose detects work done by a parked side, and stopping the side ends this work.
func TestRestless(t *testing.T) {
	spec := newSpec(t, "Restless")
	c := chooser{ctx: t.Context(), spec: spec, plain: spec, benchtime: time.Second}
	for stopped, want := range map[bool]bool{false: true, true: false} {
		p, err := c.probe(spec, 1000, 4, stopped)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.restless(); got != want {
			t.Errorf("stopped %v: restless %v", stopped, got)
		}
	}
}

// The cost of collections is measured for a benchmark that allocates a lot, but not for one that
// allocates little or nothing, or if collections are turned off.
func TestCollectionsAreAskedFor(t *testing.T) {
	for _, tt := range []struct {
		env   []string
		bytes float64
		want  bool
	}{{nil, 74456, true}, {nil, 0, false}, {nil, 1, false}, {[]string{"GOGC=off"}, 74456, false}} {
		spec := newSpec(t, "Map")
		for side := range spec.Sides {
			spec.Sides[side].Binary = "missing" // running it is an error
			spec.Sides[side].Env = append(spec.Sides[side].Env, tt.env...)
		}
		c := chooser{ctx: t.Context(), spec: spec, plain: spec, benchtime: time.Second, threshold: usualThreshold, long: [2]costs{{1e5, tt.bytes, 9}, {1e5, tt.bytes, 9}}}
		n, err := c.collections(10, 1e5, false)
		if asked := err != nil; asked != tt.want || !asked && n != 10 {
			t.Errorf("%v, %v bytes: %d, %v", tt.env, tt.bytes, n, err)
		}
	}
}

// Slices contain enough collections that one more or less is a small change. On a busy machine they
// contain fewer if they would otherwise be too long. If these are still too long, slices are
// refused. Here an operation takes 0.1 ms and a slice may take at most 20 ms.
func TestHeld(t *testing.T) {
	c := chooser{benchtime: 100 * time.Millisecond, threshold: usualThreshold}
	for _, tt := range []struct {
		share, perCollection float64
		busy                 bool
		want                 int // 0 if slices are refused
	}{
		{0.03, 20, false, 30}, {0.2, 20, false, 160}, {0.25, 20, false, 200}, {0.3, 20, false, 0},
		{0.2, 20, true, 100}, {0.9, 20, true, 100}, {0.03, 20, true, 30}, {0.9, 50, true, 200}, {0.9, 51, true, 0}, {0.03, 150, true, 0}, {0.03, 120, true, 180},
	} {
		n, err := c.held(tt.share, tt.perCollection, 1e5, tt.busy)
		if n != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%+v: %d, %v", tt, n, err)
		}
	}
}

// Only collections after the last forced one are counted. Their CPU time is based on a collection
// with little interference and does not include idle time.
func TestCounted(t *testing.T) {
	const line = "gc %d @0.00%ds 8%%: 0.1+0.3+0.003 ms clock, 0.2+0.1/%v/9+0.1 ms cpu, 4->4->4 MB, 2 P%s\n"
	var trace string
	for i, forced := range []bool{false, true, true, false, false, false} {
		trace += fmt.Sprintf(line, i+1, i, 0.2*float64(i), map[bool]string{true: " (forced)"}[forced]) + "gc of the benchmark's own\n"
	}
	for _, tt := range []struct {
		trace string
		want  int
		cpu   float64
	}{{trace, 3, 3e6}, {"", 0, 0}, {fmt.Sprintf(line, 7, 1, 0.2, " (forced)"), 0, 0}, {fmt.Sprintf(line, 7, 1, 0.2, ""), 7, 4.2e6}} {
		if got, cpu := counted([]byte(tt.trace)); got != tt.want || math.Abs(cpu-tt.cpu) > 1 {
			t.Errorf("%d collections of %v ns, not %d of %v, of\n%s", got, cpu, tt.want, tt.cpu, tt.trace)
		}
	}
}

// The number of operations between two collections depends on the live heap of the whole process,
// even if little of it belongs to the benchmark.
func TestBetweenCollections(t *testing.T) {
	spec := newSpec(t, "Map")
	long := longSample(t, spec, 50*time.Millisecond)
	c := chooser{ctx: t.Context(), spec: spec, plain: spec, benchtime: 50 * time.Millisecond}
	bytes := costsOf(long[0]).bytes
	least := heapMinimum / bytes
	got, _, err := c.betweenCollections(0, int(20*least), 1e5)
	if err != nil || got < least*0.8 || math.IsInf(got, 1) { // on a busy machine collections come late, so there is no upper limit
		t.Errorf("%v operations of %v bytes from one collection to the next (%v), at least %v", got, bytes, err, least)
	}
	c.plain.Sides[0].Env = append(slices.Clone(environment(c.plain.Sides[0])), "GODEBUG=madvdontneed=1", "GOGC=off")
	if got, _, err = c.betweenCollections(0, int(20*least), 1e5); err != nil || !math.IsInf(got, 1) {
		t.Errorf("%v operations from one collection to the next without any: %v", got, err)
	}
}

// Whenever ctx ends, Choose returns its error.
func TestChooseEnds(t *testing.T) {
	spec := newSpec(t, "Map")
	long := longSample(t, spec, 20*time.Millisecond)
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		w, err := Choose(ctx, spec, long, 10*time.Second, Affords{}, 0)
		cancel()
		var cannot *turnstile.SliceError
		if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &cannot) || w.Sliced() {
			t.Errorf("after %v: %+v, %v", after, w, err)
		}
	}
}

// A true change of +3 % is measured as +3 %, for any initial number of operations per slice. One
// benchmark fills a map, which allocates, on one CPU; the other flushes a buffer periodically.
//
//	PERFTRACK_LIVE=full go test -run LivePhase -v -timeout 1h ./runner/slicing
func TestLivePhase(t *testing.T) {
	live := os.Getenv("PERFTRACK_LIVE")
	if live == "" {
		t.Skip("it measures: .ci/run runs it in short, as does PERFTRACK_LIVE=short go test -run LivePhase ./runner/slicing")
	}
	starts, rounds := 2, 3
	if live == "full" {
		starts, rounds = 20, 15
	}
	for _, tt := range []struct{ name, cpu string }{{"Map", "1"}, {"Flush", "2"}} {
		spec := newSpec(t, tt.name, "MORE=3")
		spec.Flags = []string{"-test.cpu=" + tt.cpu}
		first := chosen(t, t.Context(), spec, 0)
		t.Logf("%s: %+v", tt.name, first)
		if !first.Sliced() {
			continue
		}
		sum := 0.0
		for start := range starts {
			w := first
			w.N = first.N * (starts + start) / starts
			var values []float64
			for i := range rounds {
				r, err := w.Measure(t.Context(), spec, i, i%2)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, 100*(costsOf(r.Results[1]).time/costsOf(r.Results[0]).time-1))
			}
			e := estimate(values)
			sum += e
			t.Logf("%s, %s operations: %+.2f %%", tt.name, strconv.Itoa(w.N), e)
		}
		mean := sum / float64(starts)
		t.Logf("%s: mean %+.2f %%", tt.name, mean)
		if live == "full" && (mean < 2.3 || mean > 3.7) {
			t.Errorf("%s: a true +3 %% is %+.2f %% in the mean of %d starting values", tt.name, mean, starts)
		}
	}
}

// A difference between short and long slices is accepted only if enough of the pairs agree on it.
func TestAgreed(t *testing.T) {
	eight := []float64{0.1, 0.3, 0.2, 0.2, 0.2, 0.4, 0.1, 0.2}
	but := func(logs []float64, x ...float64) []float64 {
		return slices.Concat(x, logs[len(x):])
	}
	for _, tt := range []struct {
		name string
		logs []float64
		want float64
	}{
		{"none", nil, 0},
		{"too few", eight[:6], 0},
		{"all of eight", eight, 0.2},
		{"all but one of eight", but(eight, -0.1), 0},
		{"all but two of sixteen", slices.Concat(but(eight, -0.1), but(eight, -0.1)), 0.2},
		{"all but three of sixteen", slices.Concat(but(eight, -0.1), but(eight, -0.1, -0.1)), 0},
		{"no number", but(eight, math.NaN()), 0},
		{"infinite", but(eight, math.Inf(1)), 0},
	} {
		if got := agreed(tt.logs); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Each count of this benchmark begins its walk through memory anew, so short slices stay within the
// caches and are more than twice as fast as a long run. The chosen slices must be long enough to
// avoid this, or the benchmark must not be sliced.
func TestLiveChase(t *testing.T) {
	livetest.Skip(t)
	spec := newSpec(t, "Chase")
	w := chosen(t, t.Context(), spec, 0)
	t.Logf("%+v", w)
	if !w.Sliced() {
		return
	}
	r, err := w.Measure(t.Context(), spec, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	run := math.Inf(1) // the fastest has the least interference
	for range 5 {
		run = min(run, costsOf(longSample(t, spec, 50*time.Millisecond)[0]).time)
	}
	if slice := costsOf(r.Results[0]).time; slice < run/2 {
		t.Errorf("an operation takes %v in a slice and %v in a long run", round(slice), round(run))
	}
}
