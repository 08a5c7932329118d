package runner

import "testing"

// The last line is shown only if it tells a person something.
func TestPrintedLast(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"compiling words\n", "compiling words"},
		{"BenchmarkSort-8 \t 100\t 5 ns/op\n", "Sort-8"},
		{"start\n  \"benchmarks\": [\n", ""},
		{"start\n      \"bytes_per_second\": 1.08e+09,\n", ""},
		{"{\n", ""}, {"}]\n", ""}, {"....\n", ""}, {"<run>\n", ""},
		{"{\ndone\n", "done"},
	} {
		p := &printed{tell: func(int, string) {}}
		_, _ = p.Write([]byte(tt.text))
		p.end()
		if p.last != tt.want || p.lines == 0 {
			t.Errorf("after %q: %d lines, the last %q, want %q", tt.text, p.lines, p.last, tt.want)
		}
	}
}
