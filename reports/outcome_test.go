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
