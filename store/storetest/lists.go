package storetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func testFilters(t *testing.T, db *store.DB) {
	a, b := Plain(sha("a1"), 0, 2), Plain(sha("a2"), 1, 2)
	a.Facts = nil
	dirty := Plain(sha("a1"), 2, 2)
	dirty.Commit.Dirty = true
	partial := Plain(sha("a1"), 3, 2)
	partial.Status = record.Partial
	other := Plain(sha("b"), 4, 2)
	other.Target, other.Commit.Branch, other.Env = "tokenizer", "topic", other.Env.Set("goos", "darwin")
	trial := Plain(sha("a2"), 5, 2)
	trial.Trial, trial.Side = "t1", record.Head
	failed := Plain("", 6, 2)
	failed.Status = record.Failed
	unmeasured := Plain(sha("a2"), 7, 2)
	unmeasured.Trial, unmeasured.Side, unmeasured.Benchmarks = "t1", record.Base, nil
	all := []*record.Run{a, b, dirty, partial, other, trial, failed, unmeasured}
	ids := put(t, db, all...)

	for _, tt := range []struct {
		name   string
		filter store.Filter
		want   []int
	}{
		{"all", store.Filter{}, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"newest first", store.Filter{Newest: true}, []int{7, 6, 5, 4, 3, 2, 1, 0}},
		{"limit", store.Filter{Limit: 2}, []int{0, 1}},
		{"target", store.Filter{Target: "tokenizer"}, []int{4}},
		{"commit", store.Filter{Commit: sha("a2")}, []int{1, 5, 7}},
		{"beginning of a commit", store.Filter{Commit: "a"}, []int{0, 1, 2, 3, 5, 7}},
		{"no such commit", store.Filter{Commit: "c"}, nil},
		{"not the beginning", store.Filter{Commit: "1"}, nil},
		{"branch", store.Filter{Branch: "topic"}, []int{4}},
		{"trial", store.Filter{Trial: "t1"}, []int{5, 7}},
		{"environment", store.Filter{Environment: other.Env.EnvironmentID()}, []int{4}},
		{"statuses", store.Filter{Statuses: []record.Status{record.Partial, record.Failed}}, []int{3, 6}},
		{"clean", store.Filter{Clean: true}, []int{0, 1, 3, 4, 5, 6, 7}},
		{"measured", store.Filter{Measured: true}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"baselines", store.Filter{}.Baselines(), []int{0, 1, 4, 5}},
		{"the baseline of a commit", store.Filter{Target: "engine", Commit: "a1", Newest: true, Limit: 1}.Baselines(), []int{0}},
		{"injection", store.Filter{Target: "' OR '1'='1"}, nil},
	} {
		infos, err := db.Runs(context.Background(), tt.filter)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var got []int
		for _, info := range infos {
			i := slices.Index(ids, info.ID)
			got = append(got, i)
			// A header equals its run, except that it has counts instead of benchmarks.
			want := *all[i]
			want.Benchmarks = nil
			if fmt.Sprintf("%+v", info.Run) != fmt.Sprintf("%+v", want) {
				t.Errorf("%s: header\n%+v\nwant\n%+v", tt.name, info.Run, want)
			}
			if n := len(all[i].Benchmarks); info.Benchmarks != n || info.Rounds != 2*n || info.EnvironmentID != want.Env.EnvironmentID() {
				t.Errorf("%s: %d benchmarks, %d rounds, environment %s", tt.name, info.Benchmarks, info.Rounds, info.EnvironmentID)
			}
			if info.Baseline() != all[i].Baseline() {
				t.Errorf("%s: run %d is a baseline in the list, %v", tt.name, i, info.Baseline())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: runs %v, want %v", tt.name, got, tt.want)
		}
	}
}

func testTrials(t *testing.T, db *store.DB) {
	var ids []string
	for i, trial := range []string{"t2", "", "t1", "t2", "t1"} {
		r := Plain(sha("a"), i, 1)
		r.Trial = trial
		ids = append(ids, put(t, db, r)...)
	}
	trials, err := db.Trials(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, trial := range trials {
		for _, r := range trial.Runs {
			got = append(got, fmt.Sprint(trial.ID, r.Trial, slices.Index(ids, r.ID)))
		}
	}
	if want := []string{"t2t20", "t2t23", "t1t12", "t1t14"}; !slices.Equal(got, want) {
		t.Errorf("trials %v, want %v", got, want)
	}
}

func testTargets(t *testing.T, db *store.DB) {
	var ids []string
	for i, target := range []string{"b", "a", "b"} {
		r := Plain(sha("a"), i, 1)
		r.Target = target
		ids = append(ids, put(t, db, r)...)
	}
	targets, err := db.Targets(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) != 2 || targets[0].Name != "a" || targets[0].Runs != 1 || targets[0].Last.ID != ids[1] ||
		targets[1].Name != "b" || targets[1].Runs != 2 || targets[1].Last.ID != ids[2] {
		t.Errorf("targets %+v", targets)
	}
}

func testBenchmarks(t *testing.T, db *store.DB) {
	first, second := Plain(sha("a"), 1, 2), Plain(sha("b"), 2, 2)
	extra := second.Benchmarks[0]
	extra.Name = "Another"
	extra.Samples = []record.Samples{
		{Unit: "allocs/op", Values: []float64{1, 1}}, {Unit: "GFLOPS", Values: []float64{1, 1}}, {Unit: "ns/op", Values: []float64{1, 1}},
	}
	second.Benchmarks = append(second.Benchmarks, extra)
	ids := put(t, db, first, second)
	// The benchmark that sorts first was stored last.
	if back, err := db.Get(context.Background(), ids[1]); err != nil || fmt.Sprintf("%+v", *back) != fmt.Sprintf("%+v", *second) {
		t.Errorf("read, %v\n%+v\nstored\n%+v", err, *back, *second)
	}
	for _, tt := range []struct {
		filter store.Filter
		want   string
	}{
		{store.Filter{}, fmt.Sprintf("Another [ns/op GFLOPS allocs/op] 1 %s; GELU_1000 [ns/op] 2 %[1]s; ", ids[1])},
		{store.Filter{Commit: "a"}, fmt.Sprintf("GELU_1000 [ns/op] 1 %s; ", ids[0])},
		{store.Filter{Limit: 1, Newest: true}, fmt.Sprintf("Another [ns/op GFLOPS allocs/op] 1 %s; GELU_1000 [ns/op] 1 %[1]s; ", ids[1])},
		{store.Filter{Target: "none"}, ""},
	} {
		infos, err := db.Benchmarks(context.Background(), tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, b := range infos {
			if b.Target != "engine" || b.Suite != "enhanced" || b.Kind != record.Bench {
				t.Errorf("%+v", b)
			}
			got += fmt.Sprintf("%s %v %d %s; ", b.Name, b.Units, b.Runs, b.Last)
		}
		if got != tt.want {
			t.Errorf("%+v:\n%s\nwant\n%s", tt.filter, got, tt.want)
		}
	}
}

func testSuites(t *testing.T, db *store.DB) {
	first, second := Plain(sha("a"), 1, 2), Plain(sha("b"), 2, 2)
	scope := second.Benchmarks[0]
	scope.Kind, scope.Suite, scope.Package = record.Scope, "deep", "p"
	again := scope
	again.Name = "Another"
	second.Benchmarks = append(second.Benchmarks, scope, again)
	ids := put(t, db, first, second)
	for _, tt := range []struct {
		filter store.Filter
		want   map[string][]store.Suite
	}{
		{store.Filter{}, map[string][]store.Suite{ids[0]: {{Kind: record.Bench, Name: "enhanced"}}, ids[1]: {{Kind: record.Bench, Name: "enhanced"}, {Kind: record.Scope, Package: "p", Name: "deep"}}}},
		{store.Filter{Commit: "a"}, map[string][]store.Suite{ids[0]: {{Kind: record.Bench, Name: "enhanced"}}}},
		{store.Filter{Commit: "c"}, map[string][]store.Suite{}},
	} {
		got, err := db.Suites(context.Background(), tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("%+v: %v, want %v", tt.filter, got, tt.want)
		}
	}
}

// testHistory tests that History returns a point for each run of the target with the benchmark, in
// the order of storage, regardless of the clock.
func testHistory(t *testing.T, db *store.DB) {
	var want []string
	id := Plain("", 0, 1).Benchmarks[0].BenchmarkID
	for i := range 6 {
		r := Plain(sha("a"), i, 3)
		r.Start = r.Start.AddDate(-i, 0, 0)
		switch i {
		case 2:
			r.Target = "tokenizer"
		case 3:
			r.Benchmarks[0].Name = "Another"
		case 4:
			r.Status = record.Partial
			r.Benchmarks[0].Samples = append(r.Benchmarks[0].Samples, record.Samples{Unit: "B/op", Values: []float64{4, 5, 6}})
		}
		put(t, db, r)
		if b, ok := r.Benchmark(id); ok && r.Target == "engine" {
			want = append(want, fmt.Sprintf("%s %+v", r.ID(), *b))
		}
	}
	points, err := db.History(context.Background(), "engine", id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range points {
		got = append(got, fmt.Sprintf("%s %+v", p.Run.ID, p.Benchmark))
	}
	if !slices.Equal(got, want) {
		t.Errorf("history\n%q\nwant\n%q", got, want)
	}
}
