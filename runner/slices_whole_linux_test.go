package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// What cannot be told apart is measured as one, as without slices: a function of a package and
// one of its external tests, or several numbers of CPUs. So is a function whose benchmarks are cheap
// beside what comes before them.
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
		{"duplicates", twice, "Loop", "two of its results are called Loop", 4},
		{"CPUs", several, "Loop", "two of its results are called Loop", 4},
		{"setup", setup, "Dear", "what is done before its 3 benchmarks takes", 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := slicesPlan(tt.dir, tt.dir)
			p.Bench, p.Rounds = tt.bench, 1
			rounds, out := measure(t, p)
			if len(rounds[0].Samples) != tt.samples {
				t.Errorf("%d samples, want %d", len(rounds[0].Samples), tt.samples)
			}
			if len(out.Ways) != 1 || out.Ways[0].How != record.WayFresh || out.Ways[0].Fresh != 1 || !strings.Contains(out.Ways[0].Why, tt.why) {
				t.Errorf("the ways are %+v, want the reason %q", out.Ways, tt.why)
			}
		})
	}
}

// What is not measured in pairs of Go benchmarks, for some time each, has fresh processes; a run
// alone and a profile have no pairs.
func TestWholeReason(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(*Plan)
	}{
		{"", func(*Plan) {}},
		{"that was asked for", func(p *Plan) { p.Slices = false }},
		{"a sample is to have 50 iterations", func(p *Plan) { p.Benchtime = "50x" }},
		{"a sample is to have 1 iteration", func(p *Plan) { p.Benchtime = "1x" }},
		{"a program of kind command is started anew for each sample", func(p *Plan) { p.Target.Kind = config.Command }},
		{"there are no pairs", func(p *Plan) { p.Sides = p.Sides[:1] }},
		{"there are no pairs", func(p *Plan) { p.Profile = DefaultSuite }},
	} {
		m := &measurement{Plan: slicesPlan("", "")}
		tt.change(&m.Plan)
		if m.whole = m.wholeReason(); m.whole != tt.why {
			t.Errorf("slices are refused because %q, want %q", m.whole, tt.why)
		}
		m.out.Rounds = 3
		want := []record.Way{{How: record.WayFresh, Why: tt.why, Fresh: 3}}
		if tt.why == "" || tt.why == "there are no pairs" {
			want = nil
		}
		if got := m.ways(); !slices.Equal(got, want) {
			t.Errorf("the ways are %+v, want %+v", got, want)
		}
	}
}
