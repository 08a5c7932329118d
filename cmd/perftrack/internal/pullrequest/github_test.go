package pullrequest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/github"
)

// A fakeGitHub has one pull request from a fork, already measured.
type fakeGitHub struct {
	*githubtest.Fake
	t *testing.T
}

func newFake(t *testing.T) *fakeGitHub {
	f := &fakeGitHub{githubtest.New(t), t}
	f.MergeBase, f.Commits, f.Artifact = githubtest.BaseSHA, []string{githubtest.HeadSHA}, artifact.Name
	f.Pulls = []map[string]any{pullOf(12, githubtest.HeadSHA, 2)}
	f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.0))
	return f
}

func pullOf(number int, sha string, headRepo int) map[string]any {
	return githubtest.Pull(number, githubtest.BaseSHA, sha, headRepo)
}

// workflowRun returns the event that starts the trusted job: a fork's run of the measuring workflow
// has ended.
func (f *fakeGitHub) workflowRun() string {
	return f.Event(map[string]any{"workflow_run": map[string]any{
		"id": githubtest.RunID7, "event": "pull_request", "conclusion": "failure", "head_branch": "main", "head_sha": githubtest.HeadSHA,
		"head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}}, "pull_requests": []any{},
	}})
}

// A jobRun is one start of perftrack ci comment in a workflow.
type jobRun struct {
	res     Result
	err     error
	notices string
	waited  time.Duration
}

func (f *fakeGitHub) run(opt Options) (j jobRun) {
	f.t.Helper()
	if opt.Comment == "" {
		opt.Comment = OnChange
	}
	opt.Workflow = "perftrack"
	if opt.Actions.EventPath == "" {
		opt.Actions.EventPath = f.workflowRun()
	}
	opt.Actions.API, opt.Actions.Token, opt.Actions.Server = f.URL(), githubtest.Token, "https://git.example"
	opt.sleep = func(_ context.Context, d time.Duration) error {
		j.waited += d
		return nil
	}
	a := &workspace.Session{
		Dir: f.t.TempDir(), Version: "test", Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)),
		Notice: func(s string) { j.notices += s + "\n" },
	}
	j.res, j.err = Comment(f.t.Context(), a, opt)
	if strings.Contains(j.notices+fmt.Sprint(j.err), githubtest.Token) {
		f.t.Error("the token is in a message")
	}
	return j
}

func (f *fakeGitHub) status() string {
	if len(f.Statuses) == 0 {
		return ""
	}
	s := f.Statuses[len(f.Statuses)-1]
	if s["sha"] != githubtest.HeadSHA || s["context"] != "perftrack" {
		f.t.Errorf("status %v", s)
	}
	return s["state"]
}

// judged returns an earlier job's status for a verdict against bases. A failure is due to a
// regression.
func judged(state, words, link string, bases ...string) map[string]string {
	stamp := githubapi.Stamp{Against: bases, Worse: state == github.Failure}
	return map[string]string{
		"context": "perftrack", "sha": githubtest.HeadSHA, "state": state, "description": words + against(bases), "target_url": stamp.AddTo(link),
	}
}

