package history

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func historyPoints(t testing.TB) []record.HistoryPoint {
	var points []record.HistoryPoint
	for i, ns := range []float64{1200, 1190, 1210, 1205, 1380, 1375, 1390, 1500} {
		r := runtest.Read(t, runtest.Vary(10, "X", 1, ns, "ns/op", 12000/ns, "GFLOPS", 2.0, "allocs/op"))
		r.Target = "engine"
		r.Commit = record.Commit{SHA: strings.Repeat(fmt.Sprint(i), 40), Branch: "main", Time: time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC)}
		switch i {
		case 3:
			r.Env = r.Env.Set("cpu", "Other CPU @ 3.00GHz")
		case 7:
			r.Commit.Dirty, r.Status, r.Commit.Branch = true, record.Partial, "perf/|x|"
		}
		points = append(points, record.HistoryPoint{
			Run:       &record.RunInfo{Run: *r, ID: fmt.Sprintf("%064x", i), EnvironmentID: r.Env.EnvironmentID()},
			Benchmark: r.Benchmarks[0],
		})
	}
	return points
}

func TestGolden(t *testing.T) {
	bench := func(suite, name string) record.BenchmarkID {
		return record.BenchmarkID{Kind: record.Bench, Suite: suite, Name: name}
	}
	reporttest.Check(t, map[string]reports.Report{
		"history":          Report(steps.AnchorCommit{}, steps.Series{Target: "engine", BenchmarkID: bench("enhanced", "MatMul_64x64"), Points: historyPoints(t)}),
		"history-carried":  historyOfCarried(t),
		"history-summary":  historyOfSummaries(t),
		"history-steps":    historyOfSteps(t),
		"history-limits":   historyOfLimits(t),
		"history-anchor":   historyOfRatios(t),
		"history-empty":    Report(steps.AnchorCommit{}, steps.Series{Target: "engine", BenchmarkID: bench("", "MatMul_64x64")}),
		"history-series":   historyOfSeveral(t),
		"regressions":      Regressions(regressions()),
		"regressions-none": Regressions(steps.Regressions{}),
	})
}

// historyOfCarried returns the history of a benchmark in which a commit has the same machine code
// as the previous commit.
func historyOfCarried(t testing.TB) reports.Report {
	points := historyPoints(t)[:3]
	points[1].CarriedFrom, points[1].Benchmark = points[0].Run.Commit.SHA, points[0].Benchmark
	return Report(steps.AnchorCommit{}, steps.Series{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "MatMul_64x64"}, Points: points})
}

// historyOfSummaries returns the history of a benchmark whose last runs were imported as summaries.
func historyOfSummaries(t testing.TB) reports.Report {
	points := historyPoints(t)[:3]
	for i, text := range []string{
		"X 1 1700 ns/op 30 sd-ns/op 100 summary-n\n", "X 1 2400 ns/op 2300 low-ns/op 2500 high-ns/op 0 summary-n\n",
	} {
		points[i+1].Benchmark = runtest.Read(t, text).Benchmarks[0]
	}
	s := steps.Series{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "MatMul_64x64"}, Points: points}
	s.Lines = steps.UnitLines(steps.UnitsOf(points), steps.Options{Threshold: 0.05})
	return Report(steps.AnchorCommit{}, s)
}

