package shortrun

import (
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	clock := time.Unix(0, 0)
	w := &watch{now: func() time.Time { return clock }, timings: Timings{}}
	for _, step := range []struct {
		after time.Duration
		text  string
	}{
		{0, "goos: linux\npkg: x\n"},
		{time.Second, "BenchmarkA/n=1-8 \t"},
		{3 * time.Second, "     100\t  12.50 ns/op\t  0 B/op\n"},
		{time.Second, "BenchmarkB\t"},
		{time.Second, " some output of it\n"},
		{time.Second, "BenchmarkC   1000000000   0.0001 ns/op\nBenchmarkD 5 NaN ns/op\n"},
	} {
		clock = clock.Add(step.after)
		if n, err := w.Write([]byte(step.text)); n != len(step.text) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	want := Timings{"A/n=1-8": {100, 12.5, 3 * time.Second}, "C": {1e9, 0.0001, 0}}
	if len(w.timings) != len(want) {
		t.Errorf("got %v, want %v", w.timings, want)
	}
	for name, timing := range want {
		if w.timings[name] != timing {
			t.Errorf("%s: got %+v, want %+v", name, w.timings[name], timing)
		}
	}
}

func TestGrows(t *testing.T) {
	for _, c := range []struct {
		few, many Timing
		want      bool
	}{
		{Timing{N: 100, Op: 10}, Timing{N: 1000, Op: 17.1}, true},
		{Timing{N: 100, Op: 10}, Timing{N: 1000, Op: 16.9}, false}, // what a busy machine does
		{Timing{N: 9, Op: 10}, Timing{N: 90, Op: 100}, false},      // too few to tell
		{Timing{N: 100, Op: 10}, Timing{N: 299, Op: 100}, false},   // not many more
	} {
		if got := grows(c.few, c.many); got != c.want {
			t.Errorf("grows(%+v, %+v) = %t", c.few, c.many, got)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, function, pattern string }{
		{"Sort", "BenchmarkSort", `^BenchmarkSort$`},
		{"Sort/n=1.5", "BenchmarkSort", `^BenchmarkSort$/^n=1\.5$`},
	} {
		if got := Function(c.name); got != c.function {
			t.Errorf("Function(%q) = %q, want %q", c.name, got, c.function)
		}
		if got := Pattern(c.name); got != c.pattern {
			t.Errorf("Pattern(%q) = %q, want %q", c.name, got, c.pattern)
		}
	}
}

// TestSetup has the times of two runs of which no further one is needed.
func TestSetup(t *testing.T) {
	ms := float64(time.Millisecond)
	for _, c := range []struct {
		name      string
		few, many Timing
		want      time.Duration
	}{
		{"nothing before", Timing{N: 4, Op: 10 * ms}, Timing{N: 40, Op: 10 * ms}, 0},
		{"100 ms before operations of 1 ms", Timing{N: 1, Op: 101 * ms}, Timing{N: 100, Op: 2 * ms}, 100 * time.Millisecond},
		{"too short to matter", Timing{N: 1, Op: 10 * ms}, Timing{N: 100, Op: 0.1 * ms}, 0},
		{"a slow first operation", Timing{N: 1, Op: 30 * ms}, Timing{N: 10, Op: 20 * ms}, 0},
	} {
		got, _, err := Binary{}.setup(t.Context(), "X", c.few, c.many, time.Now)
		if err != nil || got.Round(time.Millisecond) != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}
