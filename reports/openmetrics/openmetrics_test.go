package openmetrics_test

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/reports/openmetrics"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
)

// What is written reads back equal, whatever the labels contain.
func TestWriter(t *testing.T) {
	hostile := "a\\b\"c\nd\xffé{},="
	var w, other openmetrics.Writer
	w.Family(openmetrics.Family{Name: "perftrack_a", Kind: openmetrics.Info, Help: "A \"quote\", a \\ and\na line."})
	w.Sample(1, "version", hostile)
	other.Family(openmetrics.Family{Name: "perftrack_b_seconds_per_op", Kind: openmetrics.Gauge, Unit: "seconds_per_op", Help: "B."})
	values := []float64{0, 1e-9, 0.1, 3, 1e6, 1 << 53, math.MaxFloat64, math.SmallestNonzeroFloat64}
	for i, v := range values {
		other.Sample(v, "n", string(rune('a'+i)))
	}
	w.Append(other.Families())
	got, err := openmetricstest.Parse(string(w.Text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, w.Text())
	}
	if got["perftrack_a_info{version=\"a\\b\"c\nd\uFFFDé{},=\"}"] != 1 || len(got) != 1+len(values) {
		t.Errorf("%v", got)
	}
	for i, want := range values {
		if v := got[`perftrack_b_seconds_per_op{n="`+string(rune('a'+i))+`"}`]; v != want {
			t.Errorf("%v is %v", want, v)
		}
	}
}

// A text without families is valid.
func TestNoFamilies(t *testing.T) {
	var w openmetrics.Writer
	if values, err := openmetricstest.Parse(string(w.Text())); err != nil || len(values) != 0 {
		t.Errorf("%v, %v", values, err)
	}
}
