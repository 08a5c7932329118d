package cpp_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// TestCorpus reads files that users of these formats published. The values were written by hand.
func TestCorpus(t *testing.T) {
	for _, tt := range []struct{ file, format, want string }{
		{"bencher-cpp-google-two.txt", "google-benchmark", `
			Unit ns/op from=ns
			Unit cpu-ns/op better=lower
			cpu-count: 4
			host: Corgi.local
			library-build-type: release
			fib_10 3070566 214.98980114547953 ns/op 213.65507206163295 cpu-ns/op
			fib_20 23968 27455.600415007055 ns/op 27364.90320427236 cpu-ns/op
		`},
		{"gab-googlecpp_output.json", "google-benchmark", `
			Unit ns/op from=ns
			Unit cpu-ns/op better=lower
			cpu-count: 4
			host: Corgi.local
			library-build-type: release
			fib_10 3070566 214.98980114547953 ns/op 213.65507206163295 cpu-ns/op
			fib_20 23968 27455.600415007055 ns/op 27364.90320427236 cpu-ns/op
		`},
	} {
		t.Run(tt.file, func(t *testing.T) { formattest.Check(t, tt.format, formattest.CorpusFile(t, tt.file), tt.want) })
	}
}