// A pull request gets a status and, if something changed, a comment.
func TestComment(t *testing.T) {
	marker := github.Marker("perftrack")
	slower := func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, githubtest.Trial(1.3)) }
	for _, tt := range []struct {
		name    string
		prepare func(*fakeGitHub)
		opt     Options
		status  string
		ours    int    // number of our comments
		text    string // in the comment, or else in the notices
	}{
		{"a fork's regression", slower, Options{}, "failure", 1, "1 benchmark regressed, 1 unchanged"},
		{"nothing changed", func(*fakeGitHub) {}, Options{}, "success", 0, "no comment needed"},
		{"nothing changed, always", func(*fakeGitHub) {}, Options{Comment: Always}, "success", 1, "2 benchmarks unchanged"},
		{"never", slower, Options{Comment: Never}, "failure", 0, ""},
		{"dry run", slower, Options{DryRun: true}, "", 0, ""},
		{"thresholds of the base branch", func(f *fakeGitHub) {
			slower(f)
			f.Config = "[defaults]\nthreshold = \"90%\"\n"
		}, Options{}, "success", 0, "no comment needed"},
		{"a target taken out", func(f *fakeGitHub) {
			f.Config = "[[target]]\nname = \"lib\"\nkind = \"gotest\"\n[[target]]\nname = \"slow\"\nkind = \"gotest\"\n"
		}, Options{Strict: true}, "failure", 1, "a target in the base, but not in the trial: `slow`"},
		{"a label that was set before anything was shown", func(f *fakeGitHub) {
			slower(f)
			f.Label(12, "Perf-Accept", "maria")
		}, Options{}, "failure", 1, "The label perf-accept, set by maria, does not accept all of these changes"},
		{"a fork's trailer accepts nothing", func(f *fakeGitHub) {
			slower(f)
			f.Message = "Faster\n\nperf-accept: Decode intended\n"
		}, Options{}, "failure", 1, "1 benchmark regressed, 1 unchanged"},
		{"a trailer in the same repository", func(f *fakeGitHub) {
			slower(f)
			f.Message = "Larger window\n\nperf-accept: BenchmarkDecode  larger | window\n"
			f.Pulls = []map[string]any{pullOf(12, githubtest.HeadSHA, 1)}
			f.Pulls[0]["head"].(map[string]any)["repo"] = map[string]any{"id": 1}
		}, Options{Actions: Actions{EventPath: "same"}}, "success", 1, "accepted: <code>larger | window (trailer in the head commit, by A. Uthor)</code>"},
		{"a trailer for another benchmark", func(f *fakeGitHub) {
			slower(f)
			f.Message = "x\n\nperf-accept: Encode because\n"
			f.Pulls = []map[string]any{pullOf(12, githubtest.HeadSHA, 1)}
		}, Options{Actions: Actions{EventPath: "same"}}, "failure", 1, "1 benchmark regressed, 1 unchanged"},
		{"250 comments, and the marker by another user first", func(f *fakeGitHub) {
			slower(f)
			f.Add(4711, marker+"\nlook, all fine")
			for i := range 220 {
				f.Add(int64(i), "chat")
			}
			f.Add(githubapi.ActionsBotID, marker+"\nold")
			for i := range 29 {
				f.Add(int64(i), "chat")
			}
		}, Options{}, "failure", 1, "1 benchmark regressed"},
		{"no longer changed", func(f *fakeGitHub) { f.Add(githubapi.ActionsBotID, marker+"\nold") }, Options{}, "success", 1, "2 benchmarks unchanged"},
		{"our marker further down", func(f *fakeGitHub) { f.Add(githubapi.ActionsBotID, "quoting "+marker) }, Options{}, "success", 0, "no comment needed"},
		{"another workflow's comment", func(f *fakeGitHub) { slower(f); f.Add(githubapi.ActionsBotID, github.Marker("nightly")) }, Options{}, "failure", 2, "regressed"},
		{"two of ours", func(f *fakeGitHub) {
			slower(f)
			f.Add(githubapi.ActionsBotID, marker)
			f.Add(githubapi.ActionsBotID, marker)
		}, Options{}, "failure", 1, "regressed"},
		{"stale head", func(f *fakeGitHub) {
			slower(f)
			f.Pulls = []map[string]any{pullOf(12, strings.Repeat("c", 40), 2)}
		}, Options{}, "", 0, "no comment: 0 open pull requests have bbbbbbbbbbbb as their head"},
		{"no pull request", func(f *fakeGitHub) { slower(f); f.Pulls = nil }, Options{}, "", 0, "no comment: 0 open pull requests"},
		{"two pull requests", func(f *fakeGitHub) { slower(f); f.Pulls = append(f.Pulls, pullOf(13, githubtest.HeadSHA, 2)) }, Options{}, "failure", 2, "pull request 13: created the comment"},
		{"a branch of that name in another fork", func(f *fakeGitHub) { slower(f); f.Pulls = []map[string]any{pullOf(12, githubtest.HeadSHA, 3)} }, Options{}, "", 0, "no comment: 0 open pull requests"},
		{"another commit measured", func(f *fakeGitHub) {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, strings.ReplaceAll(githubtest.Trial(1), githubtest.HeadSHA, strings.Repeat("d", 40)))
		}, Options{}, "error", 0, "no comment needed"},
		{"another base measured", func(f *fakeGitHub) {
			f.MergeBase = strings.Repeat("e", 40)
			f.Add(githubapi.ActionsBotID, marker)
		}, Options{}, "pending", 1, "perftrack has no result yet for [`bbbbbbbbbbbb`]"},
		{"no artifact", func(f *fakeGitHub) { f.Zip = nil }, Options{}, "error", 0, "no comment needed"},
		{"an empty export", func(f *fakeGitHub) {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, "\n")
			f.Add(githubapi.ActionsBotID, marker)
		}, Options{}, "error", 1, "The measuring workflow ended without a result"},
		{"no trial in it", func(f *fakeGitHub) { f.Zip = githubtest.Archive(f.t, artifact.FileName, "::set-output x") }, Options{}, "error", 0, "left no readable trial"},
		{"undecided, strict", func(f *fakeGitHub) {
			f.Zip = githubtest.Archive(f.t, artifact.FileName, githubtest.NoisyTrial(1, 0.9))
		}, Options{Strict: true}, "failure", 1, "undecided"},
		{"another owner of the token", func(f *fakeGitHub) { slower(f); f.Me = 5; f.Add(5, marker+"\nold") }, Options{}, "failure", 1, "regressed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			tt.prepare(f)
			before := slices.Clone(f.Comments)
			if tt.opt.Actions.EventPath == "same" {
				tt.opt.Actions.EventPath = f.Event(map[string]any{"workflow_run": map[string]any{
					"id": githubtest.RunID7, "event": "pull_request", "head_branch": "topic", "head_sha": githubtest.HeadSHA,
					"head_repository": map[string]any{"id": 1, "owner": map[string]string{"login": "owner"}},
				}})
			}
			j := f.run(tt.opt)
			if j.err != nil {
				t.Fatal(j.err)
			}
			if got := f.status(); got != tt.status {
				t.Errorf("status %q, want %q", got, tt.status)
			}
			ours := f.Ours()
			text := j.notices
			for _, c := range ours {
				text += c.Body
			}
			if len(ours) != tt.ours || !strings.Contains(text, tt.text) {
				t.Errorf("%d comments, want %d with %q:\n%s", len(ours), tt.ours, tt.text, text)
			}
			for _, c := range before { // other authors' comments stay
				if c.User.ID != f.Me && !slices.Contains(f.Comments, c) {
					t.Errorf("comment %d of user %d changed", c.ID, c.User.ID)
				}
			}
		})
	}
}

