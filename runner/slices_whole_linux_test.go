package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// Functions that print several results with the same name are not split: a function declared in
// both a package and its external tests, or one run with several numbers of CPUs. A function with
// an expensive setup and cheap benchmarks is not split either.
func TestMeasureSlicesKeepsWhole(t *testing.T) {
	twice := sliceModule(t, "")
	write(t, twice, "x_test.go", "package m_test\n\nimport \"testing\"\n\nfunc BenchmarkLoop(b *testing.B) { for b.Loop() {} }\n")
	several := sliceModule(t, `
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.cpu", "1,2")
	os.Exit(m.Run())
}
`)
	setup := sliceModule(t, `
func BenchmarkDear(b *testing.B) {
	time.Sleep(400 * time.Millisecond)
	for _, name := range []string{"a", "b", "c"} {
		b.Run(name, loop)
	}
}
`)
	text, err := os.ReadFile(filepath.Join(several, "m_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, several, "m_test.go", strings.Replace(string(text), "import (", "import (\n\t\"flag\"", 1))
	for _, tt := range []struct {
		name, dir, bench, why string
		samples               int
	}{
		{"duplicates", twice, "Loop", "it printed two results for Loop", 4},
		{"CPUs", several, "Loop", "it printed two results for Loop", 4},
		{"setup", setup, "Dear", "the setup before its 3 benchmarks takes", 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := slicesPlan(tt.dir, tt.dir)
			p.Bench, p.Rounds = tt.bench, 1
			rounds, out := measure(t, p)
			if len(rounds[0].Samples) != tt.samples {
				t.Errorf("%d samples, want %d", len(rounds[0].Samples), tt.samples)
			}
			if len(out.Methods) != 1 || out.Methods[0].How != record.MethodFresh || out.Methods[0].Fresh != 1 || !strings.Contains(out.Methods[0].Why, tt.why) {
				t.Errorf("the methods are %+v, want the reason %q", out.Methods, tt.why)
			}
		})
	}
}

// Slices need pairs of Go benchmarks and a duration as benchtime. A single run and a profile have
// no pairs.
func TestWholeReason(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(*Plan)
	}{
		{"", func(*Plan) {}},
		{"slices are turned off", func(p *Plan) { p.Slices = false }},
		{"benchtime sets each sample to 50 iterations", func(p *Plan) { p.Benchtime = "50x" }},
		{"benchtime sets each sample to 1 iteration", func(p *Plan) { p.Benchtime = "1x" }},
		{"programs of kind command are restarted for each sample", func(p *Plan) { p.Target.Kind = config.Command }},
		{"the run has no pairs of base and head", func(p *Plan) { p.Sides = p.Sides[:1] }},
		{"the run has no pairs of base and head", func(p *Plan) { p.Profile = program.DefaultSuite }},
	} {
		m := &measurement{Plan: slicesPlan("", "")}
		tt.change(&m.Plan)
		if m.whole = m.wholeReason(); m.whole != tt.why {
			t.Errorf("slices are refused because %q, want %q", m.whole, tt.why)
		}
		m.out.Rounds = 3
		want := []record.Method{{How: record.MethodFresh, Why: tt.why, Fresh: 3}}
		if tt.why == "" || tt.why == "the run has no pairs of base and head" {
			want = nil
		}
		if got := m.methods(); !slices.Equal(got, want) {
			t.Errorf("the methods are %+v, want %+v", got, want)
		}
	}
}
