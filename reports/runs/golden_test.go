package runs

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestGolden(t *testing.T) {
	kernels := runtest.Read(t, "suite: enhanced\n"+
		runtest.Vary(10, "MatMul_64x64", 2, 116000.0, "ns/op", 4.52, "GFLOPS", 64.0, "B/op", 2.0, "allocs/op")+
		runtest.Vary(10, "MatMul_512x512", 2, 2.1e7, "ns/op", 12.78, "GFLOPS", 64.0, "B/op", 2.0, "allocs/op")+
		runtest.Vary(10, "GELU_1000", 4, 820.0, "ns/op", 0.0, "B/op", 0.0, "allocs/op")+
		"pkg: example.com/tokenizer\n"+runtest.Vary(3, "Tokenize", 1, 5400.0, "ns/op"))
	kernels.Target = "engine"
	kernels.Commit.SHA = strings.Repeat("c", 40)
	kernels.Failures = []record.Failure{{Benchmark: "Softmax_256", Reason: "timeout after 10m0s"}}
	kernels.Status = record.Failed
	var limits compare.Limits
	for _, rule := range [][2]string{{"MatMul_*", ">= 10 GFLOPS"}, {"GELU_*", "<= 0 allocs/op"}, {"Tokenize", "< 1 ms"}, {"Train", "<= 1 s"}} {
		l, err := limit.Parse(rule[0], rule[1])
		if err != nil {
			t.Fatal(err)
		}
		limits.List = append(limits.List, l)
	}
	peak := runtest.Read(t, "suite: enhanced\npeak-gflops: 16.0\n"+
		runtest.Vary(10, "MatMul_64x64", 2, 40960.0, "ns/op", 12.8, "GFLOPS", 0.0, "allocs/op")+
		runtest.Vary(10, "MatMul_64x64_2T", 2, 20480.0, "ns/op", 25.6, "GFLOPS", 0.0, "allocs/op")+
		runtest.Vary(10, "Model_Small_Creation", 2, 20480.0, "ns/op", 0.0, "allocs/op")+
		"suite: memory\n"+runtest.Vary(10, "Pooled", 2, 20480.0, "ns/op"))
	peak.Target = "engine"
	told := runtest.Read(t, "Encode 1 1718 ns/op 3 sd-ns/op 8 B/op 100 summary-n\nDecode 1 980 ns/op 950 low-ns/op 1010 high-ns/op 0 summary-n\n"+runtest.Vary(3, "Measured", 1, 5400.0, "ns/op"))
	reporttest.Check(t, map[string]reports.Report{"summaries": Report(compare.Limits{}, told), "run": Report(compare.Limits{}, kernels), "limits": Report(limits, kernels), "peak": Report(compare.Limits{}, peak)})
}
