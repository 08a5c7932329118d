package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

func TestCorpusCriterion(t *testing.T) {
	formattest.Corpus(t, "criterion-console", "bencher-rust-criterion-many.txt", `
		file 1 0.3239 ns/op 0.32062 low-ns/op 0.32755 high-ns/op 100 summary-n
		rolling_file 1 0.42966 ns/op 0.38179 low-ns/op 0.48328 high-ns/op 100 summary-n
		tracing_file 1 18019 ns/op 16652 low-ns/op 19562 high-ns/op 100 summary-n
		tracing_rolling_file 1 20930 ns/op 18195 low-ns/op 24240 high-ns/op 100 summary-n
		benchmark:_name_with_spaces 1 20.93 ns/op 18.195 low-ns/op 24.24 high-ns/op 100 summary-n
	`)
}

// This is Criterion's output for readers of libtest's, so the numbers after +/- are standard deviations.
func TestCorpusLibtest(t *testing.T) {
	formattest.Corpus(t, "libtest", "gab-criterion_output.txt", `
		Create_Realm 1 329 ns/op 4 sd-ns/op 0 summary-n
		Symbols_(Execution) 1 3268 ns/op 47 sd-ns/op 0 summary-n
		For_loop_(Execution) 1 12314 ns/op 123 sd-ns/op 0 summary-n
		Fibonacci_(Execution) 1 1.6725e+06 ns/op 10166 sd-ns/op 0 summary-n
	`)
}
