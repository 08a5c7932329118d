package trackers_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// TestCorpus reads files that users of these formats published. The values were written by hand.
func TestCorpus(t *testing.T) {
	for _, tt := range []struct{ file, format, want string }{
		{"bencher-json-report_latency.json", "bencher", `
			Unit ns/op from=ns
			left out f:7: "tests::benchmark_a": its bounds do not enclose it
		tests::benchmark_a 1 3247 ns/op 0 summary-n
			left out f:14: "tests::benchmark_b": its bounds do not enclose it
		tests::benchmark_b 1 3443 ns/op 0 summary-n
			left out f:21: "tests::benchmark_c": its bounds do not enclose it
		tests::benchmark_c 1 3361 ns/op 0 summary-n
		`},
		{"gab-customSmallerIsBetter_output.json", "github-action-benchmark", `
			My_Custom_Smaller_Is_Better_Benchmark_-_CPU_Load 1 50 Percent 47.5 low-Percent 52.5 high-Percent 0 summary-n
			My_Custom_Smaller_Is_Better_Benchmark_-_Memory_Used 1 100 Megabytes
		`},
	} {
		t.Run(tt.file, func(t *testing.T) { formattest.Check(t, tt.format, formattest.CorpusFile(t, tt.file), tt.want) })
	}
}
