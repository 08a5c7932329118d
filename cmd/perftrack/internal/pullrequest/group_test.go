package pullrequest

import (
	"maps"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// The commits of a merge group: queued is its base, and grouped its head.
var (
	queued  = strings.Repeat("1", 40)
	grouped = strings.Repeat("2", 40)
)

const groupOf12 = "gh-readonly-queue/main/pr-12-1111111111111111111111111111111111111111"

// newQueue returns a fake with its pull request in a merge queue, behind another one.
func newQueue(t *testing.T) *fakeGitHub {
	f := newFake(t)
	f.Pulls[0]["head"].(map[string]any)["repo"] = map[string]any{"id": 1}
	f.Tips = map[string]string{"main": githubtest.BaseSHA, groupOf12: grouped}
	f.MergeBases = map[string]string{
		githubtest.BaseSHA: githubtest.BaseSHA, queued + "..." + grouped: queued, queued + "..." + githubtest.HeadSHA: githubtest.BaseSHA,
	}
	f.Zip = githubtest.Archive(t, artifact.FileName, groupTrial(1))
	return f
}

// groupTrial returns a trial of the merge group.
func groupTrial(factor float64) string {
	return strings.NewReplacer(githubtest.BaseSHA, queued, githubtest.HeadSHA, grouped).Replace(githubtest.Trial(factor))
}

// groupEvent returns the event at the end of the measuring workflow for the merge group. fields
// replaces some of its values.
func (f *fakeGitHub) groupEvent(fields map[string]any) string {
	run := map[string]any{
		"id": 8, "workflow_id": 3, "event": "merge_group", "status": "completed", "conclusion": "success", "head_branch": groupOf12, "head_sha": grouped,
		"head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "owner"}},
	}
	maps.Copy(run, fields)
	return f.Event(map[string]any{"workflow_run": run})
}

// last returns the last status of the group and checks that the group has no comments.
func (f *fakeGitHub) last(t *testing.T) (state, description string) {
	t.Helper()
	if n := len(f.Ours()); n > 0 {
		t.Errorf("%d comments on a merge group", n)
	}
	if len(f.Statuses) == 0 {
		return "", ""
	}
	s := f.Statuses[len(f.Statuses)-1]
	if s["sha"] != grouped || s["context"] != "perftrack" {
		t.Errorf("status %v", s)
	}
	return s["state"], s["description"]
}

// A merge group gets a status.
func TestCommentOnMergeGroup(t *testing.T) {
	slower := func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, groupTrial(1.3)) }
	verdict := func(state, text, creator string) map[string]string {
		s := judged(state, text, "x", "aaaaaaaaaaaa")
		s["creator"] = creator
		return s
	}
	sameFiles := func(f *fakeGitHub) {
		f.Trees = map[string]string{queued: "old", githubtest.BaseSHA: "old", grouped: "new", githubtest.HeadSHA: "new"}
		f.Zip = nil
	}
	const against = ", against 111111111111"
	for _, tt := range []struct {
		name         string
		prepare      func(*fakeGitHub)
		event        map[string]any
		status, text string // text in the description, or else in the notices
	}{
		{"nothing changed", func(*fakeGitHub) {}, nil, "success", "2 benchmarks unchanged; machine noise floor 0.2 %" + against},
		{"slower", slower, nil, "failure", "1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %" + against},
		{"slower, as the branch allows", func(f *fakeGitHub) { slower(f); f.Config = "[defaults]\nthreshold = \"90%\"\n" }, nil, "success", "unchanged"},
		{"slower, by the trailer of the pull request", func(f *fakeGitHub) { slower(f); f.Message = "x\n\nperf-accept: Decode because\n" }, nil, "success", "1 benchmark regressed as accepted"},
		{"being measured", func(f *fakeGitHub) { f.Zip = nil }, map[string]any{"status": "queued", "conclusion": ""}, "pending", "the benchmarks are being measured"},
		{"cancelled", func(f *fakeGitHub) { f.Zip = nil }, map[string]any{"conclusion": "cancelled"}, "pending", "the measurement was cancelled"},
		{"left nothing", func(f *fakeGitHub) { f.Zip = nil }, nil, "error", "ended without a result"},
		{"no trial in it", func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, "::set-output x") }, nil, "error", "left no readable trial"},
		{"the trial of the pull request", func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, githubtest.Trial(1)) }, nil,
			"error", "the measured commit is not the head of the merge group"},
		{"another base", func(f *fakeGitHub) {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, strings.ReplaceAll(groupTrial(1), queued, githubtest.BaseSHA))
		}, nil, "pending", "the measured base is not the base of the merge group"},
		{"not on the commit that its name says", func(f *fakeGitHub) { f.MergeBases[queued+"..."+grouped] = githubtest.BaseSHA }, nil, "pending", "the base of the merge group is unknown"},
		{"gone", func(f *fakeGitHub) { f.Tips[groupOf12] = strings.Repeat("3", 40) }, nil, "", "the merge group for pull request 12 no longer exists"},
		{"a pull request that is closed", func(f *fakeGitHub) { f.Pulls[0]["state"] = "closed" }, nil, "", "pull request 12 is not open against main"},
		{"a pull request to another branch", func(f *fakeGitHub) { f.Pulls[0]["base"].(map[string]any)["ref"] = "v1" }, nil, "", "pull request 12 is not open against main"},
		{"of a fork", func(*fakeGitHub) {}, map[string]any{"head_repository": map[string]any{"id": 2}}, "", "is not a merge group's branch in this repository"},
		{"a branch that is no queue's", func(f *fakeGitHub) { f.Tips["topic"] = grouped }, map[string]any{"head_branch": "topic"}, "", `"topic" is not a merge group's branch`},

		{"carried over", func(f *fakeGitHub) {
			sameFiles(f)
			f.Statuses = append(f.Statuses, verdict("success", "2 benchmarks unchanged", ""))
		}, map[string]any{"status": "queued", "conclusion": ""}, "success", "2 benchmarks unchanged; carried over from #12" + against},
		{"carried over, with nothing tested again", func(f *fakeGitHub) {
			sameFiles(f)
			slower(f)
			f.Statuses = append(f.Statuses, verdict("success", "2 benchmarks unchanged", ""))
		}, nil, "success", "carried over from #12"},
		{"carried over, a failure", func(f *fakeGitHub) {
			sameFiles(f)
			f.Statuses = append(f.Statuses, verdict("failure", "1 benchmark regressed, 1 unchanged", ""))
		}, nil, "failure", "1 benchmark regressed, 1 unchanged; carried over from #12" + against},
		{"a verdict of somebody else", func(f *fakeGitHub) {
			sameFiles(f)
			f.Statuses = append(f.Statuses, verdict("success", "2 benchmarks unchanged", "4711"))
		}, nil, "error", "ended without a result"},
		{"a verdict against another base", func(f *fakeGitHub) {
			sameFiles(f)
			f.Statuses = append(f.Statuses, judged("success", "2 benchmarks unchanged", "x", "bbbbbbbbbbbb"))
		}, nil, "error", "ended without a result"},
		{"other files below", func(f *fakeGitHub) {
			sameFiles(f)
			f.Trees[queued] = "older"
			f.Statuses = append(f.Statuses, verdict("success", "2 benchmarks unchanged", ""))
		}, nil, "error", "ended without a result"},
		{"other files on top", func(f *fakeGitHub) {
			sameFiles(f)
			f.Trees[grouped] = "newer"
			f.Statuses = append(f.Statuses, verdict("success", "2 benchmarks unchanged", ""))
		}, nil, "error", "ended without a result"},
		{"GitHub does not tell of files", func(f *fakeGitHub) {
			f.Fail["GET git/commits"] = []githubtest.Failure{{Status: 404}}
		}, nil, "success", "2 benchmarks unchanged; machine noise floor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newQueue(t)
			tt.prepare(f)
			before := len(f.Statuses)
			j := f.run(Options{Comment: Always, Actions: Actions{EventPath: f.groupEvent(tt.event)}})
			if j.err != nil {
				t.Fatal(j.err)
			}
			f.Statuses = f.Statuses[before:]
			state, description := f.last(t)
			if state != tt.status || !strings.Contains(description, tt.text) && (state != "" || !strings.Contains(j.notices, tt.text)) {
				t.Errorf("status %q: %s, want %q: %s\n%s", state, description, tt.status, tt.text, j.notices)
			}
		})
	}
}

// A measurement for the queue does not judge a pull request with the same head, and vice versa.
func TestMergeGroupIsNoPullRequest(t *testing.T) {
	f := newQueue(t)
	f.Pulls = append(f.Pulls, pullOf(13, grouped, 1))
	f.MergeBases[queued+"..."+grouped] = queued
	f.Zip, f.Zips = nil, map[string][]byte{"8": githubtest.Archive(t, artifact.FileName, groupTrial(1))}
	f.groupEvent(nil)
	event := f.Event(map[string]any{"workflow_run": map[string]any{
		"id": 9, "workflow_id": 3, "event": "pull_request", "status": "completed", "conclusion": "failure", "head_branch": "topic", "head_sha": grouped,
		"head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "owner"}},
	}})
	f.Tips["main"] = queued
	if j := f.run(Options{Actions: Actions{EventPath: event}}); j.err != nil {
		t.Fatal(j.err)
	}
	if state, description := f.last(t); state != "error" || !strings.Contains(description, "ended without a result") {
		t.Errorf("%s: %s", state, description)
	}
}
