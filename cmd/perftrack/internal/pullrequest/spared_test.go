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

// leftNothing returns the event of a run of the measuring workflow with this conclusion and no
// result.
func (f *fakeGitHub) leftNothing(conclusion string) string {
	f.Zip = nil
	return f.Event(map[string]any{"workflow_run": map[string]any{
		"id": githubtest.RunID7, "workflow_id": 3, "event": "pull_request", "status": "completed", "conclusion": conclusion,
		"head_branch": "main", "head_sha": githubtest.HeadSHA, "head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}},
	}})
}

// The status does not wait for a measurement not requested by the base's configuration.
func TestCommentOnSpared(t *testing.T) {
	const (
		onLabel   = "[defaults]\non = \"label\"\n"
		onComment = "[defaults]\non = \"comment\"\n"
		goFiles   = "[defaults]\npaths = [\"*.go\"]\n"
	)
	set := func(state, text string) func(f *fakeGitHub) {
		return func(f *fakeGitHub) {
			f.Statuses = append(f.Statuses, judged(state, text, "x"))
		}
	}
	verdict := func(state, text, base string) func(f *fakeGitHub) {
		return func(f *fakeGitHub) { f.Statuses = append(f.Statuses, judged(state, text, "x", base)) }
	}
	changed := func(files ...string) func(f *fakeGitHub) { return func(f *fakeGitHub) { f.Files = files } }
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("docs/%d.md", i))
	}
	label := func(f *fakeGitHub) { f.Label(12, "Perf-Measure", "maria") }
	none := func(*fakeGitHub) {}
	for _, tt := range []struct {
		name, config string
		prepare      func(*fakeGitHub)
		conclusion   string
		status, text string
	}{
		{"no label", onLabel, none, "skipped", "success", "not measured: main measures pull requests with the label perf-measure"},
		{"another label", onLabel, func(f *fakeGitHub) { f.Label(12, "perf-accept", "maria") }, "skipped", "success", "not measured: main measures"},
		{"nobody asked", onComment, none, "skipped", "success", "not measured: request it with a comment /perftrack or the label perf-measure, as main requires"},
		{"the label, and skipped", onLabel, label, "skipped", "pending", "pull request 12 has not been measured against main"},
		{"the label, and cancelled", onLabel, label, "cancelled", "pending", "the measurement was cancelled"},
		{"another label, cancelled by a third", onLabel, none, "cancelled", "success", "not measured: main measures pull requests with the label perf-measure"},
		{"nobody has approved", onLabel, none, "action_required", "success", "not measured: main measures"},
		{"the label, and nobody has approved", onLabel, label, "action_required", "pending", "waits for a maintainer to approve it"},
		{"the label that was taken off meanwhile", onLabel, none, "failure", "error", "ended without a result"},
		{"somebody asked", onComment, func(f *fakeGitHub) {
			set("pending", "being measured")(f)
			f.Statuses[0]["target_url"] = githubapi.Stamp{Asked: true}.AddTo("x")
		}, "skipped", "pending", "pull request 12 has not been measured"},
		{"a failure", onLabel, verdict("failure", "1 benchmark regressed", "aaaaaaaaaaaa"), "skipped", "failure", "1 benchmark regressed"},
		{"a failure against another base", onLabel, verdict("failure", "1 benchmark regressed", "cccccccccccc"), "skipped", "pending", "has not been measured"},
		{"spared before", onLabel, set("success", "not measured: because"), "skipped", "success", "not measured: main measures"},
		{"each push", "", none, "skipped", "pending", "pull request 12 has not been measured against main"},
		{"other files", goFiles, changed("README.md", "docs/x.md"), "success", "success", "not measured: no changed file matches paths in perftrack.toml on main"},
		{"other files, cancelled", goFiles, changed("README.md"), "cancelled", "success", "not measured: no changed file"},
		{"one of the files", goFiles, changed("README.md", "a/b.go"), "success", "error", "ended without a result"},
		{"more files than are listed", goFiles, changed(many...), "success", "error", "ended without a result"},
		{"other files, green against another base", goFiles, func(f *fakeGitHub) {
			changed("README.md")(f)
			verdict("success", "2 benchmarks unchanged", "cccccccccccc")(f)
		}, "success", "success", "not measured: no changed file"},
		{"other files, a failure against another base", goFiles, func(f *fakeGitHub) {
			changed("README.md")(f)
			verdict("failure", "1 benchmark regressed", "cccccccccccc")(f)
		}, "success", "error", "ended without a result"},
		{"green against this base", goFiles, func(f *fakeGitHub) {
			changed("README.md")(f)
			verdict("success", "2 benchmarks unchanged", "aaaaaaaaaaaa")(f)
		}, "success", "success", "2 benchmarks unchanged"},
		{"no files are told", goFiles, func(f *fakeGitHub) {
			f.Hook = func(method, path string) { // fail only the second comparison, after the one for the merge base
				if strings.Contains(path, "/contents/") {
					f.Fail["GET compare"] = []githubtest.Failure{{Status: 404}}
				}
			}
		}, "success", "error", "GitHub refused the request (list the changed files: 404)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Config = tt.config
			tt.prepare(f)
			f.Add(githubapi.ActionsBotID, github.Marker("perftrack")+"\nold")
			j := f.run(Options{Actions: Actions{EventPath: f.leftNothing(tt.conclusion)}})
			if j.err != nil {
				t.Fatal(j.err)
			}
			if got := f.status(); got != tt.status || !strings.Contains(j.res.Description, tt.text) {
				t.Errorf("status %q: %s, want %q: %s\n%s", got, j.res.Description, tt.status, tt.text, j.notices)
			}
			spared := strings.HasPrefix(tt.text, "not measured")
			if body := f.Ours()[0].Body; strings.Contains(body, "perftrack had nothing to measure for [`bbbbbbbbbbbb`]") != spared {
				t.Errorf("comment:\n%s", body)
			}
		})
	}
}

// A measurement is judged even if the configuration did not require it.
func TestSparedIsJudgedWhereItWasMeasured(t *testing.T) {
	f := newFake(t)
	f.Config = "[defaults]\non = \"label\"\n"
	f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
	if j := f.run(Options{}); j.err != nil || f.status() != "failure" {
		t.Errorf("%s, %v", f.status(), j.err)
	}
}

// A merge group is not measured if pull requests are measured on demand.
func TestSparedMergeGroup(t *testing.T) {
	f := newQueue(t)
	f.Config, f.Zip = "[defaults]\non = \"label\"\n", nil
	f.Label(12, MeasureLabel, "maria")
	if j := f.run(Options{Actions: Actions{EventPath: f.groupEvent(map[string]any{"conclusion": "skipped"})}}); j.err != nil {
		t.Fatal(j.err)
	}
	if state, text := f.last(t); state != "success" || text != "not measured in the queue: main measures only on demand" {
		t.Errorf("%s: %s", state, text)
	}
}

// For a merge group, only its own changed files count.
func TestSparedMergeGroupByPaths(t *testing.T) {
	for file, want := range map[string]string{
		"README.md": "success: not measured: no changed file matches paths in perftrack.toml on main",
		"a.go":      "error: the measuring workflow ended without a result: see its log",
	} {
		f := newQueue(t)
		f.Config, f.Zip, f.Files = "[defaults]\npaths = [\"*.go\"]\n", nil, []string{file}
		if j := f.run(Options{Actions: Actions{EventPath: f.groupEvent(nil)}}); j.err != nil {
			t.Fatal(j.err)
		}
		if state, text := f.last(t); state+": "+text != want {
			t.Errorf("%s: %s: %s, want %s", file, state, text, want)
		}
	}
}
