package limit

import (
	"math"
	"strings"
	"testing"
)

func TestParseOfProfiles(t *testing.T) {
	for _, tt := range []struct {
		parse      func(glob, text string) (Limit, error)
		text, unit string
		bound      float64
	}{
		{ParseScope, "<= 2 ms", "sec/op", 0.002},
		{ParseScope, "<= 2 ms/call", "sec/op", 0.002},
		{ParseScope, "<= 2 self-ms", OwnTime, 0.002},
		{ParseScope, "< 64 KiB", "B/op", 65536},
		{ParseScope, "< 1 self-MB/call", OwnBytes, 1e6},
		{ParseScope, "<= 0 allocs", "allocs/op", 0},
		{ParseScope, "<= 30 %", Share, 30},
		{ParseScope, "<= 30 self-%", OwnShare, 30},
		{ParseProfile, "< 100 allocated-MB", Allocated, 1e8},
		{ParseProfile, "< 100 peak-heap-MiB", PeakHeap, 100 << 20},
		{ParseProfile, "< 100 peak-resident-MB", PeakResident, 1e8},
		{ParseProfile, "<= 3 s", RunTime, 3},
		{ParseProfile, "<= 10 collections", Collections, 10},
	} {
		l, err := tt.parse("*", tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got, ok := l.Bound(tt.unit); !ok || math.Abs(got-tt.bound) > 1e-12*tt.bound {
			t.Errorf("%q in %s is %v %v, want %v", tt.text, tt.unit, got, ok, tt.bound)
		}
		if l.Bounds("X", tt.unit) || !l.BoundsOn(l.On, "X", tt.unit) {
			t.Errorf("%q of a %s bounds benchmarks, or not what it is of", tt.text, l.On)
		}
	}
}

func TestParseOfProfilesRefuses(t *testing.T) {
	for _, tt := range []struct {
		parse      func(glob, text string) (Limit, error)
		text, want string
	}{
		{ParseScope, "< 3 peak-heap-MB", "a limit for a scope must be in ms, self-ms"},
		{ParseScope, "< 3 tok/s", "a limit for a scope must be in"},
		{ParseProfile, "< 100 MB", "a limit for a profile must be in s, allocated-MB, peak-heap-MB"},
		{ParseProfile, "< 100 allocated-mb", `did you mean "allocated-MB"?`},
		{ParseProfile, "< 3 %", "a limit for a profile must be in"},
	} {
		if l, err := tt.parse("*", tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, %v; want an error with %q", tt.text, l, err, tt.want)
		}
	}
}
