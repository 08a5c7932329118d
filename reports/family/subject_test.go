package family

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// These are the raw values of the subject returned by fixed. The tests compute the expected numbers
// from them.
const (
	matmulTime   = 40_000.0 // of MatMul_64x64, in ns
	geluTime     = 5_000.0  // of GELU_1000, in ns
	smallTime    = 4_000_000.0
	mediumTime   = 20_000_000.0
	tokens       = 25.0
	pooledBytes  = 64.0
	freshBytes   = 66_560.0
	inPlaceBytes = 0.0
	allocBytes   = 131_072.0
)

// engine returns a run of the engine's suite enhanced. All benchmarks except GELU are slower by the
// given factor.
func engine(t testing.TB, slower float64) *record.Run {
	f := slower
	r := runtest.Read(t, `pkg: example.com/engine
suite: enhanced
model-parameters: Small=470528 Medium=3454464
flops-per-element: GELU=9
Unit tok/s better=higher
`+runtest.Vary(10, "MatMul_64x64", 1, matmulTime*f, "ns/op", 0.0, "B/op", 0.0, "allocs/op")+
		runtest.Vary(10, "GELU_1000", 1, geluTime, "ns/op", 0.0, "B/op", 0.0, "allocs/op")+
		runtest.Vary(10, "Model_Small_Inference", 1, smallTime*f, "ns/op", 51_200.0, "B/op", 50.0, "allocs/op", 2048.0, "B/tok", tokens/(smallTime*f)*1e9, "tok/s")+
		runtest.Vary(10, "Model_Medium_Inference", 1, mediumTime*f, "ns/op", 102_400.0, "B/op", 100.0, "allocs/op", 4096.0, "B/tok", tokens/(mediumTime*f)*1e9, "tok/s"))
	r.Target = "engine"
	return r
}

// suites returns a run of the suite memory.
func suites(t testing.TB) *record.Run {
	r := runtest.Read(t, "pkg: example.com/engine/memory\nsuite: memory\nUnit gc/op better=lower\n"+
		"Tensors_Fresh 90000 ns/op 66560 B/op 5 allocs/op 0.016 gc/op\nTensors_Pooled 80000 ns/op 64 B/op 1 allocs/op 0 gc/op\n"+
		"TensorAdd_Allocating 30000 ns/op 131072 B/op 2 allocs/op 0.03 gc/op\nTensorAdd_InPlace 10000 ns/op 0 B/op 0 allocs/op 0 gc/op\n"+
		"LayerNorm_Steps_32x512 50000 ns/op 98304 B/op 6 allocs/op 0.02 gc/op\nLayerNorm_Fused_32x512 20000 ns/op 0 B/op 0 allocs/op 0 gc/op\n"+
		"MatMulBackward_128x256x128 700000 ns/op 0 B/op 0 allocs/op 0 gc/op\n")
	r.Target = "suites"
	return r
}

// profiledRun returns a profile of the engine with a forward pass of two layers. The first layer is
// slower by the given factor.
func profiledRun(t testing.TB, slower float64) *record.Run {
	r := runtest.Read(t, fmt.Sprintf(`profile: scopes
pkg: example.com/engine
suite: enhanced
model-parameters: Small=470528
Model_Small_Inference 1 4000000 ns/op 0 self-ns/op 51200 B/op 50 allocs/op
Model_Small_Inference/Model_Small_GenerateToken 25 160000 ns/op 10000 self-ns/op 2048 B/op 2 allocs/op
Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward 25 150000 ns/op 6000 self-ns/op 2048 B/op 2 allocs/op
Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0 25 %[1]g ns/op %[1]g self-ns/op 1024 B/op 1 allocs/op
Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_1 25 84000 ns/op 84000 self-ns/op 1024 B/op 1 allocs/op
`, 60_000*slower))
	r.Target = "profiled"
	return r
}

// sha returns the hash of commit n.
func sha(n int) string { return fmt.Sprintf("%02d%s", n, strings.Repeat("c0ffee", 7)[:38]) }

// at makes r a complete run of commit n, made on day n, and returns r.
func at(r *record.Run, n int) *record.Run {
	r.Commit = record.Commit{SHA: sha(n), Branch: "main", Time: time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC)}
	r.Status = record.Complete
	return r
}

func info(r *record.Run, id int) record.RunInfo {
	one := *r
	one.Benchmarks = nil
	return record.RunInfo{Run: one, ID: fmt.Sprintf("%064x", id), Seq: int64(id), EnvironmentID: r.Env.EnvironmentID(), Benchmarks: len(r.Benchmarks), Rounds: r.Rounds()}
}

// codecTimes holds a level of six runs and, after a step, another level of six runs.
var codecTimes = []float64{1000, 1010, 990, 1005, 995, 1002, 1300, 1310, 1290, 1305, 1295, 1302}

