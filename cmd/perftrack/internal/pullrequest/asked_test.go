package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// demanded returns the options of a run on demand, with the event of the requesting comment.
func (f *fakeGitHub) demanded() Options {
	return Options{Asked: githubtest.HeadSHA, Actions: Actions{Run: "70", EventPath: f.Event(map[string]any{
		"sender": map[string]any{"login": "maria"}, "issue": map[string]any{"number": 12, "pull_request": map[string]any{"url": "x"}},
		"comment": map[string]any{"body": "/perftrack", "user": map[string]any{"login": "maria"}},
	})}}
}

// selected returns the trial as if only some benchmarks had been measured.
func selected(trial string) string {
	return strings.ReplaceAll(trial, "decision: typical-and-mean\n", "decision: typical-and-mean\nselection: --bench Decode\n")
}

// A measurement on demand is judged like one started by a push.
func TestCommentOnAsked(t *testing.T) {
	const onComment = "[defaults]\non = \"comment\"\n"
	for _, tt := range []struct {
		name, config string
		trial        string // "" means no trial
		prepare      func(*fakeGitHub)
		status, text string
	}{
		{"slower", onComment, githubtest.Trial(1.3), nil, "failure", "1 benchmark regressed, 1 unchanged"},
		{"nothing changed", onComment, githubtest.Trial(1), nil, "success", "2 benchmarks unchanged"},
		{"a part", onComment, selected(githubtest.Trial(1)), nil, "success", "2 benchmarks unchanged"},
		{"a part where all is asked for", "", selected(githubtest.Trial(1)), nil, "pending", "only part of the benchmarks was measured, on demand: 2 benchmarks unchanged"},
		{"a slower part where all is asked for", "", selected(githubtest.Trial(1.3)), nil, "failure", "1 benchmark regressed"},
		{"a part beside all of it", "", selected(githubtest.Trial(1)), func(f *fakeGitHub) {
			f.push(60, strings.ReplaceAll(githubtest.Trial(1), "decision: typical-and-mean\n", "decision: typical-and-mean\nselection: all\n"))
		}, "success", "2 benchmarks unchanged"},
		{"a part beside all of it that failed", "", selected(githubtest.Trial(1)), func(f *fakeGitHub) {
			f.push(60, strings.NewReplacer("decision: typical-and-mean\n", "decision: typical-and-mean\nselection: all\n", "status: complete", "status: partial").Replace(githubtest.Trial(1)))
		}, "pending", "only part of the benchmarks was measured, on demand: 2 benchmarks unchanged"},
		{"a push that found a regression", "", githubtest.Trial(1), func(f *fakeGitHub) { f.push(60, githubtest.Trial(1.3)) }, "failure", "1 benchmark regressed"},
		{"a regression whose trial is gone", onComment, githubtest.Trial(1), func(f *fakeGitHub) {
			f.Statuses = append(f.Statuses, judged("failure", "1 benchmark regressed", "https://git.example/owner/repo/actions/runs/50", "aaaaaaaaaaaa"))
		}, "failure", "1 benchmark regressed"},
		{"nothing was left", onComment, "", nil, "error", "the measuring workflow ended without a result"},
		{"the head moved on", onComment, githubtest.Trial(1), func(f *fakeGitHub) { f.Pulls = []map[string]any{pullOf(12, strings.Repeat("c", 40), 2)} }, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Config, f.Zip, f.Zips = tt.config, nil, map[string][]byte{}
			if tt.trial != "" {
				f.Zips["70"] = githubtest.Archive(t, artifact.FileName, tt.trial)
			}
			if tt.prepare != nil {
				tt.prepare(f)
			}
			j := f.run(f.demanded())
			if j.err != nil {
				t.Fatal(j.err)
			}
			if got := f.status(); got != tt.status || !strings.HasPrefix(j.res.Description, tt.text) {
				t.Errorf("status %q: %s, want %q: %s\n%s", got, j.res.Description, tt.status, tt.text, j.notices)
			}
		})
	}
}

// push adds a run of the measuring workflow, started by a push, with its trial.
func (f *fakeGitHub) push(id int, trial string) {
	f.Run(map[string]any{
		"id": id, "event": "pull_request", "path": ".github/workflows/" + measuringWorkflow, "status": "completed", "conclusion": "success",
		"head_sha": githubtest.HeadSHA, "head_repository": map[string]any{"id": 2},
	})
	f.Zips[fmt.Sprint(id)] = githubtest.Archive(f.t, artifact.FileName, trial)
}

// Repeated demands do not raise the error rate above alpha: each earlier measurement of the same
// commits counts once, and other measurements do not count.
func TestCommentOnAskedAgain(t *testing.T) {
	f := newFake(t)
	opt := f.demanded()
	e, err := readEvent(opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Actions.Server = "https://git.example"
	c := &job{opt: opt, event: e, asked: true}
	for _, s := range []struct{ run, base string }{{"50", "aaaaaaaaaaaa"}, {"51", "cccccccccccc"}, {"50", "aaaaaaaaaaaa"}, {"52", "aaaaaaaaaaaa"}, {"70", "aaaaaaaaaaaa"}} {
		c.before = append(c.before, githubapi.CommitStatus{
			State: "success", Link: "https://git.example/owner/repo/actions/runs/" + s.run, Stamp: githubapi.Stamp{Against: []string{s.base}},
		})
	}
	j := &judgement{base: githubtest.BaseSHA, trials: []*trialRun{{run: &githubapi.WorkflowRun{ID: 70}}}}
	if n, err := c.countGone(t.Context(), j); n != 2 || err != nil {
		t.Errorf("%d measurements are gone, want 2; %v", n, err)
	}
}
