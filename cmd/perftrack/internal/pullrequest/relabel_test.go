package pullrequest

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Only setting or removing perf-accept judges the head's newest run again.
func TestLabelJudgesAgain(t *testing.T) {
	f := newFake(t)
	event := func(action, label string) Options {
		return Options{Actions: Actions{EventName: "pull_request_target", EventPath: f.Event(map[string]any{
			"action": action, "label": map[string]string{"name": label}, "pull_request": f.Pulls[0],
		})}}
	}
	measured := func(id int, status string) {
		f.Run(map[string]any{
			"id": id, "workflow_id": 3, "path": ".github/workflows/perftrack-measure.yml", "event": "pull_request", "status": status, "conclusion": "failure",
			"head_branch": "main", "head_sha": githubtest.HeadSHA, "head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}},
		})
	}
	f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
	f.Label(12, acceptLabel, "maria")
	for _, step := range []struct {
		name   string
		before func()
		opt    func() Options
		state  string
		notice string
	}{
		{"the label before anything was measured", func() {}, func() Options { return event("labeled", acceptLabel) }, "", "no run of perftrack-measure.yml has measured the head"},
		{"the label while it is measured", func() { measured(githubtest.RunID7, "in_progress") }, func() Options { return event("labeled", acceptLabel) }, "", "the head is still being measured"},
		{"the measurement", func() { f.Unlabel(12, acceptLabel, "maria") }, func() Options { return Options{} }, "failure", ""},
		{"another label", func() { measured(githubtest.RunID7, "completed"); f.Label(12, "bug", "maria") }, func() Options { return event("labeled", "bug") }, "failure", "only the label perf-accept can change a verdict"},
		{"the label", func() { f.Label(12, acceptLabel, "maria") }, func() Options { return event("labeled", "Perf-Accept") }, "success", ""},
		{"the label again", func() {}, func() Options { return event("labeled", acceptLabel) }, "success", ""},
		{"without it", func() { f.Unlabel(12, acceptLabel, "maria") }, func() Options { return event("unlabeled", acceptLabel) }, "failure", ""},
	} {
		step.before()
		j := f.run(step.opt())
		if j.err != nil || f.status() != step.state || !strings.Contains(j.notices, step.notice) {
			t.Errorf("%s: status %q, want %q; %v, %s", step.name, f.status(), step.state, j.err, j.notices)
		}
	}
	if ours := f.Ours(); len(ours) != 1 || !strings.Contains(ours[0].Body, "❌") {
		t.Errorf("%d comments: %v", len(ours), ours)
	}
}
