package app

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/githubtest"
	"github.com/perftrack/perftrack/runner/record"
)

// accept records an acceptance of the benchmark in a clone.
func (tm *team) accept(a *App, bench, commit, revokes string) (id string) {
	tm.t.Helper()
	db, _, err := a.OpenForWriting(tm.t.Context())
	if err != nil {
		tm.t.Fatal(err)
	}
	one := record.Acceptance{Target: "lib", Package: "example.com/lib", Benchmark: bench, Commit: commit, Reason: "larger window", Time: tm.now, Revokes: revokes}
	id, _, err = db.Accept(tm.t.Context(), one)
	if err != nil {
		tm.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		tm.t.Fatal(err)
	}
	return id
}

// A change that the base repository keeps a record of does not fail the status, not
// even of a fork's pull request.
func TestCommentRecordedAcceptances(t *testing.T) {
	const unread = "not all changes accepted with perftrack accept could be read"
	broken := func(prefix string, n int) map[string][]githubtest.Failure {
		list := make([]githubtest.Failure, n)
		for i := range list {
			list[i].Status = 503
		}
		return map[string][]githubtest.Failure{"GET " + prefix: list}
	}
	for _, tt := range []struct {
		name    string
		prepare func(tm *team, a *App, f *fakeGitHub)
		status  string
		text    string
	}{
		{"none", func(*team, *App, *fakeGitHub) {}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"at the head", func(tm *team, a *App, _ *fakeGitHub) {
			tm.accept(a, "Decode", headSHA, "")
			tm.sync(a, SyncOptions{})
		}, "success", "accepted: `larger window (perftrack accept)`"},
		{"packed, among runs", func(tm *team, a *App, _ *fakeGitHub) {
			tm.add(a, tm.runAt("x", 1), tm.runAt("y", 2))
			tm.accept(a, "Decode", headSHA, "")
			tm.sync(a, SyncOptions{Compact: true})
		}, "success", "1 benchmark regressed as accepted, 1 unchanged"},
		{"at a commit in the middle", func(tm *team, a *App, f *fakeGitHub) {
			f.Commits = []string{strings.Repeat("c", 40), headSHA}
			tm.accept(a, "Decode", strings.Repeat("c", 40), "")
			tm.sync(a, SyncOptions{})
		}, "failure", "A change was accepted at cccccccccccc, and holds for that head alone"},
		{"at a commit of the base", func(tm *team, a *App, _ *fakeGitHub) {
			tm.accept(a, "Decode", baseSHA, "")
			tm.sync(a, SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"of another benchmark", func(tm *team, a *App, _ *fakeGitHub) {
			tm.accept(a, "Encode", headSHA, "")
			tm.sync(a, SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"not sent", func(tm *team, a *App, _ *fakeGitHub) { tm.accept(a, "Decode", headSHA, "") }, "failure", "1 benchmark regressed"},
		{"taken back", func(tm *team, a *App, _ *fakeGitHub) {
			tm.accept(a, "Decode", headSHA, tm.accept(a, "Decode", headSHA, ""))
			tm.sync(a, SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"taken back, half of it packed", func(tm *team, a *App, _ *fakeGitHub) {
			id := tm.accept(a, "Decode", headSHA, "")
			tm.accept(a, "Encode", headSHA, "")
			tm.sync(a, SyncOptions{Compact: true})
			tm.accept(a, "Decode", headSHA, id)
			tm.sync(a, SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"more commits than are listed", func(tm *team, a *App, f *fakeGitHub) {
			f.Commits = nil
			tm.accept(a, "Decode", strings.Repeat("c", 40), "")
			tm.sync(a, SyncOptions{})
		}, "failure", unread + "; those do not count here: `GitHub does not list all commits"},
		{"GitHub is down for it", func(tm *team, a *App, f *fakeGitHub) {
			f.Fail = broken("git/matching-refs", 9)
		}, "failure", unread},
		{"an answer is missing", func(tm *team, a *App, f *fakeGitHub) {
			tm.accept(a, "Decode", headSHA, "")
			tm.accept(a, "Encode", headSHA, "")
			tm.sync(a, SyncOptions{})
			f.Fail = broken("contents/"+"", 9)
			f.Fail["GET contents/"] = append([]githubtest.Failure{{Status: 404}}, f.Fail["GET contents/"]...) // perftrack.toml
		}, "failure", unread},
		{"not what its name says", func(tm *team, _ *App, _ *fakeGitHub) {
			one := record.Acceptance{Target: "lib", Package: "example.com/lib", Benchmark: "Decode", Commit: headSHA, Reason: "x", Time: tm.now}
			id := strings.Repeat("0", 64)
			tm.plant("accepted/"+id, map[string]string{id + ".accepted": string(one.Text())})
		}, "failure", unread + "; those do not count here: `acceptance 000000000000"},
		{"not what its name says, beside one that is", func(tm *team, a *App, _ *fakeGitHub) {
			tm.accept(a, "Decode", headSHA, "")
			tm.sync(a, SyncOptions{})
			id := strings.Repeat("0", 64)
			tm.plant("accepted/"+id, map[string]string{id + ".accepted": "x"})
		}, "success", unread},
		{"of a later perftrack", func(tm *team, a *App, _ *fakeGitHub) {
			const text = `{"perftrack-acceptance":9}`
			id := record.IDOf([]byte(text))
			tm.plant("accepted/"+id, map[string]string{id + ".accepted": text})
		}, "failure", unread},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tm := newTeam(t, 1)
			f := newFake(t)
			f.Zip = githubtest.Archive(t, ArtifactFile, trialText(1.3))
			tt.prepare(tm, tm.apps[0], f)
			f.Git = tm.bare
			j := f.run(CommentOptions{})
			if j.err != nil {
				t.Fatal(j.err)
			}
			body := ""
			for _, c := range f.Ours() {
				body += c.Body
			}
			if got := f.status(); got != tt.status || !strings.Contains(body, tt.text) {
				t.Errorf("status %q, want %q; want %q in\n%s%s", got, tt.status, tt.text, body, j.notices)
			}
			if strings.Contains(body, unread) != strings.HasPrefix(tt.text, unread) {
				t.Errorf("caveat in\n%s", body)
			}
		})
	}
}

// Where nothing regressed, or all of it is intended, nobody asks for records.
func TestCommentAsksForRecordsOnlyWhenNeeded(t *testing.T) {
	for _, tt := range []struct {
		name  string
		label string
		trial string
	}{{"unchanged", "", trialText(1)}, {"label", acceptLabel, trialText(1.3)}} {
		f := newFake(t)
		f.Zip = githubtest.Archive(t, ArtifactFile, tt.trial)
		if tt.label != "" {
			f.run(CommentOptions{})
			f.Label(12, tt.label, "maria")
			f.Requests = nil
		}
		if j := f.run(CommentOptions{}); j.err != nil {
			t.Fatal(j.err)
		}
		for _, r := range f.Requests {
			if strings.Contains(r, "matching-refs") {
				t.Errorf("%s: %s", tt.name, r)
			}
		}
	}
}
