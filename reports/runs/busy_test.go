package runs

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The report has a remark if the machine was busy, and another if times scatter widely. For a quiet
// run it has no remark.
func TestRemarksOfNoise(t *testing.T) {
	const steady, wild = "100 101 99 100 101 99 100", "100 101 9000 99 100 8000 99"
	for _, tt := range []struct {
		load, times string
		want        []string
	}{
		{"0.3", steady, nil},
		{"28.6", steady, []string{"other programs kept the machine busy when measuring began (load 28.6)"}},
		{"0.3", wild, []string{"the time of 1 benchmark has an interval of ± 50 % or more"}},
		{"28.6", wild, []string{"other programs kept the machine busy", "the time of 1 benchmark has an interval"}},
		{"0.3", "100 9000", nil}, // without an interval
	} {
		text := "load: " + tt.load + "\ncpu-count: 2\n"
		for _, ns := range strings.Fields(tt.times) {
			text += "BenchmarkSort 100 " + ns + " ns/op 0 allocs/op\n"
		}
		remarks := Report(compare.Limits{}, runtest.Read(t, text)).Remarks
		if len(remarks) != len(tt.want) {
			t.Errorf("load %s of %s: %v, want %d remarks", tt.load, tt.times, remarks, len(tt.want))
			continue
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(remarks[i].Text, want) {
				t.Errorf("load %s of %s: %q, want %q", tt.load, tt.times, remarks[i].Text, want)
			}
		}
	}
}
