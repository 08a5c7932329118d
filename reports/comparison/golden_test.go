package comparison

import (
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func cases(t testing.TB) map[string]reports.Report {
	all := map[string]reports.Report{}
	comparison := func(name string, b, h compare.Side) {
		all[name] = Report(compare.Compare(b, h, compare.Options{}))
	}
	const pkg = "pkg: example.com/codec\n"

	base := pkg + runtest.Vary(10, "Encode/format=json", 1, 1718.0, "ns/op", 512.0, "MB/s") + runtest.Vary(10, "Encode/format=gob", 1, 3066.0, "ns/op", 300.0, "MB/s") +
		runtest.Vary(10, "Decode", 1, 980.0, "ns/op") + runtest.Vary(10, "Noisy", 30, 5200.0, "ns/op") + runtest.Vary(10, "Huge", 1, 2.5e9, "ns/op")
	head := pkg + runtest.Vary(10, "Encode/format=json", 1, 1423.0, "ns/op", 618.0, "MB/s") + runtest.Vary(10, "Encode/format=gob", 1, 3070.0, "ns/op", 299.0, "MB/s") +
		runtest.Vary(10, "Decode", 1, 1090.0, "ns/op") + runtest.Vary(10, "Noisy", 30, 5500.0, "ns/op") + runtest.Vary(10, "Huge", 1, 2.6e9, "ns/op")
	b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, base)), reporttest.Side("feature", "b", runtest.Read(t, head)))
	unsettle(h.Runs[0])
	comparison("trial", b, h)
	for _, side := range []compare.Side{b, h} {
		side.Runs[0].Protocol.Methods = ways
	}
	comparison("sliced", b, h)
	b, h = reporttest.Side("main", "a", runtest.Read(t, base)), reporttest.Side("feature", "b", runtest.Read(t, head))
	comparison("unpaired", b, h)

	told := pkg + "Unit ns/op from=ms\nEncode 1 1718 ns/op 3 sd-ns/op 8 B/op 100 summary-n\nDecode 1 980 ns/op 950 low-ns/op 1010 high-ns/op 0 summary-n\n" +
		runtest.Vary(10, "Measured", 1, 100.0, "ns/op")
	toldHead := pkg + "Encode 1 2200 ns/op 40 sd-ns/op 8 B/op 50 summary-n\n" + runtest.Vary(10, "Decode", 1, 990.0, "ns/op") + runtest.Vary(10, "Measured", 1, 100.0, "ns/op")
	comparison("summaries", reporttest.Side("main", "a", runtest.Read(t, told)), reporttest.Side("feature", "b", runtest.Read(t, toldHead)))

	few := pkg + runtest.Vary(4, "Encode", 1, 100.0, "ns/op") + runtest.Vary(4, "Decode", 1, 50.0, "ns/op")
	fewer := pkg + runtest.Vary(4, "Encode", 1, 150.0, "ns/op") + runtest.Vary(4, "Decode", 1, 50.1, "ns/op")
	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, few)), reporttest.Side("feature", "b", runtest.Read(t, fewer)))
	comparison("too-few", b, h)

	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, pkg+"Encode 100 ns/op 64 B/op 2 allocs/op\n")), reporttest.Side("feature", "b", runtest.Read(t, pkg+"Encode 130 ns/op 64 B/op 3 allocs/op\n")))
	comparison("one-sample", b, h)

	b, h = reporttest.Side("main", "a", runtest.Read(t, base)), reporttest.Side("feature", "b", runtest.Read(t, base))
	h.Runs[0].Env = h.Runs[0].Env.Set("cpu", "Other CPU @ 3.00GHz").Set("goversion", "go1.27")
	comparison("environments", b, h)

	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, few)), reporttest.Side("feature", "b", runtest.Read(t, few)))
	b.Runs[0].Env = b.Runs[0].Env.Set("goversion", "go1.26.8")
	h.Runs[0].Env = h.Runs[0].Env.Set("goversion", "go1.27.0")
	comparison("toolchains", b, h)

	lost := pkg + runtest.Vary(6, "Encode", 1, 100.0, "ns/op", 3.5, "GFLOPS") + runtest.Vary(6, "Gone", 1, 10.0, "ns/op", 8.0, "B/op") + runtest.Vary(6, "Broken", 1, 10.0, "ns/op")
	found := pkg + runtest.Vary(6, "Encode", 1, 100.0, "ns/op") + runtest.Vary(6, "Fresh", 1, 20.0, "ns/op")
	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, lost)), reporttest.Side("feature", "b", runtest.Read(t, found)))
	h.Runs[0].Status, h.Runs[0].Commit.Dirty = record.Failed, true
	h.Runs[0].Failures = []record.Failure{{Benchmark: "example.com/codec.Broken", Reason: "exit status 2: index out of range [3] with length 3"}}
	comparison("coverage", b, h)

	// Two benchmarks fail on both sides and one fails in the head only. Another benchmark has
	// different counts, but too few rounds for a verdict.
	b, h = reporttest.Trial(
		reporttest.Side("main", "a", runtest.Read(t, pkg+runtest.Vary(6, "Same", 0, 3.0, "allocs/op")+runtest.Vary(6, "Alike", 0, 1.0, "allocs/op")+runtest.Vary(6, "More", 0, 9.0, "allocs/op"))),
		reporttest.Side("feature", "b", runtest.Read(t, pkg+runtest.Vary(6, "Same", 0, 3.0, "allocs/op")+runtest.Vary(6, "Alike", 0, 1.0, "allocs/op")+runtest.Vary(6, "More", 0, 12.0, "allocs/op"))))
	for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
		r.Status, r.Failures = record.Failed, []record.Failure{{Benchmark: "example.com/codec.Broken", Reason: "exit status 1"}, {Benchmark: "example.com/codec.Lost", Reason: "no such file"}}
	}
	h.Runs[0].Failures = append(h.Runs[0].Failures, record.Failure{Benchmark: "example.com/codec.New", Reason: "exit status 2"})
	comparison("broken", b, h)

	allocs := pkg + runtest.Vary(10, "Same", 0, 512.0, "B/op", 3.0, "allocs/op") + runtest.Vary(10, "More", 0, 512.0, "B/op", 3.0, "allocs/op") +
		runtest.Vary(10, "Fewer", 0, 4096.0, "B/op", 9.0, "allocs/op") + runtest.Vary(10, "First", 0, 0.0, "B/op", 0.0, "allocs/op") + runtest.Vary(10, "Class", 0, 96.0, "B/op", 1.0, "allocs/op")
	alloch := pkg + runtest.Vary(10, "Same", 0, 512.0, "B/op", 3.0, "allocs/op") + runtest.Vary(10, "More", 0, 576.0, "B/op", 4.0, "allocs/op") +
		runtest.Vary(10, "Fewer", 0, 1024.0, "B/op", 5.0, "allocs/op") + runtest.Vary(10, "First", 0, 48.0, "B/op", 1.0, "allocs/op") + runtest.Vary(10, "Class", 0, 112.0, "B/op", 1.0, "allocs/op")
	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, allocs)), reporttest.Side("feature", "b", runtest.Read(t, alloch)))
	comparison("allocs", b, h)

	all["limits"] = limited(t)

	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, pkg+runtest.Vary(10, "Pack", 1, 4000.0, "widgets"))), reporttest.Side("feature", "b", runtest.Read(t, pkg+runtest.Vary(10, "Pack", 1, 6000.0, "widgets"))))
	comparison("no-direction", b, h)

	odd := runtest.Read(t, pkg+runtest.Vary(6, "X", 1, 100.0, "ns/op"))
	odd.Benchmarks = nil
	for i, name := range runtest.Hostile {
		odd.Benchmarks = append(odd.Benchmarks, record.Benchmark{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/|`x`", Name: name},
			Rounds:      []record.Round{{N: 1}, {N: 2}, {N: 3}, {N: 4}, {N: 5}, {N: 6}},
			Samples:     []record.Samples{{Unit: "ns/op", Values: []float64{100, 101, 102, 103, 104, float64(105 + i)}}},
		})
	}
	odd.Failures = []record.Failure{{Benchmark: "F|`\x1b[2J", Reason: "panic:\n\n::set-output name=x::y"}}
	b, h = reporttest.Trial(reporttest.Side("`main`|\x1b]0;x\x07", "a", odd), reporttest.Side("@feature", "b", odd))
	h.Runs = []*record.Run{runtest.Clone(odd)}
	h.Runs[0].Side, h.Runs[0].Env = record.Head, odd.Env.Set("build-flags", "-tags=`|<b>")
	b.Runs[0].Side = record.Base
	comparison("hostile", b, h)

	const none = " 0 B/op 0 allocs/op\n"
	b, h = reporttest.Side("main", "a", runtest.Read(t, pkg+"X 100 ns/op"+none+"Y 50 ns/op"+none)), reporttest.Side("feature", "b", runtest.Read(t, pkg+"X 101 ns/op"+none+"Y 60 ns/op"+none))
	comparison("no-allocs", b, h)

	b, h = reporttest.Side("before.md", "a", runtest.Read(t, profileBefore)), reporttest.Side("after.md", "b", runtest.Read(t, profileAfter))
	comparison("profiles", b, h)

	const twice = "profile: scopes\nA 5e6 ns/op 5e6 total-ns\nA/B 2 2e6 ns/op 4e6 total-ns\nA 5.1e6 ns/op 5.1e6 total-ns\nA/B 2 2.1e6 ns/op 4.2e6 total-ns\n"
	b, h = reporttest.Side("main", "a", runtest.Read(t, twice)), reporttest.Side("feature", "b", runtest.Read(t, twice))
	comparison("profiles-sampled", b, h)

	b, h = reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, suite(1))), reporttest.Side("feature", "b", runtest.Read(t, suite(1.3))))
	comparison("suite", b, h)

	all["means"] = Report(averaged(t))

	// The comparison has everything a check may report besides rows, and an error.
	checked := compare.Compare(b, h, compare.Options{})
	checked.Same = []compare.SameCode{{Target: "engine", Package: "example.com/same", Benchmarks: 3}}
	checked.Unreached = []compare.Unreached{{Target: "engine", Package: "example.com/apart", Benchmarks: 171}}
	checked.Rewritten = []compare.Rewritten{{Target: "engine", Package: "example.com/<new>", Name: "X"}}
	checked.Starved = []compare.Starved{{Target: "engine", Benchmarks: 4, Rounds: 25}}
	checked.Tables[0].OfTrial, checked.Tables[0].Rows[0].Noise = "0b6f", 0.004
	all["check"] = Report(checked).WithError("regression", "1 regressed")
	all["failing"] = Report(checked).Failing(reports.Failure{Kind: "build", Message: "build: exit status 1\n\t\x1b[31mred ```\n::error::x [[ATTACHMENT|/etc/passwd]] ]]> <b> [x](http://x) {0} \xff\n=cmd()"})

	b.Runs, h.Runs = []*record.Run{runtest.ScopesOf(odd)}, []*record.Run{runtest.ScopesOf(odd)}
	comparison("hostile-profiles", b, h)

	comparison("empty", compare.Side{Label: "main"}, compare.Side{Label: "feature"})
	return all
}

