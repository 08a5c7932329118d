package ci

import (
	"testing"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// The fingerprint of a finding does not depend on its numbers, and different findings have
// different fingerprints.
func TestFingerprint(t *testing.T) {
	id := record.BenchmarkID{Kind: record.Bench, Package: "example.com/codec", Name: "Decode"}
	one := reports.Outcome{Target: "codec", BenchmarkID: id, Unit: "sec/op", State: reports.Regressed, Words: "regressed, +10 %", Trial: "a"}
	again := one
	again.Words, again.Detail, again.Trial = "regressed, +12 %", "x", "b"
	if fingerprint(one) != fingerprint(again) {
		t.Error("another measurement is another finding")
	}
	seen := map[string]reports.Outcome{fingerprint(one): one}
	for _, change := range []func(*reports.Outcome){
		func(o *reports.Outcome) { o.Target = "other" }, func(o *reports.Outcome) { o.Kind = record.Scope }, func(o *reports.Outcome) { o.Package = "example.com/code" },
		func(o *reports.Outcome) { o.Suite = "cDecode" }, func(o *reports.Outcome) { o.Name = "Encode" }, func(o *reports.Outcome) { o.Unit = "B/op" }, func(o *reports.Outcome) { o.State = reports.NotChecked },
	} {
		other := one
		change(&other)
		if same, ok := seen[fingerprint(other)]; ok {
			t.Errorf("%+v is %+v", other, same)
		}
		seen[fingerprint(other)] = other
	}
}
