package bisect

import (
	"reflect"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
)

func TestSkipReason(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"no benchmarks in example.com/m", "no benchmarks in example.com/m"},
		{"build example.com/m: exit status 1\n# example.com/m [example.com/m.test]\n./m.go:3:2: undefined: f\n./m.go:4:2: undefined: g", "build example.com/m: ./m.go:3:2: undefined: f"},
		{"build x/m: no required module provides package x/m; to add it:\n\tgo get x/m", "build x/m: no required module provides package x/m"},
		{"build target codec (make): exit status 2\n\n  cc: error\n", "build target codec (make): exit status 2: cc: error"},
		{"build target codec (make): exit status 1\n# nothing more", "build target codec (make): exit status 1"},
	} {
		if got := SkipReason(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// An unset option means the search's value, but the unit of a named benchmark defaults to ns/op.
func TestBisectOptionsDiffer(t *testing.T) {
	known := Subject{Target: "codec", Package: "x/codec", Bench: "Encode", Unit: "allocs/op", Benchtime: "1s"}
	for _, tt := range []struct {
		asked Options
		want  bool
	}{
		{Options{}, false},
		{Options{Unit: "allocs/op", Flags: measure.Flags{Bench: "BenchmarkEncode"}}, false},
		{Options{Unit: "allocs/op", Target: "codec", Package: "x/codec", Flags: measure.Flags{Bench: "Encode", Benchtime: "1s"}}, false},
		{Options{Flags: measure.Flags{Bench: "Encode"}}, true},
		{Options{Unit: "allocs/op", Flags: measure.Flags{Bench: "Decode"}}, true},
		{Options{Unit: "ns/op"}, true},
		{Options{Flags: measure.Flags{Benchtime: "2s"}}, true},
		{Options{Target: "other"}, true},
		{Options{Package: "x/other"}, true},
	} {
		if got := tt.asked.differs(known); got != tt.want {
			t.Errorf("%+v differs: %v, want %v", tt.asked, got, tt.want)
		}
	}
	if got, want := (Options{Flags: measure.Flags{Benchtime: "2s"}}).or(known), (Options{Target: "codec", Package: "x/codec", Unit: "allocs/op", Flags: measure.Flags{Bench: "Encode", Benchtime: "2s"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("filled in: %+v, want %+v", got, want)
	}
}
