package functions

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func stack(value float64, outermostFirst ...string) tree.Stack {
	s := tree.Stack{Value: value, Functions: []string{"testing.(*B).runN", "runtime.goexit"}}
	for _, f := range outermostFirst {
		s.Functions = append([]string{f}, s.Functions...)
	}
	return s
}

func sort(deep float64) []tree.Stack {
	return []tree.Stack{
		stack(deep*1e-6, "m.BenchmarkSort", "m.Sort", "m.less"), stack(1e-6, "m.BenchmarkSort", "m.Sort"),
		stack(0.5e-6, "m.BenchmarkSort", "m.Sort", "runtime.growslice", "runtime.mallocgc"), stack(0.01e-6, "m.BenchmarkSort", "m.rarely"),
	}
}

func allocated(bytes float64) []tree.Stack {
	return []tree.Stack{stack(bytes, "m.BenchmarkSort", "m.Sort", "m.grow"), stack(32, "m.BenchmarkSort", "m.Sort")}
}

func one() Result {
	return Result{
		Benchmarks: []*Benchmark{{
			Target: "sorty", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/m", Name: "Sort"},
			Commits: []record.Commit{{SHA: strings.Repeat("ab", 20)}}, Samples: 301,
			Time: tree.NewSampled(nil, sort(3), false), Bytes: tree.NewSampled(nil, allocated(4096), true), Objects: tree.NewSampled(nil, allocated(1), true),
			Files: []File{{"cpu", record.Head, "/home/a user/p.cpu.pb.gz"}, {"allocs", record.Head, "/tmp/p.allocs.pb.gz"}},
		}, {
			Target: "sorty", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/m", Name: "Idle"},
			Commits: []record.Commit{{}}, Samples: 3,
		}},
		Failures: []Failure{{"example.com/m.Broken", "exit status 1: panic: <b>\x1b[31m"}},
		Left:     []string{"example.com/m.Late"}, LeftWhy: "interrupted",
	}
}

func two() Result {
	return Result{Benchmarks: []*Benchmark{{
		Target: "sorty", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/m", Name: "Sort"},
		Commits: []record.Commit{{SHA: strings.Repeat("ab", 20)}, {SHA: strings.Repeat("cd", 20)}}, Samples: 611,
		Time: tree.NewSampled(sort(3), sort(5), false), Bytes: tree.NewSampled(allocated(4096), allocated(1024), true),
		Files: []File{{"cpu", record.Base, "b.cpu.pb.gz"}, {"cpu", record.Head, "h.cpu.pb.gz"}},
	}}}
}

func hostile() Result {
	var stacks []tree.Stack
	for i, name := range runtest.Hostile {
		stacks = append(stacks, stack(float64(i+1), "m.BenchmarkX", name))
	}
	return Result{
		Benchmarks: []*Benchmark{{
			Target: runtest.Hostile[0], BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: runtest.Hostile[1], Name: runtest.Hostile[2]},
			Commits: []record.Commit{{SHA: strings.Repeat("ab", 20)}}, Samples: 300,
			Time: tree.NewSampled(nil, stacks, false), Bytes: tree.NewSampled(nil, stacks, true), Objects: tree.NewSampled(nil, stacks, true),
			Files: []File{{"cpu", record.Head, "/tmp/it's; rm -rf $HOME/`x`.pb.gz"}},
		}},
		Failures: []Failure{{runtest.Hostile[3], "panic: \x1b[2J<script>"}},
		Left:     []string{runtest.Hostile[0]}, LeftWhy: "interrupted",
	}
}

func TestReports(t *testing.T) {
	reporttest.Check(t, map[string]reports.Report{
		"one": Report(one()), "two": Report(two()), "nothing": Report(Result{}), "hostile": Report(hostile()),
	})
}

// The rows of the hierarchy add up: the roots make up the total, and each function's total is its
// own time plus the time of its callees.
func TestHierarchyAddsUp(t *testing.T) {
	r := Report(one())
	table := reporttest.Heading(t, r, "Call hierarchy")
	var names []string
	for _, row := range table.Rows {
		names = append(names, row[0].Text)
	}
	const want = "m.BenchmarkSort|· m.Sort|· · m.less|· · runtime.growslice|· (1 path below 2 %)"
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("the hierarchy has %s, want %s", got, want)
	}
	if root := table.Rows[0]; root[1].Text != "4.510 µs" || root[2].Text != "100.0 %" {
		t.Errorf("the benchmark has %s, %s of the whole", root[1].Text, root[2].Text)
	}
}