// history returns the series of a benchmark of target codec, and its runs. Each commit has one run
// with one of the values.
func history(t testing.TB, name string, values []float64) (s steps.Series, runs []*record.Run) {
	for i, ns := range values {
		r := at(runtest.Read(t, fmt.Sprintf("pkg: example.com/codec\n%s %g ns/op\n", name, ns)), i+1)
		r.Target = "codec"
		runs = append(runs, r)
		run := info(r, 100+i)
		s.Points = append(s.Points, record.HistoryPoint{Run: &run, Benchmark: r.Benchmarks[0]})
	}
	s.Target, s.BenchmarkID = "codec", runs[0].Benchmarks[0].BenchmarkID
	s.Lines = steps.UnitLines(steps.UnitsOf(s.Points), steps.Options{})
	return s, runs
}

// addHistory adds a benchmark's history to a subject, in the same way as package family of the
// perftrack command.
func addHistory(t testing.TB, s *Subject, name string, values []float64) {
	series, runs := history(t, name, values)
	s.Series = append(s.Series, series)
	for _, p := range series.Points {
		if !slices.ContainsFunc(s.Runs, func(r record.RunInfo) bool { return r.ID == p.Run.ID }) {
			s.Runs = append(s.Runs, *p.Run)
		}
	}
	s.Current = append(s.Current, runs[len(runs)-1])
	for _, l := range series.Lines {
		s.Regressions.Lines = append(s.Regressions.Lines, steps.LineLength{Runs: len(l.Runs), Needs: l.Needs, Enough: l.Enough})
		for _, step := range l.Steps {
			if step.Unresolved {
				i := slices.IndexFunc(series.Points, func(p record.HistoryPoint) bool { return p.Run.ID == step.First.Run })
				s.Regressions.List = append(s.Regressions.List, steps.Regression{
					Target: series.Target, BenchmarkID: series.BenchmarkID, Environment: l.Environment, Unit: l.Unit, Tidied: l.Tidied,
					When: series.Points[i].Run.Commit.Time, Step: step,
				})
				s.Commits = map[[2]string]int{{step.Last.Commit, step.First.Commit}: 4}
			}
		}
	}
}

// trial makes the two runs a trial and returns their comparison.
func trial(base, head *record.Run) *compare.Comparison {
	b, h := reporttest.Trial(reporttest.Side("main", "a", base), reporttest.Side("feature", "b", head))
	b.Runs[0].Commit.SHA, h.Runs[0].Commit.SHA = sha(11), sha(12)
	return compare.Compare(b, h, compare.Options{})
}

// fixed returns the subject of the golden files. It has an engine that became slower by a fifth in
// a trial, a run of the suite memory, a profile of the engine, and a codec with a step in its
// history.
func fixed(t testing.TB) *Subject {
	s := &Subject{Title: "sorty", Branch: "main", Depth: 40, ReferenceFile: true}
	addHistory(t, s, "Encode/format=json", codecTimes)
	addHistory(t, s, "Decode", []float64{500, 501, 499, 500, 502, 498, 500, 501, 499, 500, 502, 498})
	addHistory(t, s, "Fresh", []float64{70, 71})
	base, head := engine(t, 1), engine(t, 1.2)
	c := trial(base, head)
	s.Compared = c
	run := c.Head.Runs[0]
	run.Commit.Time = time.Date(2026, 1, 12, 12, 0, 0, 0, time.UTC)
	s.Current = append([]*record.Run{run, at(suites(t), 12), at(profiledRun(t, 1), 12)}, s.Current...)
	for i, r := range s.Current[:3] {
		s.Runs = append(s.Runs, info(r, 200+i))
	}
	s.Release = &Release{Name: "v1.0", Commit: sha(3)}
	s.Calibrations = []Calibration{{Target: "engine", Environment: run.Env.EnvironmentID(), When: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Noise: 0.004, Worst: 0.02, Rows: 12}}
	s.Peaks = []Peak{{Machine: "Example CPU @ 2.00GHz", Value: 64, Unit: "GFLOPS", Source: "data sheet"}}
	s.References = []Reference{
		{"MatMul_64x64", "OpenBLAS 0.3", 40, "GFLOPS", "https://example.com/blas", "Example CPU @ 2.00GHz"},
		{"MatMul_64x64", "gonum", 5, "GFLOPS", "https://example.com/gonum", "Example CPU @ 2.00GHz"},
		{"MatMul_64x64", "a GPU", 9000, "GFLOPS", "https://example.com/gpu", "Other"},
		{"Nothing", "nobody", 1, "tok/s", "https://example.com", "Other"},
	}
	return s
}

func TestGolden(t *testing.T) {
	s := fixed(t)
	all := cases(s)
	reporttest.Check(t, all)
}

// near checks that the number in a cell is the expected one, apart from rounding errors.
func near(t *testing.T, what string, got any, want float64) {
	t.Helper()
	x, ok := got.(float64)
	if !ok || math.Abs(x-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// middle returns the median, calculated by its definition.
func middle(values []float64) float64 {
	v := slices.Clone(values)
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// samples returns the values of a benchmark in a unit, as they were stored.
func samples(r *record.Run, name, unit string) []float64 {
	for _, b := range r.Benchmarks {
		if b.Name == name || strings.HasSuffix(b.Name, "/"+name) {
			for _, s := range b.Samples {
				if s.Unit == unit {
					return s.Values
				}
			}
		}
	}
	return nil
}
