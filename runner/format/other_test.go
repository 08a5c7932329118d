package format

import "testing"

func TestOther(t *testing.T) {
	const runs = `{"results": [{"command": "ls", "mean": 0.1, "stddev": 0.1, "median": 0.1, "user": 0.1, "system": 0.1, "min": 0.1, "max": 0.1, "times": [0.1], "exit_codes": [0]}]}`
	for _, tt := range []struct{ name, text, want string }{
		{"google-benchmark", runs, "hyperfine"},
		{"gobench", runs, "hyperfine"},
		{"hyperfine", runs, ""},
		{"hyperfine", "BenchmarkA 1 2 ns/op\n", "gobench"},
		{"hyperfine", "hello\n", ""},
		{"morse", runs, ""},
	} {
		if got := Other(tt.name, []byte(tt.text)); got != tt.want {
			t.Errorf("%s, but %q: %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}
