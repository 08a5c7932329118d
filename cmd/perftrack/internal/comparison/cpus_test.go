package comparison

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// Runs on other CPUs are no evidence, whichever of the two is pinned.
func TestSameFacts(t *testing.T) {
	gotest := record.Settings{{Key: "goos", Value: "linux"}, {Key: "layout", Value: "rotate"}, {Key: "build-flags"}}
	command := record.Settings{{Key: "goos", Value: "linux"}, {Key: "layout", Value: "default"}}
	pinned := append(slices.Clone(command), record.Setting{Key: "cpu-affinity", Value: "1"})
	with := func(s record.Settings, settings ...string) record.Settings {
		s = slices.Clone(s)
		for i := 0; i < len(settings); i += 2 {
			s = s.Set(settings[i], settings[i+1])
		}
		return s
	}
	run := func(settings ...string) record.Settings { return with(nil, settings...) }
	for i, tt := range []struct {
		env  record.Settings
		run  record.Settings
		want bool
	}{
		{gotest, run("goos", "linux", "layout", "rotate", "simd", "avx2"), true},
		{gotest, run("goos", "linux", "layout", "default"), false},
		{gotest, run("goos", "linux"), false},
		{gotest, run("goos", "linux", "layout", "rotate", "gogc", "off"), false},
		{command, run("goos", "linux", "layout", "default"), true},
		{command, run("goos", "linux", "layout", "default", "cpu-affinity", "1"), false},
		{pinned, run("goos", "linux", "layout", "default", "cpu-affinity", "1"), true},
		{pinned, run("goos", "linux", "layout", "default", "cpu-affinity", "0-1"), false},
		{pinned, run("goos", "linux", "layout", "default"), false},
		{with(command, "gomaxprocs", "2"), run("goos", "linux", "layout", "default", "gomaxprocs", "in names"), true},
		{with(command, "gomaxprocs", "2"), run("goos", "linux", "layout", "default", "gomaxprocs", "4"), false},
		{with(gotest, "gomaxprocs", "2", "goversion", "go1.26"), run("goos", "linux", "layout", "rotate", "gomaxprocs", "in names", "goversion", "go1.26"), false},
	} {
		if got := SameEnvironment(tt.env, tt.run); got != tt.want {
			t.Errorf("%d: %v and %v: %v", i, tt.env, tt.run, got)
		}
	}
}
