package gitlabapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
)

const marker = "<!-- perftrack:v1:perftrack -->"

// clientOf returns a client for the fake, and a pointer to the client's total waiting time.
func clientOf(t *testing.T, f *gitlabtest.Fake, token string) (*Client, *time.Duration) {
	t.Helper()
	g, err := NewClient(Options{API: f.URL(), Project: gitlabtest.Project, Token: token, Pipeline: "9", Commit: "h"}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	waited := new(time.Duration)
	g.Sleep = func(_ context.Context, d time.Duration) error { *waited += d; return nil }
	return g, waited
}

func newFake(t *testing.T) *gitlabtest.Fake {
	f := gitlabtest.New(t)
	f.Requests[12] = gitlabtest.Request{State: "opened", SHA: "h"}
	f.Commits[9] = "h"
	return f
}

// A merge request has a single note by perftrack, which is edited in place, among any number of
// other notes.
func TestSetComment(t *testing.T) {
	f := newFake(t)
	g, _ := clientOf(t, f, gitlabtest.Token)
	for i := range 250 {
		f.Add(12, int64(i%3), "chat")
	}
	f.Add(12, 4711, marker+"\nby somebody else")
	f.Add(13, gitlabtest.Bot, marker+"\nof another merge request")
	for _, tt := range []struct {
		body, did string
		create    bool
		ours      int
	}{
		{"one", "no note needed", false, 1},
		{"one", "created the note", true, 2},
		{"one", "left the note unchanged", true, 2},
		{"two", "updated the note", false, 2},
	} {
		did, err := g.SetComment(t.Context(), 12, marker, marker+"\n"+tt.body, tt.create)
		if err != nil || did != tt.did || len(f.Ours()) != tt.ours {
			t.Errorf("%s: %q, %v, %d notes", tt.body, did, err, len(f.Ours()))
		}
	}
	// Two simultaneous jobs leave two notes. The next job deletes the newer one.
	f.Add(12, gitlabtest.Bot, marker+"\nsecond")
	if did, err := g.SetComment(t.Context(), 12, marker, marker+"\nthree", true); err != nil || did != "updated the note" || len(f.Ours()) != 2 {
		t.Errorf("%q, %v, %d notes", did, err, len(f.Ours()))
	}
	if got := f.Ours()[1].Body; !strings.HasSuffix(got, "three") {
		t.Errorf("the note says %q", got)
	}
}

// No line in a note is a command to GitLab.
func TestNoteIsNoCommand(t *testing.T) {
	f := newFake(t)
	g, _ := clientOf(t, f, gitlabtest.Token)
	if _, err := g.SetComment(t.Context(), 12, marker, marker+"\n/merge\n \t/close\na /b\n```\n/approve\n```", true); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(f.Ours()[0].Body) {
		if strings.HasPrefix(strings.TrimSpace(line), "/") {
			t.Errorf("the note has the line %q", line)
		}
	}
	if !strings.Contains(f.Ours()[0].Body, "a /b") {
		t.Error("a slash within a line is gone")
	}
}

// TestFailures checks the outcome of each kind of failure in GitLab.
func TestFailures(t *testing.T) {
	const notes, status = "projects/42/merge_requests/12/notes", "projects/42/statuses/"
	patience := http.Header{"Retry-After": {"7"}}
	for _, tt := range []struct {
		name  string
		fail  map[string][]gitlabtest.Failure
		token string
		want  string        // part of the error; "" means success
		least time.Duration // minimum time waited
		ours  int           // number of perftrack's notes at the end
	}{
		{"no token", nil, "wrong", "401 Unauthorized: pass a project token", 0, 0},
		{"the token may not write", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 403}}}, gitlabtest.Token, "create the note: 403 403 Forbidden: the token needs the api scope", 0, 0},
		{"the merge request is hidden", map[string][]gitlabtest.Failure{"GET " + notes: {{Status: 404}}}, gitlabtest.Token, "404 404 Not Found: the project or merge request does not exist", 0, 0},
		{"another request at the same time", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 409}}}, gitlabtest.Token, "", time.Second, 1},
		{"a lock that stays", map[string][]gitlabtest.Failure{"POST " + notes: slices.Repeat([]gitlabtest.Failure{{Status: 409}}, 9)}, gitlabtest.Token, "409 Conflict", time.Second, 0},
		{"asked too often", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 429, Header: patience}}}, gitlabtest.Token, "", 7 * time.Second, 1},
		{"asked far too often", map[string][]gitlabtest.Failure{"GET user": slices.Repeat([]gitlabtest.Failure{{Status: 429}}, 9)}, gitlabtest.Token, "the rate limit of GitLab was reached: run this job again later", 0, 0},
		{"an error before the note", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 500}}}, gitlabtest.Token, "", time.Second, 1},
		{"an error after the note", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 500, Done: true}}}, gitlabtest.Token, "", time.Second, 1},
		{"no answer after the note", map[string][]gitlabtest.Failure{"POST " + notes: {{Done: true}}}, gitlabtest.Token, "", time.Second, 1},
		{"half an answer after the note", map[string][]gitlabtest.Failure{"POST " + notes: {{Cut: true}}}, gitlabtest.Token, "", time.Second, 1},
		{"half a list", map[string][]gitlabtest.Failure{"GET " + notes: {{Cut: true}}}, gitlabtest.Token, "", time.Second, 1},
		{"half a list that ends well", map[string][]gitlabtest.Failure{"GET " + notes: {{Status: 200, Body: `[{"id": 1, "bo`}}}, gitlabtest.Token, "the response is not the expected JSON", 0, 0},
		{"a page of a proxy", map[string][]gitlabtest.Failure{"GET " + notes: {{Status: 200, Body: "<html>sign in</html>"}}}, gitlabtest.Token, "the response is not the expected JSON", 0, 0},
		{"nobody", map[string][]gitlabtest.Failure{"GET user": {{Status: 200, Body: "{}"}}}, gitlabtest.Token, "the response has no id", 0, 0},
		{"errors by field", map[string][]gitlabtest.Failure{"POST " + notes: {{Status: 400, Body: `{"message":{"note":["is too long"]}}`}}}, gitlabtest.Token, `{"note":["is too long"]}`, 0, 0},
		{"down", map[string][]gitlabtest.Failure{"GET " + notes: slices.Repeat([]gitlabtest.Failure{{}}, 9)}, gitlabtest.Token, "list the notes", time.Second, 0},
		{"down for the status", map[string][]gitlabtest.Failure{"POST " + status: {{Status: 502}, {Status: 0}}}, gitlabtest.Token, "", 3 * time.Second, 1},
		{"the status is that already", map[string][]gitlabtest.Failure{"POST " + status: {{Status: 400, Body: `{"message":"Cannot transition status via :enqueue from :pending (Reason(s): x)"}`}}}, gitlabtest.Token, "", 0, 1},
		{"the status is refused", map[string][]gitlabtest.Failure{"POST " + status: {{Status: 400, Body: `{"message":{"ref":["is missing"]}}`}}}, gitlabtest.Token, "set the commit status: 400", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			for key, list := range tt.fail {
				f.Fail[key] = list
			}
			g, waited := clientOf(t, f, tt.token)
			err := g.SetStatus(t.Context(), "h", "failure", "slower", "")
			if err == nil {
				_, err = g.SetComment(t.Context(), 12, marker, marker+"\nslower", true)
			}
			switch {
			case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			case len(f.Ours()) != tt.ours || *waited < tt.least || *waited > restapi.MaxWait:
				t.Errorf("%d notes, waited %v", len(f.Ours()), *waited)
			case strings.HasSuffix(tt.name, "after the note") && strings.Count(strings.Join(f.Log, "\n"), "POST "+notes) != 1:
				t.Errorf("a note that may have been made was made again: %q", f.Log) // all subscribers would be notified twice
			case err != nil && strings.Contains(err.Error(), gitlabtest.Token):
				t.Error("the token is in a message")
			}
		})
	}
}

