package pullrequest

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange/exchangetest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Measuring the same commits again does not clear a regression until it is accepted: neither in
// another run of the measuring workflow, nor in a rerun with a new artifact.
func TestCommentMeasuredAgain(t *testing.T) {
	const (
		found    = "1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa"
		sentence = "an earlier measurement of the same commits found a regression, although this one did not: push a change, or accept the regression"
	)
	vague, slow, equal := githubtest.NoisyTrial(1, 1.9), githubtest.Trial(1.3), githubtest.Trial(1)
	broken := strings.ReplaceAll(equal, "status: complete", "status: partial")
	type step func(*fakeGitHub)
	leaves := func(run int, text string) step {
		return func(f *fakeGitHub) {
			f.Run(measuringRun(run, "completed", "success"))
			f.Zips[map[int]string{6: "6", 7: "7", 8: "8"}[run]] = githubtest.Archive(f.t, artifact.FileName, text)
		}
	}
	by := func(user string) step {
		return func(f *fakeGitHub) { f.Statuses[len(f.Statuses)-1]["creator"] = user }
	}
	label := func(f *fakeGitHub) { f.Label(12, acceptLabel, "maria") }
	judge := func(f *fakeGitHub) {
		f.Add(1, "") // advance the clock
		if j := f.run(Options{Actions: Actions{EventPath: f.ended("success")}}); j.err != nil {
			f.t.Error(j.err)
		}
	}
	for _, tt := range []struct {
		name  string
		steps []step
		state string
		says  string // in the description
		kept  bool   // whether the comment has the sentence
	}{
		{"another run, undecided", []step{leaves(6, slow), leaves(7, vague), judge}, "failure", "1 benchmark regressed, 1 unchanged", false},
		{"another run, unchanged", []step{leaves(6, slow), leaves(7, equal), judge}, "failure", "1 benchmark regressed", false},
		{"another run alone found it", []step{leaves(6, vague), leaves(7, slow), judge}, "failure", "1 benchmark regressed", false},
		{"the first did not end", []step{leaves(6, broken), leaves(7, equal), judge}, "success", "2 benchmarks unchanged;", false},
		{"the second did not end", []step{leaves(6, slow), leaves(7, broken), judge}, "failure", "1 benchmark regressed", false},
		{"the same run, undecided", []step{leaves(7, slow), judge, leaves(7, vague), judge}, "failure", found, true},
		{"the same run, unchanged", []step{leaves(7, slow), judge, leaves(7, equal), judge}, "failure", found, true},
		{"the same run, twice", []step{leaves(7, slow), judge, leaves(7, equal), judge, judge}, "failure", found, true},
		{"the same run, somebody else's failure", []step{leaves(7, slow), judge, by("99"), leaves(7, equal), judge}, "success", "2 benchmarks unchanged;", false},
		{"the same run, accepted", []step{leaves(7, slow), judge, leaves(7, equal), judge, label, judge}, "success", "2 benchmarks unchanged;", false},
		{"the same run, accepted before", []step{label, leaves(7, slow), judge, leaves(7, equal), judge}, "failure", found, true},
		{"the same run, labels do not count", []step{leaves(7, slow), judge, leaves(7, equal), label, func(f *fakeGitHub) {
			f.Config = "[defaults]\naccept = \"record\"\n"
		}, judge}, "failure", found, true},
		{"the same run, recorded", []step{leaves(7, slow), judge, leaves(7, equal), func(f *fakeGitHub) {
			tm := exchangetest.NewTeam(f.t, 1)
			f.Git = tm.Bare
			tm.Accept(tm.Apps[0], "Decode", githubtest.HeadSHA, "")
			tm.Sync(tm.Apps[0], exchange.SyncOptions{})
		}, judge}, "success", "2 benchmarks unchanged;", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Zip, f.Zips = nil, map[string][]byte{}
			for _, s := range tt.steps {
				s(f)
			}
			said := f.Statuses[len(f.Statuses)-1]["description"]
			if f.status() != tt.state || !strings.HasPrefix(said, tt.says) {
				t.Errorf("%s: %s\nwant %s: %s", f.status(), said, tt.state, tt.says)
			}
			body := ""
			for _, c := range f.Ours() {
				body += c.Body
			}
			if strings.Contains(body, sentence) != tt.kept {
				t.Errorf("the comment says it: %v\n%s", !tt.kept, body)
			}
		})
	}
}