// Several runs of a commit share one row, and each run counts as one value. A run of a dirty work
// tree or of an unknown commit has its own row.
func TestHistoryOneRowACommit(t *testing.T) {
	point := func(sha string, dirty bool, values ...float64) record.HistoryPoint {
		commit := record.Commit{SHA: sha, Dirty: dirty, Time: time.Unix(1_700_000_000, 0)}
		return record.HistoryPoint{
			Run:       &record.RunInfo{Run: record.Run{Commit: commit, Status: record.Complete}},
			Benchmark: record.Benchmark{Samples: []record.Samples{{Unit: "ns/op", Values: values}}},
		}
	}
	points := []record.HistoryPoint{
		point("aaaaaaaaaaaaaaaa", false, 100, 100, 100),
		point("aaaaaaaaaaaaaaaa", false, 120, 500, 110),
		point("aaaaaaaaaaaaaaaa", true, 300),
		point("bbbbbbbbbbbbbbbb", false, 200),
		point("", false, 7),
		point("", false, 8),
	}
	var out strings.Builder
	if err := reports.Text(&out, Report(steps.AnchorCommit{}, steps.Series{Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "X"}, Points: points}), reports.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"aaaaaaaaaaaa  2023-11-14  110.000n ± ∞ ¹  6     2",
		"aaaaaaaaaaaa  2023-11-14  300.000n ± ∞ ²  1     1  dirty",
		"bbbbbbbbbbbb  2023-11-14  200.000n ± ∞ ²  1     1",
		"-             2023-11-14    7.000n ± ∞ ²  1     1",
		"-             2023-11-14    8.000n ± ∞ ²  1     1",
	}
	for _, line := range want {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

// historyOfSeveral returns the history of a name in two suites, a package and a profile. Some of
// the results do not describe their environment.
func historyOfSeveral(t testing.TB) reports.Report {
	points := historyPoints(t)
	deep, enhanced := points[:2], append([]record.HistoryPoint{}, points[4:6]...)
	scopes := append([]record.HistoryPoint{}, points[2], points[3])
	for i := range enhanced {
		setEnv(&enhanced[i], enhanced[i].Run.Env.Set("cpu-count", "4"))
	}
	for i := range scopes {
		setEnv(&scopes[i], nil)
	}
	id := func(kind record.Kind, suite, pkg string) record.BenchmarkID {
		return record.BenchmarkID{Kind: kind, Suite: suite, Package: pkg, Name: "MatMul_64x64"}
	}
	return Report(steps.AnchorCommit{},
		steps.Series{Target: "engine", BenchmarkID: id(record.Bench, "deep", ""), Points: deep},
		steps.Series{Target: "engine", BenchmarkID: id(record.Bench, "enhanced", ""), Points: enhanced},
		steps.Series{Target: "engine", BenchmarkID: id(record.Scope, "", ""), Points: scopes},
		steps.Series{Target: "mylib", BenchmarkID: id(record.Bench, "", "example.com/|`x`"), Points: points[5:7]},
	)
}

// historyOfSteps returns a history with an unresolved step, an accepted drift, a step in another unit,
// an outlier, and a newest run that may begin a new level.
func historyOfSteps(t testing.TB) reports.Report {
	points := historyPoints(t)[:7]
	env := points[0].Run.EnvironmentID
	var runs []steps.Point
	for i, p := range points {
		if i != 3 {
			runs = append(runs, steps.Point{Run: p.Run.ID, Commit: p.Run.Commit.SHA, Value: float64(i)})
		}
	}
	step := func(last, first int, center, lo, hi float64, v compare.Verdict) steps.Step {
		return steps.Step{Last: runs[last], First: runs[first], From: 1.2e-6, To: 1.38e-6, Now: center / 2, Verdict: v,
			Shift: stat.Shift{Center: center, Lo: lo, Hi: hi}}
	}
	forced := step(2, 3, 0.15, 0.14, 0.16, compare.Regressed)
	forced.Unresolved = true
	accepted := step(0, 1, 0.05, math.Inf(-1), math.Inf(1), compare.Regressed)
	accepted.Accepted, accepted.Drift = true, 1
	allocs := steps.Step{Last: runs[3], First: runs[4], From: 2, To: 3, Now: 0.5, Shift: stat.Shift{Center: 0.5, Lo: 0.5, Hi: 0.5}, Verdict: compare.Improved}
	levels := []steps.Level{{First: 0, End: 1, Center: 1.1e-6}, {First: 1, End: 3, Center: 1.2e-6}, {First: 3, End: 6, Center: 1.38e-6}}
	s := steps.Series{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "X|y"}, Branch: "perf/|x|", Points: points, Lines: []steps.UnitLine{
		{Environment: env, Unit: "ns/op", Tidied: "sec/op", Course: steps.Course{Runs: runs, Levels: levels, Steps: []steps.Step{accepted, forced}, Outliers: []steps.Outlier{
			{Point: runs[2], Change: 2.5}, {Point: runs[5], Change: -0.4, Open: true},
		}}},
		{Environment: env, Unit: "allocs/op", Tidied: "allocs/op", Course: steps.Course{Runs: runs, Levels: levels[:1], Steps: []steps.Step{allocs}}},
	}}
	return Report(steps.AnchorCommit{}, s)
}

