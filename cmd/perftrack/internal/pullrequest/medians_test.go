package pullrequest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
)

// mediansText returns the medians from the history workflow, in the environment of the trial: at a
// commit before the base, at the base commit, and at a commit after it.
func mediansText(t *testing.T, trial string) string {
	t.Helper()
	runs, err := artifact.ParseTrial([]byte(trial), "trial")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"medians_version":1,"commits":["%012d","%s","%012d"],"series_left_out":0,"series":[{"target":"lib","kind":"bench","package":"example.com/lib","name":"Decode",`+
		`"unit":"sec/op","environment_id":%q,"at":[0,1,1,2],"medians":[1.1e-6,1.2e-6,1.3e-6,7e-6]}]}`, 1, githubtest.BaseSHA[:12], 2, runs[0].Env.EnvironmentID())
}

// The comment draws only the history of the base branch. Errors in the history are shown and change
// no verdict.
func TestCommentDrawsHistories(t *testing.T) {
	slow := paddedTrial(0)
	good := mediansText(t, slow)
	run := func(event string, repository int, branch string) map[string]any {
		return map[string]any{
			"id": 900, "workflow_id": 4, "path": githubtest.HistoryWorkflow, "event": event, "status": "completed", "conclusion": "success",
			"head_sha": otherBase, "head_branch": branch, "head_repository": map[string]any{"id": repository, "owner": map[string]string{"login": "o"}},
		}
	}
	push := run("push", 1, "main")
	const unreadable, refused = "worst: not known</summary>\n\nThe medians from the workflow perftrack-history.yml could not be read", "worst: not known</summary>\n\nGitHub did not return the medians"
	const runs = "GET actions/workflows/perftrack-history.yml/runs"
	for _, tt := range []struct {
		name   string
		trial  string
		zip    []byte // nil: no such artifact
		run    map[string]any
		fail   []githubtest.Failure
		says   string // "" if the comment does not mention histories
		notice string
	}{
		{"good", slow, githubtest.Archive(t, medians.FileName, good), push, nil, "x-axis \"runs before this head\" -3 --> 0\n", ""},
		{"of the night", slow, githubtest.Archive(t, medians.FileName, good), run("schedule", 1, "main"), nil, ", then this head", ""},
		{"no history", slow, nil, nil, nil, "", ""},
		{"no artifact yet", slow, nil, push, nil, "", ""},
		{"of a fork", slow, githubtest.Archive(t, medians.FileName, good), run("push", 2, "main"), nil, "", ""},
		{"of a pull request", slow, githubtest.Archive(t, medians.FileName, good), run("pull_request", 1, "main"), nil, "", ""},
		{"of another branch", slow, githubtest.Archive(t, medians.FileName, good), run("push", 1, "topic"), nil, "", ""},
		{"nothing regressed", githubtest.Trial(1), githubtest.Archive(t, medians.FileName, "{"), push, nil, "", ""},
		{"no archive", slow, []byte("PK"), push, nil, unreadable, "the medians of the history: open archive"},
		{"another file", slow, githubtest.Archive(t, "trial.txt", good), push, nil, unreadable, "must contain the file medians.json and nothing else"},
		{"no JSON", slow, githubtest.Archive(t, medians.FileName, "x"), push, nil, unreadable, "the medians of the history: read JSON"},
		{"bomb", slow, githubtest.Archive(t, medians.FileName, strings.Repeat(" ", 1<<24)), push, nil, unreadable, "unpacks to more than the limit of 100 times its size"},
		{"too large", slow, make([]byte, artifact.MaxArchive+1), push, nil, unreadable, "is larger than the limit of 10 MiB"},
		{"of a later version", slow, githubtest.Archive(t, medians.FileName, `{"medians_version":2}`), push, nil, unreadable, "the medians have version 2"},
		{"refused", slow, githubtest.Archive(t, medians.FileName, good), push, slices.Repeat([]githubtest.Failure{{Status: 403}}, 9), refused, "injected 403"},
		{"no workflow", slow, nil, push, slices.Repeat([]githubtest.Failure{{Status: 404}}, 2), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.trials(map[string]string{"7": tt.trial})
			f.Fail[runs] = tt.fail
			if tt.zip != nil {
				f.Parts = map[string][]byte{medians.ArtifactName: tt.zip}
			}
			if tt.run != nil {
				f.Run(tt.run)
			}
			got := f.run(Options{Comment: Always})
			want := "failure"
			if tt.name == "nothing regressed" {
				want = "success"
			}
			if got.err != nil || got.res.State != want {
				t.Errorf("%v, %s: %s, want %s", got.err, got.res.State, got.res.Description, want)
			}
			if !strings.Contains(got.res.Body, tt.says) || strings.Contains(got.res.Body, "history of the") != (tt.says != "") {
				t.Errorf("want %q in\n%s", tt.says, got.res.Body)
			}
			if !strings.Contains(got.notices, tt.notice) || tt.notice == "" && strings.Contains(got.notices, "medians") {
				t.Errorf("notices %q, want %q", got.notices, tt.notice)
			}
			if strings.Contains(got.res.Body, "  line [") && (!strings.Contains(got.res.Body, "  line [1.1, 1.2, 1.3, ") || strings.Contains(got.res.Body, "are the newest of the branch")) {
				t.Errorf("the history does not end at the base:\n%s", got.res.Body)
			}
		})
	}
}

// The comment says that the medians have expired.
func TestExpiredMedians(t *testing.T) {
	f := newFake(t)
	f.trials(map[string]string{"7": paddedTrial(0)})
	f.Parts = map[string][]byte{medians.ArtifactName: githubtest.Archive(t, medians.FileName, "{}")}
	f.Run(map[string]any{
		"id": 900, "workflow_id": 4, "path": githubtest.HistoryWorkflow, "event": "push", "status": "completed", "conclusion": "success",
		"head_sha": otherBase, "head_branch": "main", "head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "o"}},
	})
	f.ExpiredParts = true
	if got := f.run(Options{Comment: Always}); got.err != nil || !strings.Contains(got.res.Body, "have expired: run it again") {
		t.Errorf("%v\n%s", got.err, got.res.Body)
	}
}