// averaged returns a trial measured in slices. Its benchmarks cover everything a report can say
// about means.
func averaged(t testing.TB) *compare.Comparison {
	text := "pkg: example.com/codec\n"
	for _, name := range []string{"Serve", "Flush", "Same", "Late", "Both"} {
		text += runtest.Vary(20, name, 1, 593_000.0, "ns/op")
	}
	b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, text)), reporttest.Side("feature", "b", runtest.Read(t, text)))
	unsettle(h.Runs[0])
	for i, side := range []compare.Side{b, h} {
		of := func(name string, slow float64, times ...float64) {
			runtest.Average(side.Runs[0], name, slow, func(k int) float64 { return times[k%len(times)] * (1 + 0.01*float64(k%3)) })
		}
		if i == 0 {
			of("Serve", 0.001, 1.01)
			of("Flush", 0.02, 3.1, 2.9, 3.4)
			of("Same", 0.004, 1.04)
			of("Late", 0, 1)
			of("Both", 0, 1)
			continue
		}
		of("Serve", 0.021, 2.9, 3.3, 2.4, 3.1)
		of("Flush", 0, 1.01)
		of("Same", 0.004, 1.05, 1.04)
		of("Late", 0.005, 1, 1.01, 5)
		for _, b := range side.Runs[0].Benchmarks {
			for k := range b.Samples[0].Values {
				if b.Name == "Both" {
					b.Samples[0].Values[k] *= 1.2
				}
			}
		}
		of("Both", 0, 1)
	}
	for _, side := range []compare.Side{b, h} {
		side.Runs[0].Protocol.Methods = []record.Method{{Package: "example.com/codec", Name: "Serve", How: record.MethodSlices, Slices: 200, Length: time.Millisecond, Clock: "wall", Estimator: "median"}}
	}
	return compare.Compare(b, h, compare.Options{})
}