const secondaryLimit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."

// GitHub's error responses do not turn a measured result red or keep the job from ending.
func TestGitHubFailures(t *testing.T) {
	header := func(k, v string) http.Header { return http.Header{k: {v}} }
	f5 := []githubtest.Failure{{Status: 500}, {Status: 502}, {Status: 503}}
	forever := slices.Repeat([]githubtest.Failure{{Status: 503}}, 20)
	for _, tt := range []struct {
		name    string
		fail    map[string][]githubtest.Failure
		status  string
		ours    int
		notices string
		waited  time.Duration
	}{
		{"three 5xx each", map[string][]githubtest.Failure{"GET pulls": f5, "POST statuses": f5, "GET issues": f5}, "failure", 1, "created the comment", 21 * time.Second},
		{"timeouts", map[string][]githubtest.Failure{"GET pulls": {{}, {}}}, "failure", 1, "created the comment", 3 * time.Second},
		{"down", map[string][]githubtest.Failure{"GET pulls": forever}, "pending", 0, "could not be shown on the pull request: GitHub: find the pull request: 503", 7 * time.Second},
		{"401", map[string][]githubtest.Failure{"GET pulls": {{Status: 401}}}, "error", 0, "pass a valid token in GITHUB_TOKEN", 0},
		{"403", map[string][]githubtest.Failure{"POST statuses": {{Status: 403}}, "POST issues": {{Status: 403}}}, "", 0, "needs the permissions actions: read, checks: read, contents: read, pull-requests: write and statuses: write", 0},
		{"403 for the comment alone", map[string][]githubtest.Failure{"POST issues": {{Status: 403}}}, "failure", 0, "create the comment: 403", 0},
		{"404", map[string][]githubtest.Failure{"GET pulls": {{Status: 404}}}, "error", 0, "404", 0},
		{"404 of the merge base", map[string][]githubtest.Failure{"GET compare": {{Status: 404}}}, "pending", 0, "no comment needed", 0},
		{"422", map[string][]githubtest.Failure{"POST issues": {{Status: 422}}}, "failure", 0, "422 injected 422", 0},
		{"429", map[string][]githubtest.Failure{"POST issues": {{Status: 429, Header: header("Retry-After", "7")}}}, "failure", 1, "created", 7 * time.Second},
		{"403 for too many requests", map[string][]githubtest.Failure{"GET issues": {{Status: 403, Header: header("Retry-After", "3")}}}, "failure", 1, "created", 3 * time.Second},
		{"429 for an hour", map[string][]githubtest.Failure{"POST statuses": {{Status: 429, Header: header("Retry-After", "3600")}}}, "", 1, "could not be shown", 0},
		{"a secondary limit by its message alone", map[string][]githubtest.Failure{"POST statuses": {{Status: 403, Message: secondaryLimit}, {Status: 429}}}, "failure", 1, "created", 3 * time.Minute},
		{"a secondary limit without end", map[string][]githubtest.Failure{"GET contents": slices.Repeat([]githubtest.Failure{{Status: 403, Message: secondaryLimit}}, 9)}, "pending", 0, "the rate limit of GitHub was reached", 3 * time.Minute},
		{"the comment was made all the same", map[string][]githubtest.Failure{"POST issues": {{Status: 502, Done: true}}}, "failure", 1, "created the comment", time.Second},
		{"the connection broke after it was made", map[string][]githubtest.Failure{"POST issues": {{Done: true}}}, "failure", 1, "created the comment", time.Second},
		{"thresholds unknown", map[string][]githubtest.Failure{"GET contents": forever}, "pending", 0, "read the base branch's perftrack.toml: 503", 7 * time.Second},
		{"redirected away", map[string][]githubtest.Failure{"GET pulls": {{Status: 302, Header: header("Location", "http://127.0.0.1:1/x")}, {Status: 302, Header: header("Location", "http://127.0.0.1:1/x")}, {Status: 302, Header: header("Location", "http://127.0.0.1:1/x")}, {Status: 302, Header: header("Location", "http://127.0.0.1:1/x")}}}, "pending", 0, "redirected to another host", 7 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
			f.Fail = tt.fail
			made := tt.fail["POST issues"]
			j := f.run(Options{})
			if j.err != nil {
				t.Fatalf("exit 2: %v", j.err)
			}
			if got := f.status(); got != tt.status || len(f.Ours()) != tt.ours {
				t.Errorf("status %q and %d comments, want %q and %d", got, len(f.Ours()), tt.status, tt.ours)
			}
			if !strings.Contains(j.notices, tt.notices) {
				t.Errorf("said %q, want %q", j.notices, tt.notices)
			}
			// If a comment may have been made, the job looks for it instead of making
			// another one.
			posts := 0
			for _, r := range f.Requests {
				if strings.HasPrefix(r, "POST ") && strings.HasSuffix(r, "/comments") {
					posts++
				}
			}
			if len(made) > 0 && made[0].Done && posts != 1 {
				t.Errorf("%d comments were made", posts)
			}
			if j.waited != tt.waited {
				t.Errorf("waited %v, want %v", j.waited, tt.waited)
			}
		})
	}
}

