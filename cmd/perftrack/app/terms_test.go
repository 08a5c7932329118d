package app

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/githubtest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

func floorKey(name string) seriesKey {
	return seriesKey{record.BenchmarkID{Kind: record.Bench, Package: "example.com/p", Name: name}, "ns/op"}
}

// Terms come back from a run as they were noted, through its text, too: any glob, and as
// many floors as there is room for, the largest first.
func TestTermsAreNoted(t *testing.T) {
	many := map[seriesKey]float64{}
	for i := range 1000 {
		many[floorKey(fmt.Sprintf("Name%04d", i))] = 0.01 + float64(i)/10_000
	}
	few := map[seriesKey]float64{floorKey("Größe/n=1"): 0.0123456, floorKey("Zero"): 0}
	for _, tt := range []struct {
		name   string
		rules  []config.Rule
		floors map[seriesKey]float64
		want   int // floors
	}{
		{"nothing but the defaults", nil, nil, 0},
		{"rules and floors", []config.Rule{{Bench: "GELU_*", Threshold: 0.03}, {Bench: " a  b\t<&>\"\\é😀\x7f ", Threshold: 1}}, few, 1},
		{"many floors", nil, many, 125},
	} {
		rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}, Rules: tt.rules}
		noted, ok := termsOf(rules, 3).withFloors(tt.floors)
		if !ok || len(noted.Floors) != tt.want {
			t.Errorf("%s: %d floors, %v", tt.name, len(noted.Floors), ok)
		}
		r := record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
		many, _ := termsOf(rules, 3).withFloors(many)
		many.note(&r) // what was noted before leaves nothing
		noted.note(&r)
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		back, err := record.ParseRun(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := notedTerms(back)
		if !ok || !reflect.DeepEqual(got, noted) || !maps.Equal(got.floors(), noted.floors()) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, noted)
		}
		for key, noise := range noted.floors() {
			if want := tt.floors[key]; noise < 0.999*want || noise > 1.001*want || tt.want < len(tt.floors)/2 && noise < 0.09 {
				t.Errorf("%s: %v has the floor %v, want %v", tt.name, key, noise, want)
			}
		}
	}
	rules := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}
	for i := range 1000 {
		rules.Rules = append(rules.Rules, config.Rule{Bench: fmt.Sprintf("Benchmark_%d_*", i), Threshold: 0.1})
	}
	if _, ok := termsOf(rules, 1).withFloors(few); ok {
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
		if got, ok := notedTerms(&r); ok {
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
			terms, _ := termsOf(&config.Config{Defaults: config.Defaults{Alpha: 0.02, Threshold: 0.07}}, families).withFloors(map[seriesKey]float64{floorKey("X"): floor})
			terms.note(r)
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
		opt, ok := judgedBy(compare.Side{}, compare.Side{Runs: tt.runs})
		got := fmt.Sprint(ok)
		if ok {
			got += fmt.Sprint(" ", opt.Alpha, " ", opt.Families, " ", opt.Threshold("X"), " ", opt.Noise("m", floorKey("X").BenchmarkID, "ns/op"))
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What the trusted job says of terms that are not the base's, and that they do not count.
func TestCommentOnOtherTerms(t *testing.T) {
	base := &config.Config{Defaults: config.Defaults{Alpha: 0.01, Threshold: 0.05}}
	loose := &config.Config{Defaults: config.Defaults{Alpha: 0.0001, Threshold: 0.9}, Rules: []config.Rule{{Bench: "*", Threshold: 0.9}}}
	for _, tt := range []struct {
		name  string
		terms terms
		want  string
	}{
		{"the base's", termsOf(base, 1), ""},
		{"looser", termsOf(loose, 50), "alpha 0.01%, not 1%; alpha shared by 50 targets, not 1; threshold 90%, not 5%; other rules for single benchmarks"},
	} {
		r := record.Run{}
		tt.terms.note(&r)
		facts := ""
		for _, f := range r.Facts {
			facts += f.Key + ": " + f.Value + "\n"
		}
		text := strings.ReplaceAll(trialText(1.3), "goos: linux\n", "goos: linux\nprocedure: check\n"+facts)
		f := newFake(t)
		f.Zip = githubtest.Archive(t, ArtifactFile, text)
		j := f.run(CommentOptions{})
		if j.err != nil {
			t.Fatal(j.err)
		}
		body := ""
		for _, c := range f.Ours() {
			body += c.Body
		}
		said := strings.Contains(body, "measured by other rules than those by which it is judged here: `"+tt.want+"`")
		if f.status() != "failure" || !strings.Contains(body, "Threshold 5%; alpha 1%") || said != (tt.want != "") {
			t.Errorf("%s: status %s, %s", tt.name, f.status(), body)
		}
	}
}
