package workloads

import (
	"strings"
	"testing"
)

func TestModelName(t *testing.T) {
	for _, tc := range []struct{ cpuinfo, want string }{
		{"processor\t: 0\nmodel\t\t: 85\nmodel name\t: A CPU: the @ 2.50GHz one \nstepping\t: 7\n\nprocessor\t: 1\nmodel name\t: Another\n", "A CPU: the @ 2.50GHz one"},
		{"processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n", ""},
		{"", ""},
	} {
		if got := modelName(strings.NewReader(tc.cpuinfo)); got != tc.want {
			t.Errorf("modelName(%q) = %q, want %q", tc.cpuinfo, got, tc.want)
		}
	}
}
