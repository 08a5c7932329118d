package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// historyText returns the history workflow's run at the base. It has the benchmarks of
// githubtest.Trial and those named in more.
func historyText(more ...string) string {
	text := fmt.Sprintf("perftrack-run: 1\ntarget: lib\ncommit: %s\nstatus: complete\nperftrack-version: test\n"+
		"goos: linux\ngoarch: amd64\ngomaxprocs: 2\npkg: example.com/lib\n", githubtest.BaseSHA)
	for _, name := range append([]string{"Decode", "Encode"}, more...) {
		text += "Benchmark" + name + "-2 100 1000 ns/op\n"
	}
	return text
}

// paddedTrial returns a trial of a check with Decode 50 % slower on the head. padding is the number
// of additional benchmarks, missing in the base.
func paddedTrial(padding int) string {
	var b strings.Builder
	for _, side := range []struct {
		name, sha string
		decode    int
	}{{"base", githubtest.BaseSHA, 1000}, {"head", githubtest.HeadSHA, 1500}} {
		b.WriteString(checkedHeader(1, "lib", side.name, side.sha, "") + "pkg: example.com/lib\n")
		for i := range 10 {
			fmt.Fprintf(&b, "round: %d\norder: 0\nBenchmarkDecode-2 100 %d ns/op\nBenchmarkEncode-2 100 %d ns/op\n", i+1, side.decode+i%5, 500+i%5)
			for n := range padding {
				fmt.Fprintf(&b, "BenchmarkPad%d-2 100 %d ns/op\n", n, 100+(i+n+side.decode/500)%5)
			}
		}
	}
	return b.String()
}

// The history of the base reveals benchmarks left out on both sides, or hidden among made-up ones.
// Without a trusted history there is no remark.
func TestCommentKnowsTheBase(t *testing.T) {
	run := func(event string, repository int, sha string) map[string]any {
		return map[string]any{
			"id": 900, "workflow_id": 4, "path": githubtest.HistoryWorkflow, "event": event, "status": "completed", "conclusion": "success",
			"head_sha": sha, "head_repository": map[string]any{"id": repository, "owner": map[string]string{"login": "o"}},
		}
	}
	const vanished = "known from the base's history"
	push := run("push", 1, githubtest.BaseSHA)
	for _, tt := range []struct {
		name, trial, history string
		run                  map[string]any
		state                string
		says                 string // text in the comment
		notice               string
	}{
		{"no history", githubtest.Trial(1), "", nil, "success", "", ""},
		{"the same benchmarks", githubtest.Trial(1), historyText(), push, "success", "", ""},
		{"one vanished", githubtest.Trial(1), historyText("Hash"), push, "success", "example.com/lib.Hash", ""},
		{"of a fork", githubtest.Trial(1), historyText("Hash"), run("push", 2, githubtest.BaseSHA), "success", "", ""},
		{"of a pull request", githubtest.Trial(1), historyText("Hash"), run("pull_request", 1, githubtest.BaseSHA), "success", "", ""},
		{"of another commit", githubtest.Trial(1), historyText("Hash"), run("push", 1, otherBase), "success", "", ""},
		{"unreadable", githubtest.Trial(1), "no results", push, "success", "", "the history of " + githubtest.BaseSHA[:12]},
		{"padded", paddedTrial(400), historyText(), push, "failure", "Decode", ""},
		{"not padded", paddedTrial(0), historyText(), push, "failure", "Decode", ""},
		{"padded, no history", paddedTrial(400), "", nil, "error", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.trials(map[string]string{"7": tt.trial, "900": tt.history})
			if tt.run != nil {
				f.Run(tt.run)
			}
			got := f.run(Options{Comment: Always})
			if got.err != nil || got.res.State != tt.state {
				t.Errorf("%v, %s: %s, want %s", got.err, got.res.State, got.res.Description, tt.state)
			}
			if strings.Contains(got.res.Body, vanished) != (tt.name == "one vanished") || !strings.Contains(got.res.Body, tt.says) {
				t.Errorf("want %q in\n%s", tt.says, got.res.Body)
			}
			if !strings.Contains(got.notices, tt.notice) || tt.notice == "" && strings.Contains(got.notices, "the history of") {
				t.Errorf("notices %q, want %q", got.notices, tt.notice)
			}
		})
	}
}

// Missing benchmarks are not reported if at least as many functions of their package reach no
// changed code, according to the trial. Measured benchmarks of the same package do not hide missing
// ones.
func TestUnreachedAreNotMissed(t *testing.T) {
	bench := func(name string) record.BenchmarkID {
		return record.BenchmarkID{Kind: record.Bench, Package: "p", Name: name}
	}
	base := baseHistory{"a": {}}
	for _, name := range []string{"Kept", "One/x", "One/y", "Two"} {
		base["a"][comparison.SeriesKey{BenchmarkID: bench(name), Unit: "ns/op"}] = true
	}
	for _, tt := range []struct {
		kept      string // measured
		unreached int
		want      string
	}{
		{"Kept", 2, "[]"}, {"Kept", 1, "[p.One/x p.One/y p.Two]"}, {"Kept", 0, "[p.One/x p.One/y p.Two]"},
		{"Elsewhere", 3, "[]"}, {"Elsewhere", 2, "[p.Kept p.One/x p.One/y p.Two]"},
	} {
		kept := bench(tt.kept)
		if tt.kept == "Elsewhere" {
			kept.Package = "q"
		}
		c := &compare.Comparison{Head: compare.Side{Runs: []*record.Run{{Target: "a", Benchmarks: []record.Benchmark{{BenchmarkID: kept}}}}}}
		if tt.unreached > 0 {
			c.Unreached = []compare.Unreached{{Target: "a", Package: "p", Benchmarks: tt.unreached}}
		}
		var got []string
		for _, f := range base.vanished(c) {
			got = append(got, f.Benchmarks...)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s measured, %d unreached: missed %v, want %s", tt.kept, tt.unreached, got, tt.want)
		}
	}
}

// Each target names only its own vanished benchmarks.
func TestVanishedByTarget(t *testing.T) {
	bench := func(name string) record.BenchmarkID {
		return record.BenchmarkID{Kind: record.Bench, Package: "p", Name: name}
	}
	base := baseHistory{}
	var head compare.Side
	for target, n := range map[string]int{"a": maxVanished + 3, "b": maxVanished + 1, "c": 1} {
		base[target] = map[comparison.SeriesKey]bool{{BenchmarkID: bench("Kept"), Unit: "ns/op"}: true}
		for i := range n {
			for _, unit := range []string{"ns/op", "B/op"} {
				base[target][comparison.SeriesKey{BenchmarkID: bench(fmt.Sprint("Gone", i)), Unit: unit}] = true
			}
		}
		head.Runs = append(head.Runs, &record.Run{Target: target, Benchmarks: []record.Benchmark{{BenchmarkID: bench("Kept")}}})
	}
	named, more := map[string]int{}, map[string]int{}
	for _, u := range base.vanished(&compare.Comparison{Head: head}) {
		if named[u.Target] = len(u.Benchmarks); u.More > 0 {
			more[u.Target] = u.More
		}
	}
	if got, want := fmt.Sprint(named, more), fmt.Sprintf("map[a:%d b:%d c:1] map[a:3 b:1]", maxVanished, maxVanished); got != want {
		t.Errorf("named and counted: %s, want %s", got, want)
	}
}
