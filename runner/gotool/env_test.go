package gotool

import (
	"testing"
)

func TestGoFlags(t *testing.T) {
	for _, tt := range []struct{ goflags, linker, performance string }{
		{"", "", ""},
		{"-buildvcs=false -mod=mod", "", ""},
		{"'-ldflags=-s -w' -ldflags=-X=a.b=c", "-X=a.b=c", "-ldflags=-s -w -ldflags=-X=a.b=c"},
		{"-v \"--ldflags=-s -w\"", "-s -w", "--ldflags=-s -w"},
		{"-ldflags=-s --tags=noasm", "-s", "-ldflags=-s --tags=noasm"},
		{"-gcflags=-N -trimpath", "", "-gcflags=-N"},
	} {
		if got := LinkerFlags(tt.goflags); got != tt.linker {
			t.Errorf("LinkerFlags(%q) = %q, want %q", tt.goflags, got, tt.linker)
		}
		if got := PerformanceFlags(tt.goflags); got != tt.performance {
			t.Errorf("PerformanceFlags(%q) = %q, want %q", tt.goflags, got, tt.performance)
		}
	}
}