// A view can ask for fewer rows or for all rows. The document always has all rows.
func TestView(t *testing.T) {
	for _, tt := range []struct {
		view                        View
		paths, allocators, captions int
		folded                      bool
	}{
		{View{}, 4, 2, 0, true}, {View{Top: 1}, 1, 1, 2, true}, {View{Top: 99}, 4, 2, 0, true}, {View{All: true}, 4, 2, 0, false},
	} {
		r := tt.view.Report(one())
		paths, allocators, calls := reporttest.Heading(t, r, "Hot paths, by own time"), reporttest.Heading(t, r, "Top allocators, by own bytes"), reporttest.Heading(t, r, "Call hierarchy")
		captions := 0
		for _, table := range []reports.Table{paths, allocators} {
			if table.Caption != "" {
				captions++
			}
		}
		if len(paths.Rows) != tt.paths || len(allocators.Rows) != tt.allocators || captions != tt.captions || strings.Contains(reporttest.Cells(calls), "below") != tt.folded {
			t.Errorf("%+v: %d paths, %d allocators, %d captions, hierarchy\n%s", tt.view, len(paths.Rows), len(allocators.Rows), captions, reporttest.Cells(calls))
		}
		if reporttest.Write(t, r, "json") != reporttest.Write(t, Report(one()), "json") {
			t.Errorf("%+v: another document", tt.view)
		}
	}
}

// The peak memory of both sides is shown side by side. Unknown values are not shown as 0.
func TestMemory(t *testing.T) {
	never, often := 0, 500
	for _, tt := range []struct {
		memory []Memory
		want   string
	}{
		{[]Memory{{Collections: &never, Operations: 1500, Resident: 72 << 20}}, "collected: never in 1500 operations\npeak resident memory: 72.00 MiB\n"},
		{[]Memory{{Collections: &never, Operations: 1}, {Collections: &often, Operations: 2000, Resident: 1 << 30}}, "collected: never in 1 operation → 0.250 times per operation\npeak resident memory: less than that of perftrack itself → 1.000 GiB\n"},
		{[]Memory{{Operations: 10}}, "collected: not recorded\npeak resident memory: not recorded\n"},
	} {
		res := one()
		res.Benchmarks[0].Memory = tt.memory
		if text := reporttest.Write(t, Report(res), "txt"); !strings.Contains(text, tt.want) {
			t.Errorf("no\n%s in\n%s", tt.want, text)
		}
		if text := reporttest.Write(t, Report(res), "json"); strings.Contains(text, `"collections": null`) != (tt.memory[0].Collections == nil) {
			t.Error(text)
		}
	}
}

// If a benchmark is too short to be sampled, the report calls its times unknown.
func TestNoSamples(t *testing.T) {
	short := Result{Benchmarks: []*Benchmark{{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Short"}, Commits: []record.Commit{{}}}}}
	if text := reporttest.Write(t, Report(short), "txt"); !strings.Contains(text, "no CPU samples, so the time of its functions is unknown: use more --rounds or a longer --benchtime: Short") {
		t.Error(text)
	}
}

func TestCommand(t *testing.T) {
	for _, tt := range []struct {
		paths []string
		want  string
	}{
		{nil, ""},
		{[]string{"/tmp/p.pb.gz"}, "go tool pprof -http=: /tmp/p.pb.gz"},
		{[]string{"b.pb.gz", "h.pb.gz"}, "go tool pprof -http=: -diff_base b.pb.gz h.pb.gz"},
		{[]string{"/home/a user/it's $(x).pb.gz"}, `go tool pprof -http=: '/home/a user/it'\''s $(x).pb.gz'`},
	} {
		if got := Command(tt.paths); got != tt.want {
			t.Errorf("of %q: %s, want %s", tt.paths, got, tt.want)
		}
	}
}