// unsettle adds noise to the samples of a run: about 20 % for the benchmark Noisy and about 1 % for
// all others.
func unsettle(r *record.Run) {
	for _, b := range r.Benchmarks {
		scatter := 0.01
		if b.Name == "Noisy" {
			scatter = 0.2
		}
		for _, s := range b.Samples {
			for i := range s.Values {
				slower := 1 + scatter*[]float64{0.9, -1.2, 0.1, -0.4, 1.1, -0.8, 0.3, -0.1, 0.6, -0.5}[i%10]
				if s.Unit == "MB/s" {
					slower = 1 / slower
				}
				s.Values[i] *= slower
			}
		}
	}
}

// ways lists most of the ways to measure a benchmark.
var ways = []record.Method{
	{Name: "Encode", How: record.MethodSlices, N: 1200, Slices: 25, Length: 2 * time.Millisecond, Clock: "wall", Estimator: "sum", Stopped: true, Sliced: 10},
	{Name: "Encode/format=gob", How: record.MethodSlices, N: 4000, Slices: 8, Length: 13 * time.Millisecond, Clock: "cpu", Estimator: "median", Sliced: 10},
	{Package: "example.com/codec", Name: "Decode", How: record.MethodSlices, N: 900, Slices: 100, Length: 500 * time.Microsecond, Clock: "wall", Estimator: "trimmed", Sliced: 10},
	{Name: "Noisy", How: record.MethodFresh, Why: "it printed: <b>`x`|\n", Fresh: 10},
	{Name: "Huge", How: record.MethodFresh, Why: "a slice ended early: port in use", N: 1, Slices: 8, Length: 50 * time.Millisecond, Clock: "wall", Estimator: "sum", Sliced: 7, Fresh: 3},
}

