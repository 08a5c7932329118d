package comparison

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
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

// Terms are read from a run as they were recorded, with any glob and with all floors. Those with
// capped ranks come first, and then those with the most noise.
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
		want  int // number of floors
	}{
		{"nothing but the defaults", nil, nil, 0},
		{"rules and floors", []config.Rule{{Bench: "GELU_*", Threshold: 0.03}, {Bench: " a  b\t<&>\"\\é😀\x7f ", Threshold: 1}}, few, 1},
		{"limits", []config.Rule{limited(t, "GELU_*", "<= 2.5 us"), {Bench: "A", Threshold: 0.03}, limited(t, "<\"é>", "< 1 MB/tok")}, few, 1},
		{"bounds of means", []config.Rule{{Bench: "A", MeanWithin: 0.2}, {Bench: "B", Threshold: 0.03, MeanWithin: 0.4}}, few, 1},
		{"directions", []config.Rule{{Unit: "Percent", Better: -1}, {Bench: "A", Unit: "Per*", Better: 1}}, few, 1},
		{"many floors", nil, many, 1000},
		{"capped ranks", nil, capped, 3},
		{"capped ranks among many floors", nil, crowded, 1002},
	} {
		rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05, MeanWithin: 0.3}, Rules: tt.rules}
		noted := NewTerms(rules, 3).WithNoise(tt.noise)
		if len(noted.Floors) != tt.want {
			t.Errorf("%s: %d floors, want %d", tt.name, len(noted.Floors), tt.want)
		}
		r := record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
		noted.Record(&r)
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		back, err := decode.ParseRun(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := ReadTerms(back)
		for _, bench := range []string{"A", "B", "C"} {
			if opt := got.Options(); opt.Better(bench, "Percent") != rules.Better(bench, "Percent") {
				t.Errorf("%s: direction of Percent in %s is %d", tt.name, bench, opt.Better(bench, "Percent"))
			} else if opt.MeanWithin(bench) != rules.MeanWithin(bench) || opt.Threshold(bench) != rules.Threshold(bench) {
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
			if f := noise.Floor; f < 0.999*want.Floor || f > 1.001*want.Floor || noise.Capped != want.Capped {
				t.Errorf("%s: %v has the floor %v, want %v", tt.name, key, noise, want)
			}
		}
	}
}

// Terms with a limit that cannot be parsed are not read.
func TestOddLimit(t *testing.T) {
	var r record.Run
	Terms{Alpha: 0.01, Families: 1, Threshold: 0.05, Limits: []record.TermsLimit{{Bench: "x", Limit: "1 ms"}}}.Record(&r)
	if got, ok := ReadTerms(&r); ok {
		t.Errorf("%+v", got)
	}
}

// A trial is judged by the terms stored in its runs, if all of them belong to the same check.
func TestJudgedBy(t *testing.T) {
	run := func(target, trial, procedure string, families int, floor float64) *record.Run {
		r := &record.Run{Target: target, Trial: trial, Side: record.Head, Protocol: record.Protocol{Procedure: procedure}}
		r.Benchmarks = []record.Benchmark{{}}
		if families > 0 {
			terms := NewTerms(&config.Config{Defaults: config.Defaults{Alpha: 0.02, Threshold: 0.07}}, families).WithNoise(map[SeriesKey]Noise{floorKey("X"): {floor, floor > 0.08}})
			terms.Record(r)
		}
		return r
	}
	const check = pairs.ProcedureCheck
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
