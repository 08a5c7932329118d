package gobench

import (
	"slices"
	"testing"
)

func TestDeclarations(t *testing.T) {
	const text = `package p

import "testing"

func BenchmarkA(b *testing.B) {}
func Benchmark(b *testing.B) {}
func Benchmark_c (b *testing.B) {}
func BenchmarkÄrger(b *testing.B) {}
func BenchmarkUnnamed(*testing.B) {}
func BenchmarkDot(b *B) {}
func BenchmarkLong(
	b *testing.B,
) {
}

func Benchmarks(b *testing.B) {}
func BenchmarkHelper(b *testing.B, n int) {}
func BenchmarkNumber(n int) {}
func BenchmarkGeneric[T any](b *testing.B) {}
func (s *S) BenchmarkMethod(b *testing.B) {}
	func BenchmarkIndented(b *testing.B) {}
func TestA(t *testing.T) {}
func BenchmarkLast(b *testing.B) { b.Fatal("func BenchmarkNo(b *testing.B)") }
`
	want := []Declaration{{"A", 5}, {"", 6}, {"_c", 7}, {"Ärger", 8}, {"Unnamed", 9}, {"Dot", 10}, {"Long", 11}, {"Last", 23}}
	if got := Declarations([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, function, expression string }{
		{"Sort", "BenchmarkSort", "^BenchmarkSort$"},
		{"Sort/n=10/a.b", "BenchmarkSort", `^BenchmarkSort$/^n=10$/^a\.b$`},
		{"", "Benchmark", "^Benchmark$"},
	} {
		if got := Function(tt.name); got != tt.function || !IsFunction(got) {
			t.Errorf("Function(%q) = %q, want %q", tt.name, got, tt.function)
		}
		if got := Expression(tt.name); got != tt.expression {
			t.Errorf("Expression(%q) = %q, want %q", tt.name, got, tt.expression)
		}
	}
	for _, name := range []string{"Benchmarks", "BenchmarkA is slow", "aBenchmarkA", "Bench", "BenchmarkA/b"} {
		if IsFunction(name) {
			t.Errorf("%q is a benchmark function", name)
		}
	}
}

// Package testing prints lines like these.
func TestResults(t *testing.T) {
	const name, rest = "BenchmarkSort/n=10-8         \t", "     100\t        12.50 ns/op\t       0 B/op\n"
	if !IsWrittenName([]byte(name)) || !BeginsResult([]byte(rest)) || !IsResult([]byte(rest)) || !resultLine.MatchString(name+rest) || !IsHeader([]byte("cpu: A CPU\n")) {
		t.Errorf("%q, %q: not recognized", name, rest)
	}
	if got, ok := ParseResult(name + rest); !ok || got != (Result{"Sort/n=10-8", 100, 12.5}) {
		t.Errorf("ParseResult: %+v, %v", got, ok)
	}
	for _, text := range []string{"", "hello     100\t 2 ns/op\n", "7 8 widgets\n", "100\t2 ns/op more\n", "BenchmarkSort \t 100\t 2 ns/op\n"} {
		if IsResult([]byte(text)) {
			t.Errorf("%q is the rest of a result", text)
		}
	}
	for _, line := range []string{"", "Benchmark 0 5 ns/op", "BenchmarkA 5 3 things", "BenchmarkA-8", "ok 100 5 ns/op", "BenchmarkA x 5 ns/op"} {
		if r, ok := ParseResult(line); ok {
			t.Errorf("%q: %+v", line, r)
		}
	}
}

func TestReasonLine(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"--- FAIL: BenchmarkX\n    x_test.go:7: wrong answer\nFAIL\n", "x_test.go:7: wrong answer"},
		{"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: boom"},
		{"error: no such file\nexit status 1\n", "error: no such file"},
		{"cannot open model\nBenchmarkX-8 \t 100\t 5 ns/op\n", "cannot open model"},
		{"BenchmarkX is missing\n", "BenchmarkX is missing"},
		{"", ""},
	} {
		if got := ReasonLine(tt.text); got != tt.want {
			t.Errorf("ReasonLine(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
