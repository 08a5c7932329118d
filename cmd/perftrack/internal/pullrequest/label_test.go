package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange/exchangetest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// A label accepts the regressions shown when it was set, for this head only, up to their sizes plus
// the threshold.
func TestCommentLabel(t *testing.T) {
	const notAll = "The label perf-accept, set by maria, does not accept all of these changes"
	newHead := strings.Repeat("d", 40)
	type step func(*fakeGitHub) Options
	trial := func(factor float64) step {
		return func(f *fakeGitHub) Options {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, githubtest.Trial(factor))
			return Options{}
		}
	}
	label := func(f *fakeGitHub) Options { f.Label(12, acceptLabel, "maria"); return Options{} }
	again := func(f *fakeGitHub) Options { f.Unlabel(12, acceptLabel, "maria"); return label(f) }
	push := func(factor float64) step {
		return func(f *fakeGitHub) Options {
			f.Pulls[0]["head"].(map[string]any)["sha"] = newHead
			f.Zip = githubtest.Archive(f.t, artifact.FileName, strings.ReplaceAll(githubtest.Trial(factor), githubtest.HeadSHA, newHead))
			return Options{Actions: Actions{EventPath: f.Event(map[string]any{"workflow_run": map[string]any{
				"id": 8, "event": "pull_request", "conclusion": "failure", "head_branch": "main", "head_sha": newHead,
				"head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}}, "pull_requests": []any{},
			}})}}
		}
	}
	pushed := push(1.3)
	both := githubtest.Trial(1.3)
	for _, tt := range []struct {
		name  string
		steps []step
		state string
		text  string
	}{
		{"before anything was shown", []step{label, trial(1.3)}, "failure", notAll},
		{"before anything was shown, and looked at again", []step{label, trial(1.3), trial(1.3)}, "failure", notAll},
		{"after it was shown", []step{trial(1.3), label}, "success", "accepted: <code>label perf-accept, set by maria</code>"},
		{"twice", []step{trial(1.3), label, trial(1.3), trial(1.3)}, "success", "<code>label perf-accept, set by maria</code>"},
		{"hardly worse", []step{trial(1.3), label, trial(1.36)}, "success", "<code>label perf-accept, set by maria</code>"},
		{"worse", []step{trial(1.3), label, trial(1.4)}, "failure", notAll},
		{"worse by small steps", []step{trial(1.3), label, trial(1.35), trial(1.4)}, "failure", notAll},
		{"worse, and set again", []step{trial(1.3), label, trial(1.4), again}, "success", "<code>label perf-accept, set by maria</code>"},
		{"another benchmark", []step{trial(1.3), label, func(f *fakeGitHub) Options {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, strings.ReplaceAll(both, "Decode", "Other"))
			return Options{}
		}}, "failure", notAll},
		{"a push that is as slow", []step{trial(1.3), label, pushed}, "failure", notAll},
		{"a push that is worse", []step{trial(1.3), label, push(2)}, "failure", notAll},
		{"a push, and set again", []step{trial(1.3), label, pushed, func(f *fakeGitHub) Options { again(f); return pushed(f) }}, "success", "set by maria"},
		{"set between a push and its result", []step{trial(1.3), func(f *fakeGitHub) Options { label(f); return pushed(f) }}, "failure", notAll},
		{"where no comment is made", []step{
			func(f *fakeGitHub) Options { trial(1.3)(f); return Options{Comment: Never} },
			func(f *fakeGitHub) Options { label(f); return Options{Comment: Never} },
		}, "failure", ""},
		{"where only records count", []step{trial(1.3), label, func(f *fakeGitHub) Options {
			f.Config = "[defaults]\naccept = \"record\"\n"
			return Options{}
		}}, "failure", "The label perf-accept does not count, because perftrack.toml on main has accept = \"record\"."},
		{"where trailers do not count", []step{trial(1.3), func(f *fakeGitHub) Options {
			f.Config, f.Message = "[defaults]\naccept = \"label\"\n", "x\n\nperf-accept: Decode because\n"
			return label(f)
		}}, "success", "set by maria"},
		{"shown by somebody else, who set a status, too", []step{func(f *fakeGitHub) Options {
			trial(1.3)(f)
			f.Me = 5
			f.run(Options{})
			f.Me = githubapi.ActionsBotID
			return Options{Comment: Never}
		}, label}, "failure", notAll},
		{"somebody else's token", []step{func(f *fakeGitHub) Options {
			f.Me = 5
			trial(1.3)(f)
			return Options{}
		}, label}, "success", "set by maria"},
	} {
		f := newFake(t)
		var j jobRun
		for _, s := range tt.steps {
			if j = f.run(s(f)); j.err != nil {
				t.Fatal(tt.name, j.err)
			}
		}
		if state := f.Statuses[len(f.Statuses)-1]["state"]; state != tt.state || !strings.Contains(j.res.Body, tt.text) {
			t.Errorf("%s: %s, want %s and %q in\n%s", tt.name, state, tt.state, tt.text, j.res.Body)
		}
	}
}

