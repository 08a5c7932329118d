package runner

import (
	"slices"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/slicing"
)

// WarmUp returns each slot's times and units, and whether its method is known.
func TestWarmed(t *testing.T) {
	result := func(name string, ns float64) *benchfmt.Result {
		return &benchfmt.Result{Name: benchfmt.Name(name), Values: []benchfmt.Value{{Value: ns, Unit: "ns/op"}}}
	}
	ns := func(x float64) float64 { return x * 1e-9 }
	leaf := func(name string, base, head float64) *entry {
		return &entry{Slot: program.Slot{Package: "m", Bench: name}, method: &method{long: [2]*benchfmt.Result{result(name, base), result(name, head)}}}
	}
	whole := &entry{Slot: program.Slot{Package: "m", Bench: "F"}, names: []string{"F/a", "F/b"}}
	whole.long = [2][]*benchfmt.Result{{result("F/a", 1), result("F/b", 2)}, {result("F/a", 1), result("F/b", 6)}}
	m := &measurement{Plan: Plan{Remembered: map[program.Slot]Remembered{
		{Package: "m", Bench: "Known"}: {Method: slicing.Method{N: 1e6, Slices: 50, Length: time.Millisecond}},
		{Package: "m", Bench: "Other"}: {Method: slicing.Method{N: 1e6, Slices: 50, Length: time.Second}},
	}}, open: []*entry{leaf("Known", 1, 1.5), leaf("Other", 1, 1), leaf("New", 1, 1), whole}}
	got := m.warmed()
	for i, want := range []Warm{
		{Slot: program.Slot{Package: "m", Bench: "Known"}, Times: [2]float64{ns(1), ns(1.5)}, Chosen: true},
		{Slot: program.Slot{Package: "m", Bench: "Other"}, Times: [2]float64{ns(1), ns(1)}},
		{Slot: program.Slot{Package: "m", Bench: "New"}, Times: [2]float64{ns(1), ns(1)}},
		{Slot: program.Slot{Package: "m", Bench: "F"}, Times: [2]float64{ns(2), ns(6)}},
	} {
		if !slices.Equal(got[i].Units, []string{"ns/op"}) {
			t.Errorf("%s: units %q", got[i].Slot, got[i].Units)
		}
		if g := got[i]; g.Slot != want.Slot || g.Times != want.Times || g.Chosen != want.Chosen {
			t.Errorf("%s: %v, %v, want %v, %v", g.Slot, g.Times, g.Chosen, want.Times, want.Chosen)
		}
	}
	if asked := got[3].Asked; len(asked) != 2 || asked[1] != (program.Slot{Package: "m", Bench: "F/b"}) {
		t.Errorf("the function is asked for as %v", asked)
	}
}
