package pullrequest

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange/exchangetest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
)

// A regression accepted by a record in the base repository does not fail the status, even in a
// fork's pull request.
func TestCommentRecordedAcceptances(t *testing.T) {
	const unread = "some changes accepted with perftrack ci accept could not be read"
	broken := func(prefix string, n int) map[string][]githubtest.Failure {
		list := make([]githubtest.Failure, n)
		for i := range list {
			list[i].Status = 503
		}
		return map[string][]githubtest.Failure{"GET " + prefix: list}
	}
	for _, tt := range []struct {
		name    string
		prepare func(tm *exchangetest.Team, a *workspace.Session, f *fakeGitHub)
		status  string
		text    string
	}{
		{"none", func(*exchangetest.Team, *workspace.Session, *fakeGitHub) {}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"at the head", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "success", "accepted: <code>larger window (perftrack ci accept, by A. Uthor)</code>"},
		{"under a reference of its own, as in early versions", func(tm *exchangetest.Team, _ *workspace.Session, _ *fakeGitHub) {
			one := record.Acceptance{Target: "lib", Package: "example.com/lib", Benchmark: "Decode", Commit: githubtest.HeadSHA, Reason: "x", Time: tm.Now}
			tm.Plant("accepted/"+one.ID(), map[string]string{one.ID() + ".accepted": string(one.Text())})
		}, "success", "1 benchmark regressed as accepted, 1 unchanged"},
		{"packed, among runs", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Add(a, tm.RunAt("x", 1), tm.RunAt("y", 2))
			tm.Accept(a, "Decode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "success", "1 benchmark regressed as accepted, 1 unchanged"},
		{"at a commit in the middle", func(tm *exchangetest.Team, a *workspace.Session, f *fakeGitHub) {
			f.Commits = []string{strings.Repeat("c", 40), githubtest.HeadSHA}
			tm.Accept(a, "Decode", strings.Repeat("c", 40), "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", "A change was accepted only for the head cccccccccccc"},
		{"at a commit of the base", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.BaseSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"of another benchmark", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Encode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"not sent", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.HeadSHA, "")
		}, "failure", "1 benchmark regressed"},
		{"taken back", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.HeadSHA, tm.Accept(a, "Decode", githubtest.HeadSHA, ""))
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"taken back, half of it packed", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			id := tm.Accept(a, "Decode", githubtest.HeadSHA, "")
			tm.Accept(a, "Encode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
			tm.Accept(a, "Decode", githubtest.HeadSHA, id)
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", "1 benchmark regressed, 1 unchanged"},
		{"more commits than are listed", func(tm *exchangetest.Team, a *workspace.Session, f *fakeGitHub) {
			f.Commits = nil
			tm.Accept(a, "Decode", strings.Repeat("c", 40), "")
			tm.Sync(a, exchange.SyncOptions{})
		}, "failure", unread + " and do not count here: `GitHub does not list all commits"},
		{"GitHub is down for it", func(tm *exchangetest.Team, a *workspace.Session, f *fakeGitHub) {
			f.Fail = broken("git/matching-refs", 9)
		}, "failure", unread},
		{"an answer is missing", func(tm *exchangetest.Team, a *workspace.Session, f *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.HeadSHA, "")
			tm.Accept(a, "Encode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
			f.Fail = broken("git/blobs", 9)
		}, "failure", unread},
		{"not what its name says", func(tm *exchangetest.Team, _ *workspace.Session, _ *fakeGitHub) {
			one := record.Acceptance{Target: "lib", Package: "example.com/lib", Benchmark: "Decode", Commit: githubtest.HeadSHA, Reason: "x", Time: tm.Now}
			id := strings.Repeat("0", 64)
			tm.Plant("accepted/"+id, map[string]string{id + ".accepted": string(one.Text())})
		}, "failure", unread + " and do not count here: `acceptance 000000000000"},
		{"not what its name says, beside one that is", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			tm.Accept(a, "Decode", githubtest.HeadSHA, "")
			tm.Sync(a, exchange.SyncOptions{})
			id := strings.Repeat("0", 64)
			tm.Plant("accepted/"+id, map[string]string{id + ".accepted": "x"})
		}, "success", unread},
		{"of a later perftrack", func(tm *exchangetest.Team, a *workspace.Session, _ *fakeGitHub) {
			const text = `{"perftrack-acceptance":9}`
			id := record.IDOf([]byte(text))
			tm.Plant("accepted/"+id, map[string]string{id + ".accepted": text})
		}, "failure", unread},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tm := exchangetest.NewTeam(t, 1)
			f := newFake(t)
			f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
			tt.prepare(tm, tm.Apps[0], f)
			f.Git = tm.Bare
			j := f.run(Options{})
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

// Without an open regression, the job does not read records.
func TestCommentAsksForRecordsOnlyWhenNeeded(t *testing.T) {
	for _, tt := range []struct {
		name  string
		label string
		trial string
	}{{"unchanged", "", githubtest.Trial(1)}, {"label", acceptLabel, githubtest.Trial(1.3)}} {
		f := newFake(t)
		f.Zip = githubtest.Archive(t, artifact.FileName, tt.trial)
		if tt.label != "" {
			f.run(Options{})
			f.Label(12, tt.label, "maria")
			f.Requests = nil
		}
		if j := f.run(Options{}); j.err != nil {
			t.Fatal(j.err)
		}
		for _, r := range f.Requests {
			if strings.Contains(r, "matching-refs") {
				t.Errorf("%s: %s", tt.name, r)
			}
		}
	}
}
