package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const libtestText = `
running 4 tests
test tests::skipped ... ignored
test tests::sort ... bench:       3,161 ns/iter (+/- 975) = 12 MB/s
test tests::broken ... FAILED
test tests::long_name   ... bench:  13,967,756.50 ns/iter (+/- 266,769.64)
test tests::other_unit ... bench:          22 ms/iter (+/- 44)

test result: FAILED. 0 passed; 1 failed; 1 ignored; 3 measured; 0 filtered out; finished in 0.11s

test Symbols (Execution) ... bench:        3268 ns/iter (+/- 47)

test cycles ... bench:        3268 cycles/iter (+/- 47)
test cut ... bench:        3268
`

func TestLibtest(t *testing.T) {
	formattest.Check(t, "libtest", libtestText, `
		Unit ns/op from=ns
		tests::sort 1 3161 ns/op 12 MB/s 2186 low-ns/op 4136 high-ns/op 0 summary-n
		left out f:5: tests::broken: it failed
		tests::long_name 1 1.39677565e+07 ns/op 1.370098686e+07 low-ns/op 1.423452614e+07 high-ns/op 0 summary-n
		Unit ns/op from=ms
		tests::other_unit 1 2.2e+07 ns/op 0 low-ns/op 6.6e+07 high-ns/op 0 summary-n
		Symbols_(Execution) 1 3268 ns/op 47 sd-ns/op 0 summary-n
		left out f:13: cycles: "cycles" is not a unit of time
		error f:14: not a result of libtest: expected a time for each iteration
	`)
}

func FuzzLibtest(f *testing.F) { formattest.Fuzz(f, "libtest", libtestText) }