// Two concurrent jobs create only one comment, even if both find none at first.
func TestCommentRace(t *testing.T) {
	f := newFake(t)
	f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
	// Both jobs list the comments before either creates one.
	var looked sync.WaitGroup
	looked.Add(2)
	seen := make(chan bool, 2)
	seen <- true
	seen <- true
	f.Hook = func(method, path string) {
		if method != http.MethodPost || !strings.HasSuffix(path, "/comments") {
			return
		}
		select {
		case <-seen:
			looked.Done()
			looked.Wait()
		default:
		}
	}
	path := f.workflowRun()
	var jobs sync.WaitGroup
	for range 2 {
		jobs.Go(func() {
			j := f.run(Options{Actions: Actions{EventPath: path}})
			if j.err != nil {
				t.Error(j.err)
			}
		})
	}
	jobs.Wait()
	if n := len(f.Ours()); n != 1 {
		t.Errorf("%d comments", n)
	}
}

// The token is sent only to the host of the API, despite redirects of all kinds.
func TestTokenStays(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached = true
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went to another host")
		}
		_, _ = w.Write([]byte("[]"))
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+githubtest.Token {
			t.Error("no token")
		}
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer first.Close()
	g, err := githubapi.NewClient(first.URL, githubtest.Repository, githubtest.Token, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	g.Sleep = func(context.Context, time.Duration) error { return nil }
	if _, _, err := g.Do(t.Context(), githubapi.Request{What: "x", Path: "pulls"}); err == nil || reached {
		t.Errorf("followed to another host: %v", err)
	}
	if _, _, err := g.Do(t.Context(), githubapi.Request{What: "x", Path: "zip", FollowAway: true}); err != nil || !reached {
		t.Errorf("download: %v", err)
	}
	for _, bad := range []string{"http://api.example", "https://user:secret@api.example", "", "file:///etc"} {
		if _, err := githubapi.NewClient(bad, githubtest.Repository, githubtest.Token, time.Now); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("address %q: %v", bad, err)
		}
	}
	if _, err := githubapi.NewClient("https://api.example", "a/../../b", "", time.Now); err == nil {
		t.Error("a repository with a path was accepted")
	}
}

func TestEventMistakes(t *testing.T) {
	f := newFake(t)
	for _, tt := range []struct {
		event map[string]any
		want  string
	}{
		{map[string]any{}, "neither a pull_request nor a workflow_run"},
		{map[string]any{"workflow_run": map[string]any{"event": "push", "head_sha": githubtest.HeadSHA}}, `was started by "push"`},
		{map[string]any{"workflow_run": map[string]any{"event": "pull_request", "head_sha": "../x"}}, "does not name a head commit"},
	} {
		if j := f.run(Options{Actions: Actions{EventPath: f.Event(tt.event)}}); j.err == nil || !strings.Contains(j.err.Error(), tt.want) {
			t.Errorf("%v: %v, want %s", tt.event, j.err, tt.want)
		}
	}
	if len(f.Requests) != 0 {
		t.Errorf("requests %v", f.Requests)
	}
}
