package comparison

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

func floorKey(name string) SeriesKey {
	return SeriesKey{record.BenchmarkID{Kind: record.Bench, Package: "example.com/p", Name: name}, "ns/op"}
}

func limited(t *testing.T, bench, text string) config.Rule {
	l, err := limit.Parse(bench, text)
	if err != nil {
		t.Fatal(err)
	}
	return config.Rule{Bench: bench, Limit: &l}
}

// Terms come back from a run as they were noted, through its text, too: any glob, and as
// many floors as there is room for, the largest first.
func TestTermsAreNoted(t *testing.T) {
	many := map[SeriesKey]Noise{}
	for i := range 1000 {
		many[floorKey(fmt.Sprintf("Name%04d", i))] = Noise{Floor: 0.01 + float64(i)/10_000}
	}
	few := map[SeriesKey]Noise{floorKey("Größe/n=1"): {Floor: 0.0123456}, floorKey("Zero"): {}}
	capped := map[SeriesKey]Noise{floorKey("Only"): {Capped: true}, floorKey("Both"): {0.02, true}, floorKey("Floor"): {Floor: 0.03}}
	crowded := maps.Clone(many)
	crowded[floorKey("Only")], crowded[floorKey("Both")] = capped[floorKey("Only")], capped[floorKey("Both")]
	for _, tt := range []struct {
		name  string
		rules []config.Rule
		noise map[SeriesKey]Noise
		want  int // floors
	}{
		{"nothing but the defaults", nil, nil, 0},
		{"rules and floors", []config.Rule{{Bench: "GELU_*", Threshold: 0.03}, {Bench: " a  b\t<&>\"\\é😀\x7f ", Threshold: 1}}, few, 1},
		{"limits", []config.Rule{limited(t, "GELU_*", "<= 2.5 us"), {Bench: "A", Threshold: 0.03}, limited(t, "<\"é>", "< 1 MB/tok")}, few, 1},
		{"bounds of means", []config.Rule{{Bench: "A", MeanWithin: 0.2}, {Bench: "B", Threshold: 0.03, MeanWithin: 0.4}}, few, 1},
		{"many floors", nil, many, 125},
		{"capped ranks", nil, capped, 3},
		{"capped ranks among many floors", nil, crowded, 125},
	} {
		rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05, MeanWithin: 0.3}, Rules: tt.rules}
		noted, ok := NewTerms(rules, 3).WithNoise(tt.noise)
		if !ok || len(noted.Floors) != tt.want {
			t.Errorf("%s: %d floors, %v", tt.name, len(noted.Floors), ok)
		}
		r := record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
		many, _ := NewTerms(rules, 3).WithNoise(many)
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
		for _, bench := range []string{"A", "B", "C"} {
			if opt := got.Options(); opt.MeanWithin(bench) != rules.MeanWithin(bench) || opt.Threshold(bench) != rules.Threshold(bench) {
				t.Errorf("%s: the mean of %s within %v, a threshold of %v", tt.name, bench, opt.MeanWithin(bench), opt.Threshold(bench))
			}
		}
		if limits := got.Options().Limits; !slices.Equal(limits, rules.Limits()) {
			t.Errorf("%s: limits %v", tt.name, limits)
		}
		if !ok || !reflect.DeepEqual(got, noted) || !maps.Equal(got.NoiseByKey(), noted.NoiseByKey()) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, noted)
		}
		for key, noise := range tt.noise {
			if noise.Capped && !got.NoiseByKey()[key].Capped {
				t.Errorf("%s: the ranks of %v are not capped", tt.name, key)
			}
		}
		for key, noise := range noted.NoiseByKey() {
			want := tt.noise[key]
			if f := noise.Floor; f < 0.999*want.Floor || f > 1.001*want.Floor || noise.Capped != want.Capped || !want.Capped && tt.want < len(tt.noise)/2 && f < 0.09 {
				t.Errorf("%s: %v has the floor %v, want %v", tt.name, key, noise, want)
			}
		}
	}
	rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}
	for i := range 1000 {
		rules.Rules = append(rules.Rules, config.Rule{Bench: fmt.Sprintf("Benchmark_%d_*", i), Threshold: 0.1})
	}
	if _, ok := NewTerms(rules, 1).WithNoise(few); ok {
		t.Error("there was room for 1000 rules")
	}
}

// Where no ranks are capped the terms are written as before there were any that are.
func TestTermsWithoutCappedRanks(t *testing.T) {
	terms, _ := NewTerms(&config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}, 2).WithNoise(map[SeriesKey]Noise{floorKey("X"): {Floor: 0.0123456}})
	r := record.Run{}
	terms.Record(&r)
	const want = `{"alpha":0.01,"families":2,"threshold":0.05,"floors":[{"package":"example.com/p","name":"X","unit":"ns/op","noise":0.01235}]}`
	if got := r.Facts.Get(record.KeyJudgedBy); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Terms that make no sense are none.
func TestOddTerms(t *testing.T) {
	for _, text := range []string{
		`{`, `{"alpha":0,"families":1,"threshold":0.05}`, `{"alpha":2,"families":1,"threshold":0.05}`, `{"alpha":0.01,"families":0,"threshold":0.05}`,
		`{"alpha":0.01,"families":1,"threshold":-1}`, `{"alpha":0.01,"families":1,"threshold":0.05,"rules":[{"bench":"x"}]}`, `{"alpha":0.01,"families":1,"threshold":0.05,"limits":[{"bench":"x","limit":"1 ms"}]}`,
		`{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","noise":-1}]}`,
		`{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","noise":0}]}`, `{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","noise":-1,"capped":true}]}`,
		`{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","noise":0.01,"capped":1}]}`,
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
			terms, _ := NewTerms(&config.Config{Defaults: config.Defaults{Alpha: 0.02, Threshold: 0.07}}, families).WithNoise(map[SeriesKey]Noise{floorKey("X"): {floor, floor > 0.08}})
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
		{"one", []*record.Run{run("m", "t", check, 2, 0.03)}, "true 0.02 2 0.07 0.03 false"},
		{"of a target more when it was continued", []*record.Run{run("m", "t", check, 2, 0.03), run("n", "t", check, 3, 0.05)}, "true 0.02 3 0.07 0.03 false"},
		{"floors of the first", []*record.Run{run("m", "t", check, 2, 0.03), run("m", "t", check, 2, 0.09)}, "true 0.02 2 0.07 0.03 false"},
		{"capped by the first", []*record.Run{run("m", "t", check, 2, 0.09), run("m", "t", check, 2, 0.03)}, "true 0.02 2 0.07 0.09 true"},
		{"one without", []*record.Run{run("n", "t", check, 0, 0), run("m", "t", check, 2, 0.03)}, "true 0.02 2 0.07 0.03 false"},
		{"none with", []*record.Run{run("m", "t", check, 0, 0)}, "false"},
		{"two trials", []*record.Run{run("m", "t", check, 2, 0.03), run("m", "u", check, 2, 0.03)}, "false"},
		{"of fixed length", []*record.Run{run("m", "t", "", 2, 0.03)}, "false"},
	} {
		opt, ok := StoredOptions(compare.Side{}, compare.Side{Runs: tt.runs})
		got := fmt.Sprint(ok)
		if ok {
			got += fmt.Sprint(" ", opt.Alpha, " ", opt.Families, " ", opt.Threshold("X"), " ", opt.Noise("m", floorKey("X").BenchmarkID, "ns/op"), " ", opt.Capped("m", floorKey("X").BenchmarkID, "ns/op"))
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
