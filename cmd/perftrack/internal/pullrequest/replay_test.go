package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// A replayed trial has 36 benchmarks in three packages, and 24 rounds.
type replayed struct {
	base, head string          // additional header lines of each side
	factor     float64         // how many times as long the first benchmark takes on head
	without    map[string]bool // sides without samples of the package lib/a or, if all is set, of any package
	all        bool
	one        string // a benchmark without samples on head
}

func (r replayed) text() string {
	var b strings.Builder
	for _, side := range []struct{ name, sha, more string }{{"base", githubtest.BaseSHA, r.base}, {"head", githubtest.HeadSHA, r.head}} {
		format, status := 1, "complete"
		if r.all && r.without[side.name] {
			format = 2
		}
		if strings.Contains(side.more, "failures:") {
			status = "failed"
		}
		fmt.Fprintf(&b, "failures:\nstarved:\nrewritten:\nround:\norder:\npkg:\nperftrack-run: %d\ntarget: lib\ncommit: %s\nstatus: %s\ntrial: 20260101T000000-0b6f00\nside: %s\n"+
			"perftrack-version: test\ngoos: linux\ngoarch: amd64\ngomaxprocs: 2\ndecision: typical-and-mean\nprocedure: check\n%s", format, side.sha, status, side.name, side.more)
		if format == 2 {
			b.WriteString("BenchmarkNothingMeasured 1 0 samples\n")
			continue
		}
		for i := range 36 {
			pkg, name := "ex/lib/"+string(rune('a'+i/12)), fmt.Sprintf("B%d", i)
			if r.without[side.name] && pkg == "ex/lib/a" || name == r.one && side.name == "head" {
				continue
			}
			fmt.Fprintf(&b, "pkg: %s\n", pkg)
			for round := range 24 {
				factor := 1.0
				if side.name == "head" {
					factor = 1 + 0.001*float64((round*5+i)%7-3)
					if i == 0 && r.factor > 0 {
						factor *= r.factor
					}
				}
				fmt.Fprintf(&b, "round: %d\norder: %d\nBenchmark%s-2 100 %.6g ns/op\n", round+1, i, name, float64(1000+i)*factor)
			}
		}
	}
	return b.String()
}

