package reports

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

func TestFailed(t *testing.T) {
	for _, tt := range []struct{ failed, pkg, name string }{
		{"example.com/codec.Broken", "example.com/codec", "Broken"},
		{"gopkg.in/yaml.v3.Decode/n=1.5", "gopkg.in/yaml.v3", "Decode/n=1.5"},
		{"Sort/n=1.5", "", "Sort/n=1.5"},
		{"Softmax_256", "", "Softmax_256"},
		{"", "", "target"},
	} {
		if o := Failed("target", record.Failure{Benchmark: tt.failed, Reason: "exit status 2"}); o.Package != tt.pkg || o.Name != tt.name || o.State != Broken {
			t.Errorf("%q: %+v", tt.failed, o)
		}
	}
	if o := Failed("target", record.Failure{Benchmark: "example.com/codec", Reason: record.NotBuilt + "x"}); o.Package != "example.com/codec" {
		t.Errorf("a package that was not built: %+v", o)
	}
}

// A command target has its own name in its failures, which is said once.
func TestFailureName(t *testing.T) {
	for _, tt := range []struct{ target, benchmark, want string }{
		{"lib", "Sort", "lib Sort"},
		{"bench", "bench", "bench"},
		{"lib", "", "lib"},
		{"", "Sort", "Sort"},
	} {
		if got := FailureName(tt.target, tt.benchmark); got != tt.want {
			t.Errorf("%q of %q failed: %q, want %q", tt.benchmark, tt.target, got, tt.want)
		}
	}
}