// A trailer counts only if the base branch allows it.
func TestCommentTrailerSwitchedOff(t *testing.T) {
	for accept, want := range map[string]string{"trailer": "success", "label": "failure", "record": "failure"} {
		f := newFake(t)
		f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
		f.Pulls = []map[string]any{pullOf(12, githubtest.HeadSHA, 1)}
		f.Config, f.Message = "[defaults]\naccept = \""+accept+"\"\n", "x\n\nperf-accept: Decode because\n"
		j := f.run(Options{Actions: Actions{EventPath: f.Event(map[string]any{"workflow_run": map[string]any{
			"id": githubtest.RunID7, "event": "pull_request", "head_branch": "topic", "head_sha": githubtest.HeadSHA,
			"head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "owner"}},
		}})}})
		if j.err != nil || f.status() != want {
			t.Errorf("%s: %s, %v", accept, f.status(), j.err)
		}
		if said := strings.Contains(j.res.Body, "The head commit's trailer does not count"); said != (want == "failure") {
			t.Errorf("%s: %s", accept, j.res.Body)
		}
	}
}

// noTrial is the factor for a measurement without a trial.
const noTrial = 0

// A comment without regressions does not end the acceptances of a label.
func TestCommentLabelOutlastsGreen(t *testing.T) {
	for _, tt := range []struct {
		last float64
		want string
	}{{1.3, "success"}, {2, "failure"}} {
		f := newFake(t)
		for i, factor := range []float64{1.3, 1.3, 1, tt.last} {
			if i == 1 {
				f.Label(12, acceptLabel, "maria")
			}
			f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(factor))
			if j := f.run(Options{}); j.err != nil {
				t.Fatal(j.err)
			}
		}
		if f.status() != tt.want {
			t.Errorf("%v: %s, want %s", tt.last, f.status(), tt.want)
		}
	}
}

// A record for each benchmark fits into the comment and counts.
func TestCommentManyRecords(t *testing.T) {
	tm := exchangetest.NewTeam(t, 1)
	f := newFake(t)
	f.Git = tm.Bare
	const many = 30
	var text strings.Builder
	for _, side := range []struct {
		name, sha string
		time      int
	}{{"base", githubtest.BaseSHA, 1000}, {"head", githubtest.HeadSHA, 1500}} {
		text.WriteString(checkedHeader(1, "lib", side.name, side.sha, "") + "pkg: example.com/lib\n")
		for i := range 20 {
			fmt.Fprintf(&text, "round: %d\norder: 0\n", i+1)
			for n := range many {
				fmt.Fprintf(&text, "BenchmarkSlow%d-2 100 %d ns/op\n", n, side.time+(i+n)%5)
			}
		}
	}
	for n := range many {
		tm.Accept(tm.Apps[0], fmt.Sprintf("Slow%d", n), githubtest.HeadSHA, "")
	}
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	f.Zip = githubtest.Archive(t, artifact.FileName, text.String())
	for range 2 {
		j := f.run(Options{})
		if j.err != nil || f.status() != "success" || !strings.Contains(j.res.Body, "30 benchmarks regressed as accepted") {
			t.Fatal(f.status(), j.err, j.res.Body)
		}
		if n := strings.Index(j.res.Body, shownSuffix+"\n#"); n > maxRecorded {
			t.Errorf("the hidden line has %d bytes", n)
		}
	}
}

// A record accepts regressions up to the sizes shown when it was first seen.
func TestCommentRecordedSize(t *testing.T) {
	before, after := exchangetest.NewTeam(t, 1), exchangetest.NewTeam(t, 1) // teams before and after the record is made
	after.Accept(after.Apps[0], "Decode", githubtest.HeadSHA, "")
	after.Sync(after.Apps[0], exchange.SyncOptions{})
	for _, tt := range []struct {
		name    string
		factors []float64 // slowdown factors of successive trials
		at      int       // index of the first trial after the record
		want    string
	}{
		{"as shown", []float64{1.3, 1.3}, 1, "success"},
		{"before anything was shown", []float64{1.3}, 0, "success"},
		{"hardly worse than shown", []float64{1.3, 1.36}, 1, "success"},
		{"worse than shown", []float64{1.3, 1.4}, 1, "failure"},
		{"worse than when first seen", []float64{1.3, 1.4}, 0, "failure"},
		{"worse by small steps", []float64{1.3, 1.3, 1.35, 1.4}, 1, "failure"},
		{"as shown before a green one", []float64{1.3, 1, 1.3}, 0, "success"},
		{"worse after a green one", []float64{1.3, 1, 2}, 0, "failure"},
		{"worse after a green one that was the first to see it", []float64{1.3, 1, 2}, 1, "failure"},
		{"as shown before a green one that was the first to see it", []float64{1.3, 1, 1.3}, 1, "success"},
		{"as shown before no result", []float64{1.3, noTrial, 1.3}, 0, "success"},
		{"worse after no result", []float64{1.3, noTrial, 2}, 0, "failure"},
		{"worse after two without any", []float64{1.3, 1, noTrial, 2}, 0, "failure"},
	} {
		f := newFake(t)
		f.Git = before.Bare
		var j jobRun
		for i, factor := range tt.factors {
			if i == tt.at {
				f.Git = after.Bare
			}
			if f.Zip = nil; factor != noTrial {
				f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(factor))
			} else {
				f.Statuses = nil // otherwise the verdict and the comment would stay
			}
			if j = f.run(Options{}); j.err != nil {
				t.Fatal(j.err)
			}
		}
		if f.status() != tt.want || strings.Contains(j.res.Body, "A change is larger now than when it was accepted") != (tt.want == "failure") {
			t.Errorf("%s: %s, want %s\n%s", tt.name, f.status(), tt.want, j.res.Body)
		}
	}
}