func TestGolden(t *testing.T) { reporttest.Check(t, cases(t)) }

// These are two profile reports as they are stored. Totals have few digits and each scope has one
// sample.
// One side lacks a scope, and one scope was called more often on one side.
const (
	profileBefore = "profile: scopes\nsuite: enhanced\n" + `
		Model_Medium_Inference 1222e6 ns/op 1221.98e6 total-ns 770e6 B/op
		Model_Medium_GenerateToken 25 48.88e6 ns/op 1221.89e6 total-ns 30.8e6 B/op
		Model_Medium_Forward 25 48.86e6 ns/op 1221.40e6 total-ns 30.8e6 B/op
		Model_Small_Inference 453.6e6 ns/op 453.56e6 total-ns 115e6 B/op
		Model_Small_GenerateToken 25 18.14e6 ns/op 453.49e6 total-ns 4.6e6 B/op
		MatMul_Iteration 6 10.35e6 ns/op 62.1e6 total-ns 0 B/op
		MatMul_512x512 59.9e6 ns/op 59.9e6 total-ns 0 B/op
		MatMul_64x64 2.49e6 ns/op 2.49e6 total-ns 73000 B/op
		Softmax_2048 2.007e6 ns/op 2.01e6 total-ns 0 B/op
		Gone 3e6 ns/op 3e6 total-ns 0 B/op
		`
	profileAfter = "profile: scopes\nsuite: enhanced\n" + `
		Model_Medium_Inference 2554e6 ns/op 2553.97e6 total-ns 770e6 B/op
		Model_Medium_GenerateToken 25 102.16e6 ns/op 2553.92e6 total-ns 30.8e6 B/op
		Model_Medium_Forward 25 102.14e6 ns/op 2553.49e6 total-ns 30.8e6 B/op
		Model_Small_Inference 447.7e6 ns/op 447.73e6 total-ns 115e6 B/op
		Model_Small_GenerateToken 25 17.91e6 ns/op 447.66e6 total-ns 4.6e6 B/op
		MatMul_Iteration 6 28.43e6 ns/op 170.6e6 total-ns 0 B/op
		MatMul_512x512 167.3e6 ns/op 167.3e6 total-ns 0 B/op
		MatMul_64x64 2 1.61e6 ns/op 3.22e6 total-ns 73000 B/op
		Softmax_2048 0.27e6 ns/op 0.27e6 total-ns 10486 B/op
		Fresh 4e6 ns/op 4e6 total-ns 0 B/op
		`
)

// suite returns a run of the engine's benchmarks, some slower by the given factor.
func suite(slower float64) string {
	each := func(name string, ns, gflops float64) string {
		return runtest.Vary(15, name, 2, ns, "ns/op", gflops, "GFLOPS", 0.0, "B/op", 0.0, "allocs/op")
	}
	model := func(m string, ns float64) string {
		return runtest.Vary(15, "Model_"+m+"_Inference", 2, 25*ns, "ns/op", 1e9/ns, "tok/s", 3*ns, "ttft-ns", 512.0, "B/tok") +
			runtest.Vary(15, "Model_"+m+"_GenerateToken", 2, 0.99*ns, "ns/op") + runtest.Vary(15, "Model_"+m+"_Forward", 2, 0.98*ns, "ns/op")
	}
	return "suite: enhanced\nUnit tok/s better=higher\n" + each("MatMul_64x64", 116000, 4.52) + each("MatMul_512x512", 2.1e7*slower, 12.8/slower) +
		each("MatMul_Iteration", 1.05e7*slower, 12.8/slower) + each("Softmax_256", 280, 4.57) +
		model("Small", 4e6) + model("Medium", 2.2e7*slower)
}