// historyOfRatios returns a history of ratios in which the first points have too few rounds for an
// interval.
func historyOfRatios(t testing.TB) reports.Report {
	points := historyPoints(t)[:3]
	for i, ratio := range []float64{0.97, 1.021, 1.0305} {
		var values []float64
		for round := range 4 + 4*i {
			values = append(values, ratio*(1+0.001*float64(round%5-2)))
		}
		points[i].Benchmark.Samples = []record.Samples{{Unit: units.Ratio("ns/op"), Values: values}}
	}
	s := steps.Series{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "MatMul_64x64"}, Points: points}
	return Report(steps.AnchorCommit{Commit: strings.Repeat("a", 40), Alone: 2}, s)
}

func setEnv(p *record.HistoryPoint, env record.Settings) {
	run := *p.Run
	run.Env, run.EnvironmentID = env, env.EnvironmentID()
	p.Run = &run
}

func regressions() steps.Regressions {
	date := func(text string) time.Time {
		t, _ := time.Parse(time.DateOnly, text)
		return t
	}
	all := steps.Regressions{Older: 1, Hidden: 2, Trial: [2]string{strings.Repeat("c", 40), strings.Repeat("d", 40)}, Lines: []steps.LineLength{
		{Runs: 12, Needs: 6, Enough: true}, {Runs: 1, Needs: 6}, {Runs: 1, Needs: 2}, {Runs: 4, Needs: 6},
	}}
	drift := steps.Regression{
		Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Suite: "=1+1", Name: "X|y"},
		Environment: "0123456789ab", Unit: "ns/op", Tidied: "sec/op", When: date("2026-01-02"), Since: date("2025-11-03"),
		Step: steps.Step{Last: steps.Point{Run: "r0", Commit: strings.Repeat("a", 40)}, First: steps.Point{Run: "r1", Commit: strings.Repeat("b", 40)},
			From: 1e-6, To: 1.1e-6, Shift: stat.Shift{Center: 0.1, Lo: 0.08, Hi: 0.12}, Verdict: compare.Regressed, Unresolved: true, Now: 0.09, Drift: 40},
	}
	bytes := drift
	bytes.Unit, bytes.Tidied, bytes.Since, bytes.Drift = "B/op", "B/op", time.Time{}, 0
	bytes.Shift, bytes.From, bytes.To, bytes.Now = stat.Shift{Center: 512, Lo: 512, Hi: 512, Absolute: true}, 0, 512, math.Inf(1)
	all.List = []steps.Regression{drift, bytes}
	return all
}

// If there are too few runs to find a regression, the report does not claim "no regression".
func TestNoRegressionIsAnAnswerOfEnoughRuns(t *testing.T) {
	lines := func(older int, lengths ...steps.LineLength) steps.Regressions {
		return steps.Regressions{Lines: lengths, Older: older}
	}
	enough, short := steps.LineLength{Runs: 6, Needs: 6, Enough: true}, steps.LineLength{Runs: 1, Needs: 6}
	for _, tt := range []struct {
		from steps.Regressions
		want string
		tone reports.Tone
	}{
		{lines(0), "there are no runs to search for unresolved regressions", reports.Warn},
		{lines(0, short), "unknown whether there is an unresolved regression: 1 series with too few runs to tell", reports.Warn},
		{lines(0, short, enough), "no unresolved regression in 1 series; 1 series with too few runs to tell", reports.Warn},
		{lines(0, enough), "no unresolved regression in 1 series", reports.Good},
		{lines(2, enough), "no unresolved regression since then in 1 series, but 2 earlier", reports.Warn},
	} {
		if got := Regressions(tt.from); got.Summary != tt.want || got.Tone != tt.tone {
			t.Errorf("%q of tone %d, want %q of tone %d", got.Summary, got.Tone, tt.want, tt.tone)
		}
	}
}
