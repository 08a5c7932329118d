package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/reports/github"
)

// unmeasuredText returns an export of the two sides of a check without samples. base and head are
// the lines with the reason, or "".
func unmeasuredText(target, base, head string) string {
	var b strings.Builder
	for _, side := range []struct{ name, sha, why string }{{"base", githubtest.BaseSHA, base}, {"head", githubtest.HeadSHA, head}} {
		b.WriteString(checkedHeader(2, target, side.name, side.sha, side.why) + "pkg:\nBenchmarkNothingMeasured 1 0 samples\n")
	}
	return b.String()
}

func checkedHeader(format int, target, side, sha, why string) string {
	if why != "" {
		why += "\n"
	}
	reset := "round:\norder:\nsame-code:\nlacks:\nfailures:\n"
	return reset + fmt.Sprintf("perftrack-run: %d\ntarget: %s\ncommit: %s\nstatus: complete\ntrial: 20260101T000000-0b6f00\nside: %s\n"+
		"perftrack-version: test\ngoos: linux\ngoarch: amd64\ngomaxprocs: 2\ndecision: typical-and-mean\nprocedure: check\n", format, target, sha, side) + why
}

// oneSided returns an export of a check with a benchmark on only one side.
func oneSided(target, side string) string {
	text := unmeasuredText(target, "lacks: example.com/new=1", "lacks: example.com/new=1")
	sha := map[string]string{"base": githubtest.BaseSHA, "head": githubtest.HeadSHA}[side]
	old := checkedHeader(2, target, side, sha, "lacks: example.com/new=1") + "pkg:\nBenchmarkNothingMeasured 1 0 samples\n"
	measured := checkedHeader(1, target, side, sha, "") + "pkg: example.com/new\n"
	for round := range 10 {
		measured += fmt.Sprintf("round: %d\norder: 0\nBenchmarkNew-2 100 %d ns/op\n", round+1, 100+round)
	}
	return strings.Replace(text, old, measured, 1)
}

// A pull request without any measurement also gets a result.
func TestCommentOnUnmeasured(t *testing.T) {
	const (
		libAndSlow = "[[target]]\nname = \"lib\"\nkind = \"gotest\"\n[[target]]\nname = \"slow\"\nkind = \"gotest\"\n"
		same       = "same-code: example.com/slow=3"
	)
	for _, tt := range []struct {
		name, trial, config string
		opt                 Options
		status, description string
		created             bool   // whether a missing comment is created
		text                string // part of the comment
	}{
		{"no code changed", unmeasuredText("lib", same, same), "", Options{Strict: true},
			"success", "no benchmark's code changed: there was nothing to measure", false, "### ✅ perftrack: no benchmark's code changed"},
		{"a target untouched", githubtest.Trial(1) + unmeasuredText("slow", same, same), libAndSlow, Options{Strict: true},
			"success", "2 benchmarks unchanged, 3 with unchanged code", false, "same machine code: 3 benchmarks of `slow example.com/slow`"},
		{"a target untouched beside a regression", githubtest.Trial(1.3) + unmeasuredText("slow", same, same), libAndSlow, Options{},
			"failure", "1 benchmark regressed, 1 unchanged, 3 with unchanged code", true, "regressed"},
		{"a target of which nothing is said", githubtest.Trial(1) + unmeasuredText("slow", "", ""), libAndSlow, Options{Strict: true},
			"error", "1 target in the base not measured, 2 benchmarks unchanged", true, "- a target in the base, but not in the trial: `slow`"},
		{"a package more", oneSided("lib", "head"), "", Options{Strict: true}, "success", "1 benchmark new", false, "new in head: `lib example.com/new New`"},
		{"a package less", oneSided("lib", "base"), "", Options{}, "success", "1 benchmark missing", true, "missing in head: `lib example.com/new New`"},
		{"a package less, strict", oneSided("lib", "base"), "", Options{Strict: true}, "failure", "1 benchmark missing", true, "missing in head"},
		{"all of a target failed", strings.Replace(oneSided("lib", "base"), "side: head\n", "side: head\nfailures: [{\"benchmark\":\"New\",\"reason\":\"exit status 2\"}]\n", 1), "",
			Options{}, "failure", "1 benchmark failed in head", true, "failed in head: `lib New: exit status 2`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, before := range []bool{false, true} {
				f := newFake(t)
				f.Zip, f.Config = githubtest.Archive(t, artifact.FileName, tt.trial), tt.config
				want := 0
				if before || tt.created {
					want = 1
				}
				if before {
					f.Add(githubapi.ActionsBotID, github.Marker("perftrack")+"\nold")
				}
				j := f.run(tt.opt)
				if j.err != nil {
					t.Fatal(j.err)
				}
				if got := f.status(); got != tt.status || !strings.HasPrefix(j.res.Description, tt.description) {
					t.Errorf("status %q: %s, want %q: %s\n%s", got, j.res.Description, tt.status, tt.description, j.notices)
				}
				ours := f.Ours()
				if len(ours) != want || want > 0 && !strings.Contains(ours[0].Body, tt.text) {
					t.Errorf("%d comments, want %d with %q:\n%v", len(ours), want, tt.text, ours)
				}
			}
		})
	}
}
