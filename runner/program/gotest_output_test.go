package program

import (
	"strings"
	"testing"
)

// Package testing writes the name, then runs the benchmark, then writes the result.
func TestCleanOutput(t *testing.T) {
	const header = "goos: linux\ngoarch: amd64\npkg: example.com/p\n"
	const says = " to standard output in the middle of its result line"
	for _, tt := range []struct{ name, printed, want, wrong string }{
		{"plain", header + "BenchmarkX-8   \t     100\t        12.50 ns/op\t       0 B/op\nPASS\n", header + "BenchmarkX-8   \t     100\t        12.50 ns/op\t       0 B/op\nPASS\n", ""},
		{"one processor, no time", "BenchmarkX \t1\t 3.000 things\n", "BenchmarkX \t1\t 3.000 things\n", ""},
		{"before the header", "hello" + header + "BenchmarkX-8\t 1\t 2 ns/op\n", "hello" + header + "BenchmarkX-8\t 1\t 2 ns/op\n", ""},
		{"before the name", "setup BenchmarkX/b-8 \t 1\t 2 ns/op\n", "BenchmarkX/b-8 \t 1\t 2 ns/op\n", ""},
		{"its own name before the name", "run BenchmarkX-8 \tBenchmarkX-8 \t 1\t 2 ns/op\n", "BenchmarkX-8 \t 1\t 2 ns/op\n", ""},
		{"a word", "BenchmarkX-8 \thello\n     100\t 2 ns/op\n", "     100\t 2 ns/op\n", `BenchmarkX-8 printed "hello"` + says},
		{"words without a line end", "BenchmarkX/sub=1-8 \thellohello     100\t 2 ns/op\n", "", `BenchmarkX/sub=1-8 printed "hellohello     100\t 2 ns/op"` + says},
		{"an empty line", "BenchmarkX \t\n 100\t 2 ns/op\n", " 100\t 2 ns/op\n", `BenchmarkX printed ""` + says},
		{"what reads as a result", "BenchmarkX-8 \t7 8 widgets\n", "", `BenchmarkX-8 printed "7 8 widgets"` + says},
		{"one of two", "BenchmarkX/a \thm\n 1\t 2 ns/op\nBenchmarkX/b \t 1\t 2 ns/op\n", " 1\t 2 ns/op\nBenchmarkX/b \t 1\t 2 ns/op\n", `BenchmarkX/a printed "hm"` + says},
		{"much", "BenchmarkX \t" + strings.Repeat("é", 50) + "\n", "", `BenchmarkX printed "` + strings.Repeat("é", 40) + `"...` + says},
		{"the end", "BenchmarkX-8 \t", "", "BenchmarkX-8 ended the process without a result"},
		{"a failure", "BenchmarkX-8 \t--- FAIL: BenchmarkX-8\n    x_test.go:3: no\n", "    x_test.go:3: no\n", ""},
		{"a log", "    x_test.go:3: BenchmarkX \t 1\t 2 ns/op\n        BenchmarkX \t 1\t 2 ns/op\n", "    x_test.go:3: BenchmarkX \t 1\t 2 ns/op\n        BenchmarkX \t 1\t 2 ns/op\n", ""},
		{"others", "BenchmarkXY \thello\nBenchmark 3\n", "BenchmarkXY \thello\nBenchmark 3\n", ""},
	} {
		var g Gotest
		got, wrong := g.Clean(Slot{Package: "p", Bench: "X"}, []byte(tt.printed))
		if string(got) != tt.want || !strings.HasPrefix(wrong, tt.wrong) || (wrong == "") != (tt.wrong == "") {
			t.Errorf("%s: %q, %q, want %q, %q", tt.name, got, wrong, tt.want, tt.wrong)
		}
	}
}

func TestListedBenchmark(t *testing.T) {
	declared := []string{"", "A", "Ab", "_c"}
	for line, want := range map[string]string{
		"BenchmarkA\n": "A", "Benchmark": "", "loading...BenchmarkAb": "Ab", "a BenchmarkA of it: Benchmark_c": "_c",
		"BenchmarkAbBenchmarkA": "A", "BenchmarkElsewhere": "Elsewhere", "ok": "-", "Benchmarks are fun": "-", "BenchmarkA is slow": "-", "": "-",
	} {
		got, ok := listedBenchmark(line, declared)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
