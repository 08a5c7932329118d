package comparison

import (
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

func floorKey(name string) SeriesKey {
	return SeriesKey{record.BenchmarkID{Kind: record.Bench, Package: "example.com/p", Name: name}, "ns/op"}
}

// Terms come back from a run as they were noted, through its text, too: any glob, and as
// many floors as there is room for, the largest first.
func TestTermsAreNoted(t *testing.T) {
	many := map[SeriesKey]float64{}
	for i := range 1000 {
		many[floorKey(fmt.Sprintf("Name%04d", i))] = 0.01 + float64(i)/10_000
	}
	few := map[SeriesKey]float64{floorKey("Größe/n=1"): 0.0123456, floorKey("Zero"): 0}
	for _, tt := range []struct {
		name   string
		rules  []config.Rule
		floors map[SeriesKey]float64
		want   int // floors
	}{
		{"nothing but the defaults", nil, nil, 0},
		{"rules and floors", []config.Rule{{Bench: "GELU_*", Threshold: 0.03}, {Bench: " a  b\t<&>\"\\é😀\x7f ", Threshold: 1}}, few, 1},
		{"many floors", nil, many, 125},
	} {
		rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}, Rules: tt.rules}
		noted, ok := NewTerms(rules, 3).WithFloors(tt.floors)
		if !ok || len(noted.Floors) != tt.want {
			t.Errorf("%s: %d floors, %v", tt.name, len(noted.Floors), ok)
		}
		r := record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
		many, _ := NewTerms(rules, 3).WithFloors(many)
		many.Record(&r) // what was noted before leaves nothing
		noted.Record(&r)
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		back, err := record.ParseRun(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := ReadTerms(back)
		if !ok || !reflect.DeepEqual(got, noted) || !maps.Equal(got.FloorsByKey(), noted.FloorsByKey()) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, noted)
		}
		for key, noise := range noted.FloorsByKey() {
			if want := tt.floors[key]; noise < 0.999*want || noise > 1.001*want || tt.want < len(tt.floors)/2 && noise < 0.09 {
				t.Errorf("%s: %v has the floor %v, want %v", tt.name, key, noise, want)
			}
		}
	}
	rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}
	for i := range 1000 {
		rules.Rules = append(rules.Rules, config.Rule{Bench: fmt.Sprintf("Benchmark_%d_*", i), Threshold: 0.1})
	}
	if _, ok := NewTerms(rules, 1).WithFloors(few); ok {
		t.Error("there was room for 1000 rules")
	}
}

// Terms that make no sense are none.
func TestOddTerms(t *testing.T) {
	for _, text := range []string{
		`{`, `{"alpha":0,"families":1,"threshold":0.05}`, `{"alpha":2,"families":1,"threshold":0.05}`, `{"alpha":0.01,"families":0,"threshold":0.05}`,
		`{"alpha":0.01,"families":1,"threshold":-1}`, `{"alpha":0.01,"families":1,"threshold":0.05,"rules":[{"bench":"x"}]}`,
		`{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","noise":-1}]}`,
	} {
		r := record.Run{Facts: record.Settings{{Key: record.KeyJudgedBy, Value: text}}}
		if got, ok := ReadTerms(&r); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// All runs of a checked trial say by what it is judged, those of another trial or of none do not.
func TestJudgedBy(t *testing.T) {
	run := func(target, trial, procedure string, families int, floor float64) *record.Run {
		r := &record.Run{Target: target, Trial: trial, Side: record.Head, Facts: record.Settings{{Key: record.KeyProcedure, Value: procedure}}}
		r.Benchmarks = []record.Benchmark{{}}
		if families > 0 {
			terms, _ := NewTerms(&config.Config{Defaults: config.Defaults{Alpha: 0.02, Threshold: 0.07}}, families).WithFloors(map[SeriesKey]float64{floorKey("X"): floor})
			terms.Record(r)
		}
		return r
	}
	const check = compare.ProcedureCheck
	for _, tt := range []struct {
		name string
		runs []*record.Run
		want string
	}{
		{"one", []*record.Run{run("m", "t", check, 2, 0.03)}, "true 0.02 2 0.07 0.03"},
		{"of a target more when it was continued", []*record.Run{run("m", "t", check, 2, 0.03), run("n", "t", check, 3, 0.05)}, "true 0.02 3 0.07 0.03"},
		{"floors of the first", []*record.Run{run("m", "t", check, 2, 0.03), run("m", "t", check, 2, 0.09)}, "true 0.02 2 0.07 0.03"},
		{"one without", []*record.Run{run("n", "t", check, 0, 0), run("m", "t", check, 2, 0.03)}, "true 0.02 2 0.07 0.03"},
		{"none with", []*record.Run{run("m", "t", check, 0, 0)}, "false"},
		{"two trials", []*record.Run{run("m", "t", check, 2, 0.03), run("m", "u", check, 2, 0.03)}, "false"},
		{"of fixed length", []*record.Run{run("m", "t", "", 2, 0.03)}, "false"},
	} {
		opt, ok := StoredOptions(compare.Side{}, compare.Side{Runs: tt.runs})
		got := fmt.Sprint(ok)
		if ok {
			got += fmt.Sprint(" ", opt.Alpha, " ", opt.Families, " ", opt.Threshold("X"), " ", opt.Noise("m", floorKey("X").BenchmarkID, "ns/op"))
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
