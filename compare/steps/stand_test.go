package steps

import (
	"math"
	"slices"
	"testing"
)

// Each line is described by one word and one number, regardless of its steps.
func TestStand(t *testing.T) {
	time := Options{Unit: "sec/op", Better: -1}
	speed := Options{Unit: "B/s", Better: +1}
	accepted := time
	accepted.Accepted = func(_, first string) bool { return first == "a6" }
	noise := []float64{100, 101, 99, 100, 102, 100, 98, 100, 101, 100}
	for _, tt := range []struct {
		name   string
		opt    Options
		values []float64
		state  State
		change float64
		since  string
	}{
		{"steady", time, flat(20, 100), Steady, 0, ""},
		{"two runs", time, flat(2, 100), TooFew, 0, ""},
		{"one step", time, slices.Concat(flat(6, 100), flat(6, 110)), Regressed, 0.1, "a6"},
		{"two steps", time, slices.Concat(flat(8, 100), flat(8, 110), flat(8, 126.5)), Regressed, 0.265, "a8"},
		{"five steps", time, slices.Concat(flat(8, 100), flat(8, 104), flat(8, 108), flat(8, 112), flat(8, 116), flat(8, 120)), Regressed, 0.2, "a8"},
		{"of a speed", speed, slices.Concat(flat(8, 100), flat(8, 90), flat(8, 80)), Regressed, -0.2, "a8"},
		{"half gained back", time, slices.Concat(flat(6, 100), flat(6, 120), flat(6, 110)), Regressed, 0.1, "a6"},
		{"little by little", time, ramped(100, 100, 110), Drifting, 0.1, "a99"},
		{"a drift and a step", time, slices.Concat(ramped(100, 100, 110), flat(20, 140)), Regressed, 0.4, "a99"},
		{"recovered", time, slices.Concat(flat(8, 100), flat(8, 130), flat(8, 100)), Recovered, -0.23, "a16"},
		{"recovered to what it had improved to", time, slices.Concat(flat(8, 100), flat(8, 50), flat(8, 100), flat(8, 50)), Recovered, -0.5, "a24"},
		{"better than ever", time, slices.Concat(flat(8, 100), flat(8, 130), flat(8, 80)), Improved, -0.2, "a16"},
		{"twice better", time, slices.Concat(flat(8, 100), flat(8, 90), flat(8, 80)), Improved, -0.2, "a8"},
		{"accepted", accepted, slices.Concat(flat(6, 100), flat(6, 130)), Accepted, 0.3, "a6"},
		{"accepted, a little better since", accepted, slices.Concat(flat(6, 100), flat(6, 130), flat(6, 120)), Accepted, 0.2, "a6"},
		{"accepted, and recovered", accepted, slices.Concat(flat(6, 100), flat(6, 130), flat(6, 100)), Recovered, -0.23, "a12"},
		{"without a direction", Options{Unit: "furlongs"}, slices.Concat(flat(6, 100), flat(6, 90)), Changed, -0.1, "a6"},
		{"newest far off", time, slices.Concat(noise, []float64{135}), Off, 0.35, "a10"},
		{"newest far off after a step", time, slices.Concat(flat(8, 100), flat(8, 110), flat(1, 170)), Regressed, 0.1, "a8"},
		{"newest count off", Options{Unit: "allocs/op", Better: -1, Exact: true, Repeats: 10}, []float64{2, 2, 2, 2, 2, 3}, Off, 0.5, "a5"},
	} {
		got := course(tt.opt, tt.values...).Stand
		if got.State != tt.state || got.Since.Commit != tt.since || math.Abs(got.Change-tt.change) > 0.012 {
			t.Errorf("%s: %s %+.3f since %q, want %s %+.3f since %q", tt.name, got.State, got.Change, got.Since.Commit, tt.state, tt.change, tt.since)
		}
	}
}
