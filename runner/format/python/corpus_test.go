package python_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// The files were shortened by hand: most of their lists of data have fewer numbers than rounds.
func TestCorpusPytest(t *testing.T) {
	formattest.Corpus(t, "pytest-benchmark", "bencher-python-pytest-four.json", `
		bench.py::test_fib_1 100 149.956 ns/op 29.3517 sd-ns/op 68536 summary-n
		bench.py::test_fib_10 1 28857.5 ns/op 5235.94 sd-ns/op 20025 summary-n
		bench.py::test_fib_20 1 3.61192e+06 ns/op 373798 sd-ns/op 122 summary-n
		bench.py::test_sleep_2 1 2.00517e+09 ns/op
		bench.py::test_sleep_2 1 2.00513e+09 ns/op
		bench.py::test_sleep_2 1 2.00512e+09 ns/op
		bench.py::test_sleep_2 1 2.00274e+09 ns/op
		bench.py::test_sleep_2 1 2.00104e+09 ns/op
	`)
	formattest.Corpus(t, "pytest-benchmark", "gab-pytest_output.json", `
		bench.py::test_fib_10 1 24088.7 ns/op 6175.09 sd-ns/op 38523 summary-n
		bench.py::test_fib_20 1 2.98503e+06 ns/op 174530 sd-ns/op 278 summary-n
	`)
}
