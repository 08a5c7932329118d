package reports

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const environment = "goos: linux\ngoarch: amd64\ncpu: Example CPU @ 2.00GHz\ngomaxprocs: 4\n"

// run reads lines "Name [calls] v unit v unit ...", one a sample, into a run.
func run(t testing.TB, text string) *record.Run {
	t.Helper()
	var full strings.Builder
	full.WriteString(environment + "Unit GFLOPS better=higher\n")
	for l := range strings.Lines(text) {
		f := strings.Fields(l)
		switch {
		case len(f) == 0:
		case strings.HasSuffix(f[0], ":") || f[0] == "Unit":
			full.WriteString(l)
		default:
			calls, suffix := "100", "-4"
			if strings.Contains(text, "profile: scopes") {
				calls, suffix = "1", ""
			}
			if len(f)%2 == 0 { // the line tells them
				calls = f[1]
				f = slices.Delete(f, 1, 2)
			}
			fmt.Fprintf(&full, "Benchmark%s%s %s %s\n", f[0], suffix, calls, strings.Join(f[1:], " "))
		}
	}
	b := record.Builder{Default: record.Run{
		Commit: record.Commit{Branch: "main", Time: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
		Start:  time.Date(2026, 3, 2, 8, 30, 0, 0, time.UTC), End: time.Date(2026, 3, 2, 8, 40, 0, 0, time.UTC),
		Tool: "v1.0.0",
	}}
	r := benchfmt.NewReader(strings.NewReader(full.String()), "test.txt")
	for r.Scan() {
		if err := b.Add(r.Result()); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 1 {
		t.Fatalf("%d runs", len(runs))
	}
	return runs[0]
}

// vary writes n lines of a benchmark: around each center by the given percent.
func vary(n int, name string, spread float64, pairs ...any) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s", name)
		for k := 0; k < len(pairs); k += 2 {
			// A fixed shuffle: 0 3 6 9 2 5 8 1 4 7 for n = 10.
			at := float64(i*3%n)/float64(max(n-1, 1)) - 0.5
			fmt.Fprintf(&b, " %.6g %s", pairs[k].(float64)*(1+2*spread/100*at), pairs[k+1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// side makes a run one side of a comparison.
func side(label string, hex string, r *record.Run) compare.Side {
	r.Commit.SHA = strings.Repeat(hex, 40)
	return compare.Side{Label: label, Runs: []*record.Run{r}}
}

func trial(b, h compare.Side) (compare.Side, compare.Side) {
	b.Runs[0].Trial, b.Runs[0].Side = "0b6f", record.Base
	h.Runs[0].Trial, h.Runs[0].Side = "0b6f", record.Head
	return b, h
}

var hostile = []string{
	"a|b", "tick`s``", "esc\x1b[31mred\x1b[0m", "@everyone", "<img/src=x>", "[link](http://x)", "\u202egnp.exe",
	"=cmd()", "日本語/サイズ=1", "https://example.com/#1", "**bold**", "\\|slash", "::error::x", "##[group]x", strings.Repeat("long/", 40) + "end",
}

func cases(t testing.TB) map[string]Report {
	all := map[string]Report{}
	comparison := func(name string, b, h compare.Side) {
		all[name] = Comparison(compare.Compare(b, h, compare.Options{}))
	}
	const pkg = "pkg: example.com/codec\n"

	base := pkg + vary(10, "Encode/format=json", 1, 1718.0, "ns/op", 512.0, "MB/s") + vary(10, "Encode/format=gob", 1, 3066.0, "ns/op", 300.0, "MB/s") +
		vary(10, "Decode", 1, 980.0, "ns/op") + vary(10, "Noisy", 30, 5200.0, "ns/op") + vary(10, "Huge", 1, 2.5e9, "ns/op")
	head := pkg + vary(10, "Encode/format=json", 1, 1423.0, "ns/op", 618.0, "MB/s") + vary(10, "Encode/format=gob", 1, 3070.0, "ns/op", 299.0, "MB/s") +
		vary(10, "Decode", 1, 1090.0, "ns/op") + vary(10, "Noisy", 30, 5500.0, "ns/op") + vary(10, "Huge", 1, 2.6e9, "ns/op")
	b, h := trial(side("main", "a", run(t, base)), side("feature", "b", run(t, head)))
	comparison("trial", b, h)
	b, h = side("main", "a", run(t, base)), side("feature", "b", run(t, head))
	comparison("apart", b, h)

	few := pkg + vary(4, "Encode", 1, 100.0, "ns/op") + vary(4, "Decode", 1, 50.0, "ns/op")
	fewer := pkg + vary(4, "Encode", 1, 150.0, "ns/op") + vary(4, "Decode", 1, 50.1, "ns/op")
	b, h = trial(side("main", "a", run(t, few)), side("feature", "b", run(t, fewer)))
	comparison("too-few", b, h)

	b, h = trial(side("main", "a", run(t, pkg+"Encode 100 ns/op 64 B/op 2 allocs/op\n")), side("feature", "b", run(t, pkg+"Encode 130 ns/op 64 B/op 3 allocs/op\n")))
	comparison("one-sample", b, h)

	b, h = side("main", "a", run(t, base)), side("feature", "b", run(t, base))
	h.Runs[0].Env = h.Runs[0].Env.Set("cpu", "Other CPU @ 3.00GHz").Set("goversion", "go1.27")
	comparison("environments", b, h)

	b, h = trial(side("main", "a", run(t, few)), side("feature", "b", run(t, few)))
	b.Runs[0].Env = b.Runs[0].Env.Set("goversion", "go1.26.8")
	h.Runs[0].Env = h.Runs[0].Env.Set("goversion", "go1.27.0")
	comparison("toolchains", b, h)

	lost := pkg + vary(6, "Encode", 1, 100.0, "ns/op", 3.5, "GFLOPS") + vary(6, "Gone", 1, 10.0, "ns/op", 8.0, "B/op") + vary(6, "Broken", 1, 10.0, "ns/op")
	found := pkg + vary(6, "Encode", 1, 100.0, "ns/op") + vary(6, "Fresh", 1, 20.0, "ns/op")
	b, h = trial(side("main", "a", run(t, lost)), side("feature", "b", run(t, found)))
	h.Runs[0].Status, h.Runs[0].Commit.Dirty = record.Failed, true
	h.Runs[0].Failures = []record.Failure{{Benchmark: "example.com/codec.Broken", Reason: "exit status 2: index out of range [3] with length 3"}}
	comparison("coverage", b, h)

	allocs := pkg + vary(8, "Same", 0, 512.0, "B/op", 3.0, "allocs/op") + vary(8, "More", 0, 512.0, "B/op", 3.0, "allocs/op") +
		vary(8, "Fewer", 0, 4096.0, "B/op", 9.0, "allocs/op") + vary(8, "First", 0, 0.0, "B/op", 0.0, "allocs/op") + vary(8, "Class", 0, 96.0, "B/op", 1.0, "allocs/op")
	alloch := pkg + vary(8, "Same", 0, 512.0, "B/op", 3.0, "allocs/op") + vary(8, "More", 0, 576.0, "B/op", 4.0, "allocs/op") +
		vary(8, "Fewer", 0, 1024.0, "B/op", 5.0, "allocs/op") + vary(8, "First", 0, 48.0, "B/op", 1.0, "allocs/op") + vary(8, "Class", 0, 112.0, "B/op", 1.0, "allocs/op")
	b, h = trial(side("main", "a", run(t, allocs)), side("feature", "b", run(t, alloch)))
	comparison("allocs", b, h)

	b, h = trial(side("main", "a", run(t, pkg+vary(10, "Pack", 1, 4000.0, "widgets"))), side("feature", "b", run(t, pkg+vary(10, "Pack", 1, 6000.0, "widgets"))))
	comparison("no-direction", b, h)

	odd := run(t, pkg+vary(6, "X", 1, 100.0, "ns/op"))
	odd.Benchmarks = nil
	for i, name := range hostile {
		odd.Benchmarks = append(odd.Benchmarks, record.Benchmark{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/|`x`", Name: name},
			Rounds:      make([]record.Round, 6),
			Samples:     []record.Samples{{Unit: "ns/op", Values: []float64{100, 101, 102, 103, 104, float64(105 + i)}}},
		})
	}
	odd.Failures = []record.Failure{{Benchmark: "F|`\x1b[2J", Reason: "panic:\n\n::set-output name=x::y"}}
	b, h = trial(side("`main`|\x1b]0;x\x07", "a", odd), side("@feature", "b", odd))
	h.Runs = []*record.Run{clone(odd)}
	h.Runs[0].Side, h.Runs[0].Env = record.Head, odd.Env.Set("build-flags", "-tags=`|<b>")
	b.Runs[0].Side = record.Base
	comparison("hostile", b, h)

	const none = " 0 B/op 0 allocs/op\n"
	b, h = side("main", "a", run(t, pkg+"X 100 ns/op"+none+"Y 50 ns/op"+none)), side("feature", "b", run(t, pkg+"X 101 ns/op"+none+"Y 60 ns/op"+none))
	comparison("no-allocs", b, h)

	b, h = side("before.md", "a", run(t, profileBefore)), side("after.md", "b", run(t, profileAfter))
	comparison("profiles", b, h)

	const twice = "profile: scopes\nA 5e6 ns/op 5e6 total-ns\nA/B 2 2e6 ns/op 4e6 total-ns\nA 5.1e6 ns/op 5.1e6 total-ns\nA/B 2 2.1e6 ns/op 4.2e6 total-ns\n"
	b, h = side("main", "a", run(t, twice)), side("feature", "b", run(t, twice))
	comparison("profiles-sampled", b, h)

	b, h = trial(side("main", "a", run(t, suite(1))), side("feature", "b", run(t, suite(1.3))))
	comparison("suite", b, h)

	// All that a check may say beside its rows, and why it failed.
	checked := compare.Compare(b, h, compare.Options{})
	checked.Same = []compare.SameCode{{Target: "engine", Package: "example.com/same", Benchmarks: 3}}
	checked.Rewritten = []compare.Rewritten{{Target: "engine", Package: "example.com/<new>", Name: "X"}}
	checked.Starved = []compare.Starved{{Target: "engine", Benchmarks: 4, Rounds: 25}}
	checked.Tables[0].OfTrial, checked.Tables[0].Rows[0].Noise = "0b6f", 0.004
	all["check"] = AttachExplanations(Comparison(checked).WithError("regression", "1 regressed"), explainedCases()["culprit"])

	b.Runs, h.Runs = []*record.Run{scopesOf(odd)}, []*record.Run{scopesOf(odd)}
	comparison("hostile-profiles", b, h)

	comparison("empty", compare.Side{Label: "main"}, compare.Side{Label: "feature"})

	kernels := run(t, "suite: enhanced\n"+
		vary(10, "MatMul_64x64", 2, 116000.0, "ns/op", 4.52, "GFLOPS", 64.0, "B/op", 2.0, "allocs/op")+
		vary(10, "MatMul_512x512", 2, 2.1e7, "ns/op", 12.78, "GFLOPS", 64.0, "B/op", 2.0, "allocs/op")+
		vary(10, "GELU_1000", 4, 820.0, "ns/op", 0.0, "B/op", 0.0, "allocs/op")+
		"pkg: example.com/tokenizer\n"+vary(3, "Tokenize", 1, 5400.0, "ns/op"))
	kernels.Target = "engine"
	kernels.Commit.SHA = strings.Repeat("c", 40)
	kernels.Failures = []record.Failure{{Benchmark: "Softmax_256", Reason: "timeout after 10m0s"}}
	kernels.Status = record.Failed
	all["run"] = Run(kernels)

	bench := func(suite, name string) record.BenchmarkID {
		return record.BenchmarkID{Kind: record.Bench, Suite: suite, Name: name}
	}
	all["history"] = History(steps.AnchorCommit{}, steps.Series{Target: "engine", BenchmarkID: bench("enhanced", "MatMul_64x64"), Points: historyPoints(t)})
	all["history-steps"] = historyOfSteps(t)
	all["history-anchor"] = historyOfRatios(t)
	all["regressions"] = Regressions(regressions())
	all["regressions-none"] = Regressions(steps.Regressions{})
	all["history-empty"] = History(steps.AnchorCommit{}, steps.Series{Target: "engine", BenchmarkID: bench("", "MatMul_64x64")})
	all["history-series"] = historyOfSeveral(t)
	all["profile"] = Profile(run(t, profileText))
	all["profile-hostile"] = Profile(hostileProfile(t))
	all["profile-empty"] = Profile(run(t, "Plain 10 ns/op"))
	all["listing"] = Listing("Runs", Table{
		Columns: []Column{{Title: "run", Code: true}, {Title: "commit", Code: true}, {Title: "benchmarks", Right: true}, {Title: "status"}},
		Rows: [][]Cell{
			{{Text: "0123456789ab"}, {Text: "aaaaaaaaaaaa"}, {Text: "29"}, {Text: "complete"}},
			{{Text: "=1+1"}, {Text: "bbbbbbbbbbbb"}, {Text: "3"}, {Text: "partial", Tone: Warn}},
		},
	})
	return all
}

// Two profile reports as they are read: totals with few digits, one sample, a
// scope that one side lacks, one that was called more often.
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

// suite is a run of the engine's benchmarks, some of them slower by a factor.
func suite(slower float64) string {
	each := func(name string, ns, gflops float64) string {
		return vary(8, name, 2, ns, "ns/op", gflops, "GFLOPS", 0.0, "B/op", 0.0, "allocs/op")
	}
	model := func(m string, ns float64) string {
		return vary(8, "Model_"+m+"_Inference", 2, 25*ns, "ns/op", 1e9/ns, "tok/s", 3*ns, "ttft-ns", 512.0, "B/tok") +
			vary(8, "Model_"+m+"_GenerateToken", 2, 0.99*ns, "ns/op") + vary(8, "Model_"+m+"_Forward", 2, 0.98*ns, "ns/op")
	}
	return "suite: enhanced\nUnit tok/s better=higher\n" + each("MatMul_64x64", 116000, 4.52) + each("MatMul_512x512", 2.1e7*slower, 12.8/slower) +
		each("MatMul_Iteration", 1.05e7*slower, 12.8/slower) + each("Softmax_256", 280, 4.57) +
		model("Small", 4e6) + model("Medium", 2.2e7*slower)
}

// scopesOf makes the scopes of a profile of the benchmarks, each in the next.
func scopesOf(r *record.Run) *record.Run {
	out := clone(r)
	out.Benchmarks = slices.Clone(r.Benchmarks)
	for i := range out.Benchmarks {
		b := &out.Benchmarks[i]
		b.Kind, b.Rounds = record.Scope, []record.Round{{N: 1, Iters: 1 + i}}
		if i > 0 {
			b.Name = out.Benchmarks[i-1].Name[:min(300, len(out.Benchmarks[i-1].Name))] + "/" + b.Name
		}
		b.Samples = []record.Samples{{Unit: "ns/op", Values: []float64{float64(100 + i)}}, {Unit: "total-ns", Values: []float64{float64(100+i) * float64(1+i)}}}
	}
	return out
}

func clone(r *record.Run) *record.Run {
	c := *r
	return &c
}

func historyPoints(t testing.TB) []record.HistoryPoint {
	var points []record.HistoryPoint
	for i, ns := range []float64{1200, 1190, 1210, 1205, 1380, 1375, 1390, 1500} {
		r := run(t, vary(10, "X", 1, ns, "ns/op", 12000/ns, "GFLOPS", 2.0, "allocs/op"))
		r.Target = "engine"
		r.Commit = record.Commit{SHA: strings.Repeat(fmt.Sprint(i), 40), Branch: "main", Time: time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC)}
		switch i {
		case 3:
			r.Env = r.Env.Set("cpu", "Other CPU @ 3.00GHz")
		case 7:
			r.Commit.Dirty, r.Status, r.Commit.Branch = true, record.Partial, "perf/|x|"
		}
		points = append(points, record.HistoryPoint{
			Run:       record.RunInfo{Run: *r, ID: fmt.Sprintf("%064x", i), EnvironmentID: r.Env.EnvironmentID()},
			Benchmark: r.Benchmarks[0],
		})
	}
	return points
}

var writers = map[string]func(io.Writer, Report) error{
	"txt":  func(w io.Writer, r Report) error { return Text(w, r, TextOptions{}) },
	"md":   Markdown,
	"csv":  CSV,
	"json": JSON,
}

func TestGolden(t *testing.T) { checkGolden(t, cases(t)) }

// checkGolden holds what each writer makes of the reports against its file.
func checkGolden(t *testing.T, reports map[string]Report) {
	t.Helper()
	for name, r := range reports {
		for ext, write := range writers {
			t.Run(name+"."+ext, func(t *testing.T) {
				var got bytes.Buffer
				if err := write(&got, r); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("testdata", name+"."+ext)
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%s differs (run with -update after checking it):\n%s", path, got.String())
				}
			})
		}
	}
}