// Trials like those of real modules end with the right state and the right first line.
func TestReplay(t *testing.T) {
	const command = "[[target]]\nname = \"lib\"\nkind = \"command\"\nrun = \"x\"\n"
	both := map[string]bool{"base": true, "head": true}
	fails := func(what, why string) string {
		return fmt.Sprintf("failures: [{\"benchmark\":%q,\"reason\":%q}]\n", what, why)
	}
	for _, tt := range []struct {
		name         string
		trial        replayed
		config       string
		files        []string
		strict       bool
		after        func(*fakeGitHub) // called after the first judgement
		state, first string
	}{
		{name: "2: unchanged", trial: replayed{}, state: "success",
			first: "### ✅ perftrack: 36 benchmarks unchanged — success, does not block the merge"},
		{name: "2: slower", trial: replayed{factor: 1.3}, state: "failure",
			first: "### ❌ perftrack: 1 benchmark slower, `B0` +30.0 % · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "3: base does not build", trial: replayed{base: fails("ex/lib/a", "not built: a.go:1:1: undefined: x"), all: true, without: both}, state: "error",
			first: "### ⚠️ perftrack: 1 package does not build in base — error, blocks the merge"},
		{name: "3: a package of base does not build", trial: replayed{base: fails("ex/lib/a", "not built: a.go:1:1: undefined: x"), without: both}, state: "success",
			first: "### ⚠️ perftrack: 1 package does not build in base · ✅ 24 benchmarks unchanged — success, does not block the merge"},
		{name: "4: edited", trial: replayed{factor: 4, head: "rewritten: ex/lib/a=B0\n"}, files: []string{"a/a_test.go"}, state: "success",
			first: "### ⚠️ perftrack: 1 benchmark not comparable: the benchmark changed · ✅ 35 unchanged — success, does not block the merge"},
		{name: "4: edited, strict", trial: replayed{factor: 4, head: "rewritten: ex/lib/a=B0\n"}, files: []string{"a/a_test.go"}, strict: true, state: "failure",
			first: "### ❌ perftrack: 1 benchmark not comparable: the benchmark changed · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "4: claimed to be edited", trial: replayed{factor: 4, head: "rewritten: *=*\n"}, files: []string{"a/a.go"}, state: "failure",
			first: "### ❌ perftrack: 1 benchmark slower, `B0` 4.0x · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "5: panics on head", trial: replayed{head: fails("ex/lib/a.B0", "exit status 2: panic: x"), one: "B0"}, state: "failure",
			first: "### ❌ perftrack: 1 benchmark failed in head · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "5: a program of any kind", trial: replayed{factor: 2.6}, config: command, state: "failure",
			first: "### ❌ perftrack: 1 benchmark slower, `B0` 2.6x · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "7: nothing was checked", trial: replayed{base: "starved: 36 benchmarks, 24 rounds of 2s after 9s\n", head: "starved: 36 benchmarks, 24 rounds of 2s after 9s\n", all: true, without: both}, state: "error",
			first: "### ⚠️ perftrack: 36 benchmarks not checked — error, blocks the merge"},
		{name: "7: nothing is said of anything", trial: replayed{all: true, without: both}, state: "error",
			first: "### ⚠️ perftrack: nothing could be compared — error, blocks the merge"},
		{name: "7: a green measurement after a red one", trial: replayed{factor: 1.3}, after: func(f *fakeGitHub) {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, replayed{}.text())
		}, state: "failure",
			first: "### ❌ perftrack: ✅ 36 benchmarks unchanged — failure, blocks the merge"},
		{name: "8: the label", trial: replayed{factor: 1.3}, after: func(f *fakeGitHub) { f.Label(12, acceptLabel, "maria") }, state: "success",
			first: "### ☑️ perftrack: 1 benchmark slower as accepted, `B0` +30.0 % · ✅ 35 unchanged — success, does not block the merge"},
		{name: "8: the label taken off", trial: replayed{factor: 1.3}, after: func(f *fakeGitHub) {
			f.Label(12, acceptLabel, "maria")
			f.run(Options{Comment: Always})
			f.Unlabel(12, acceptLabel, "maria")
		}, state: "failure",
			first: "### ❌ perftrack: 1 benchmark slower, `B0` +30.0 % · ✅ 35 unchanged — failure, blocks the merge"},
		{name: "9: a package of head does not build", trial: replayed{head: fails("ex/lib/a", "not built: a.go:1:1: undefined: x"), without: map[string]bool{"head": true}}, state: "error",
			first: "### ⚠️ perftrack: 1 package does not build in head · ✅ 24 benchmarks unchanged — error, blocks the merge"},
		{name: "9: nothing was built", trial: replayed{head: fails("ex/lib/a", "not built: a.go:1:1: undefined: x"), all: true, without: both}, state: "error",
			first: "### ⚠️ perftrack: 1 package does not build in head — error, blocks the merge"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Config, f.Files, f.Zip = tt.config, tt.files, githubtest.Archive(t, artifact.FileName, tt.trial.text())
			opt := Options{Comment: Always, Strict: tt.strict}
			j := f.run(opt)
			if tt.after != nil && j.err == nil {
				tt.after(f)
				j = f.run(opt)
			}
			if j.err != nil {
				t.Fatal(j.err)
			}
			ours := f.Ours()
			if len(ours) != 1 {
				t.Fatalf("%d comments: %s", len(ours), j.notices)
			}
			first := ""
			for line := range strings.Lines(ours[0].Body) {
				if strings.HasPrefix(line, "### ") {
					first = strings.TrimSpace(line)
					break
				}
			}
			if f.status() != tt.state || first != tt.first {
				t.Errorf("%s: %s\nwant %s: %s\n", f.status(), first, tt.state, tt.first)
			}
		})
	}
}
