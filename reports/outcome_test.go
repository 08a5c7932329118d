package reports

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// The fingerprint of a finding does not depend on its numbers, and different findings have
// different fingerprints.
func TestFingerprint(t *testing.T) {
	id := record.BenchmarkID{Kind: record.Bench, Package: "example.com/codec", Name: "Decode"}
	one := Outcome{Target: "codec", BenchmarkID: id, Unit: "sec/op", State: Regressed, Words: "regressed, +10 %", Trial: "a"}
	again := one
	again.Words, again.Detail, again.Trial = "regressed, +12 %", "x", "b"
	if one.fingerprint() != again.fingerprint() {
		t.Error("another measurement is another finding")
	}
	seen := map[string]Outcome{one.fingerprint(): one}
	for _, change := range []func(*Outcome){
		func(o *Outcome) { o.Target = "other" }, func(o *Outcome) { o.Kind = record.Scope }, func(o *Outcome) { o.Package = "example.com/code" },
		func(o *Outcome) { o.Suite = "cDecode" }, func(o *Outcome) { o.Name = "Encode" }, func(o *Outcome) { o.Unit = "B/op" }, func(o *Outcome) { o.State = NotChecked },
	} {
		other := one
		change(&other)
		if same, ok := seen[other.fingerprint()]; ok {
			t.Errorf("%+v is %+v", other, same)
		}
		seen[other.fingerprint()] = other
	}
}

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