func TestSetStatus(t *testing.T) {
	f := newFake(t)
	g, _ := clientOf(t, f, gitlabtest.Token)
	for state, want := range map[string]string{"success": "success", "failure": "failed", "error": "failed", "pending": "pending"} {
		if err := g.SetStatus(t.Context(), "h", state, "words", "https://git.example/1"); err != nil {
			t.Fatal(err)
		}
		got := f.Statuses[len(f.Statuses)-1]
		if got["state"] != want || got["name"] != "perftrack" || got["sha"] != "h" || got["pipeline_id"] != 9.0 || got["target_url"] != "https://git.example/1" {
			t.Errorf("%s: %v", state, got)
		}
	}
}

// A pipeline for merged results is for a commit other than the head, so the head's status is not
// added to it.
func TestSetStatusOutsideOfMergedResults(t *testing.T) {
	f := newFake(t)
	f.Commits[9] = "merged"
	g, err := NewClient(Options{API: f.URL(), Project: gitlabtest.Project, Token: gitlabtest.Token, Pipeline: "9", Commit: "merged"}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.SetStatus(t.Context(), "h", "failure", "slower", ""); err != nil {
		t.Fatal(err)
	}
	if got := f.Statuses[0]; got["sha"] != "h" || got["pipeline_id"] != nil {
		t.Error(got)
	}
}

// NewClient refuses an environment without a merge request, and an unsafe address for the token.
func TestNewClient(t *testing.T) {
	for _, opt := range []Options{
		{API: "https://git.example/api/v4"}, {API: "https://git.example/api/v4", Project: "group/project"}, {API: "https://git.example/api/v4", Project: "../7"},
		{Project: "7"}, {API: "http://git.example/api/v4", Project: "7"}, {API: "https://user:secret@git.example/api/v4", Project: "7"},
	} {
		if _, err := NewClient(opt, time.Now); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

func TestHead(t *testing.T) {
	f := newFake(t)
	g, _ := clientOf(t, f, gitlabtest.Token)
	f.Requests[13] = gitlabtest.Request{State: "merged", SHA: "m"}
	for request, want := range map[int]string{12: "h", 13: ""} {
		if got, err := g.Head(t.Context(), request); got != want || err != nil {
			t.Errorf("%d: %q, %v", request, got, err)
		}
	}
	if _, err := g.Head(t.Context(), 14); !restapi.IsStatus(err, http.StatusNotFound) {
		t.Error(err)
	}
}
