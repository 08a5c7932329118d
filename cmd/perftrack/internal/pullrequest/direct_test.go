package pullrequest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/github"
)

// A pipeline is a clone with a trial of its two commits.
type pipeline struct {
	session    *workspace.Session
	base, head string
	trial      string // path of its file
	notices    string
	waited     time.Duration
}

// newPipeline commits perftrack.toml with the given rules for base and head, and writes a trial
// with one benchmark slower by the given factor.
func newPipeline(t *testing.T, baseRules, headRules string, factor float64) *pipeline {
	t.Helper()
	a, commit := workspacetest.New(t)
	p := &pipeline{session: a, trial: filepath.Join(a.Dir, "trial.txt")}
	a.Notice = func(s string) { p.notices += s + "\n" }
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(a.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		add := exec.CommandContext(t.Context(), "git", "add", "perftrack.toml")
		add.Dir = a.Dir
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	write("perftrack.toml", baseRules)
	p.base = commit("2026-01-01T00:00:00Z")
	write("perftrack.toml", headRules)
	p.head = commit("2026-01-02T00:00:00Z")
	write("trial.txt", strings.NewReplacer(githubtest.BaseSHA, p.base, githubtest.HeadSHA, p.head).Replace(githubtest.Trial(factor)))
	return p
}

// rewriteTrial replaces a text in the trial.
func (p *pipeline) rewriteTrial(t *testing.T, old, text string) {
	t.Helper()
	was, err := os.ReadFile(p.trial)
	if err == nil {
		err = os.WriteFile(p.trial, []byte(strings.ReplaceAll(string(was), old, text)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (p *pipeline) sleep(_ context.Context, d time.Duration) error { p.waited += d; return nil }

// gitLab returns a fake GitLab and the pipeline's merge request on it.
func (p *pipeline) gitLab(t *testing.T) (*gitlabtest.Fake, Request) {
	t.Helper()
	f := gitlabtest.New(t)
	f.Requests[12] = gitlabtest.Request{State: "opened", SHA: p.head}
	g, err := gitlabapi.NewClient(gitlabapi.Options{API: f.URL(), Project: gitlabtest.Project, Token: gitlabtest.Token}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	g.Sleep = p.sleep
	return f, Request{Forge: g, Number: 12, Head: p.head, Link: "https://git.example/job/1"}
}

const ofLib = "[[target]]\nname = \"lib\"\nkind = \"gotest\"\n"

// A merge request gets a status and, if something changed, a note.
func TestCommentOnMergeRequest(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, head string // perftrack.toml
		factor     float64
		change     func(*pipeline, *gitlabtest.Fake, *Request, *Options)
		status     string // status on GitLab, or ""
		notes      int
		text       string // in the note, or else in the notices
	}{
		{"a regression", ofLib, ofLib, 1.3, nil, "failed", 1, "1 benchmark regressed, 1 unchanged"},
		{"nothing changed", ofLib, ofLib, 1, nil, "success", 0, "no note needed"},
		{"nothing changed, always", ofLib, ofLib, 1, func(_ *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.Comment = Always }, "success", 1, "2 benchmarks unchanged"},
		{"never", ofLib, ofLib, 1.3, func(_ *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.Comment = Never }, "failed", 0, ""},
		{"dry run", ofLib, ofLib, 1.3, func(_ *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.DryRun = true }, "", 0, ""},
		{"the base's threshold lets it pass", "[defaults]\nthreshold = \"90%\"\n" + ofLib, ofLib, 1.3, nil, "success", 0, "no note needed"},
		{"the head's threshold does not", ofLib, "[defaults]\nthreshold = \"90%\"\n" + ofLib, 1.3, nil, "failed", 1, "1 benchmark regressed"},
		{"a target taken out", ofLib + "[[target]]\nname = \"slow\"\nkind = \"gotest\"\n", ofLib, 1, nil, "success", 1, "a target in the base, but not in the trial: `slow`"},
		{"a mistake in the base's rules", "[defaults]\nthreshold = 5\n", ofLib, 1.3, nil, "failed", 1, "The base's perftrack.toml is invalid"},
		{"the head has moved on", ofLib, ofLib, 1.3, func(p *pipeline, f *gitlabtest.Fake, _ *Request, _ *Options) {
			f.Requests[12] = gitlabtest.Request{State: "opened", SHA: p.base}
		}, "", 0, "is no longer the head of the open merge request 12"},
		{"closed", ofLib, ofLib, 1.3, func(p *pipeline, f *gitlabtest.Fake, _ *Request, _ *Options) {
			f.Requests[12] = gitlabtest.Request{State: "closed", SHA: p.head}
		}, "", 0, "is no longer the head of the open merge request 12"},
		{"a trial of another commit", ofLib, ofLib, 1, func(p *pipeline, f *gitlabtest.Fake, r *Request, _ *Options) {
			r.Head = p.base
			f.Requests[12] = gitlabtest.Request{State: "opened", SHA: p.base}
		}, "failed", 1, "The measured commit is not the head"},
		{"head against itself", ofLib, ofLib, 1, func(p *pipeline, _ *gitlabtest.Fake, _ *Request, _ *Options) {
			p.rewriteTrial(t, p.base, p.head)
		}, "failed", 1, "is not the merge base with the target branch"},
		{"where it left its target", ofLib, ofLib, 1, func(p *pipeline, _ *gitlabtest.Fake, r *Request, _ *Options) {
			r.Base, r.Target = p.base, "main"
		}, "success", 0, "no note needed"},
		{"against another commit than where it left its target", ofLib, ofLib, 1, func(_ *pipeline, _ *gitlabtest.Fake, r *Request, _ *Options) {
			r.Base, r.Target = strings.Repeat("c", 40), "main"
		}, "failed", 1, "is not the merge base with the target branch"},
		{"no trial was left", ofLib, ofLib, 1, func(p *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.Trial = p.trial + ".gone" }, "failed", 1, "The measurement ended without a result"},
		{"no trial is stored", ofLib, ofLib, 1, func(_ *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.Trial = "" }, "failed", 1, "The measurement ended without a trial"},
		{"what was left is no trial", ofLib, ofLib, 1, func(_ *pipeline, _ *gitlabtest.Fake, _ *Request, o *Options) { o.Trial = "perftrack.toml" }, "failed", 1, "The measurement ended without a trial"},
		{"the note is refused", ofLib, ofLib, 1.3, func(_ *pipeline, f *gitlabtest.Fake, _ *Request, _ *Options) {
			f.Fail["POST projects/42/merge_requests"] = []gitlabtest.Failure{{Status: 403}}
		}, "failed", 0, "the token needs the api scope"},
		{"the status is refused", ofLib, ofLib, 1.3, func(_ *pipeline, f *gitlabtest.Fake, _ *Request, _ *Options) {
			f.Fail["POST projects/42/statuses"] = []gitlabtest.Failure{{Status: 403}}
		}, "", 1, "1 benchmark regressed"},
		{"GitLab is down", ofLib, ofLib, 1.3, func(_ *pipeline, f *gitlabtest.Fake, _ *Request, _ *Options) {
			f.Fail["GET projects/42/merge_requests/12"] = []gitlabtest.Failure{{}, {}, {}, {}}
		}, "", 0, "could not be shown on the merge request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPipeline(t, tt.base, tt.head, tt.factor)
			f, r := p.gitLab(t)
			opt := Options{Comment: OnChange, Workflow: "perftrack", Trial: p.trial}
			t.Chdir(p.session.Dir)
			if tt.change != nil {
				tt.change(p, f, &r, &opt)
			}
			res, err := CommentOn(t.Context(), p.session, opt, r)
			if err != nil {
				t.Fatal(err)
			}
			status, text := "", p.notices
			if len(f.Statuses) > 0 {
				status = f.Statuses[len(f.Statuses)-1]["state"].(string)
			}
			if notes := f.Ours(); len(notes) > 0 {
				text = notes[0].Body
				if !strings.HasPrefix(text, github.Marker("perftrack")) {
					t.Errorf("the note begins %.40q", text)
				}
			}
			if status != tt.status || len(f.Ours()) != tt.notes || !strings.Contains(text, tt.text) {
				t.Errorf("status %q, %d notes:\n%s\n%s", status, len(f.Ours()), text, p.notices)
			}
			if opt.DryRun && (!strings.Contains(res.Body, "1 benchmark regressed") || len(f.Log) > 0) {
				t.Errorf("%v: %s", f.Log, res.Body)
			}
			if strings.Contains(p.notices+res.Summary, gitlabtest.Token) {
				t.Error("the token is in a message")
			}
		})
	}
}

// A merge request has one note, edited with each push.
func TestCommentOnMergeRequestAgain(t *testing.T) {
	p := newPipeline(t, ofLib, ofLib, 1.3)
	f, r := p.gitLab(t)
	opt := Options{Comment: OnChange, Workflow: "perftrack", Trial: p.trial}
	for range 2 {
		if _, err := CommentOn(t.Context(), p.session, opt, r); err != nil {
			t.Fatal(err)
		}
	}
	quiet := strings.NewReplacer(githubtest.BaseSHA, p.base, githubtest.HeadSHA, p.head).Replace(githubtest.Trial(1))
	if err := os.WriteFile(p.trial, []byte(quiet), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := CommentOn(t.Context(), p.session, opt, r); err != nil {
		t.Fatal(err)
	}
	if notes := f.Ours(); len(notes) != 1 || !strings.Contains(notes[0].Body, "2 benchmarks unchanged") {
		t.Errorf("%+v", notes)
	}
	if len(f.Statuses) != 3 || f.Statuses[2]["state"] != "success" {
		t.Errorf("%v", f.Statuses)
	}
}

// CommentOn refuses a pipeline without a merge request.
func TestCommentOnNothing(t *testing.T) {
	p := newPipeline(t, ofLib, ofLib, 1)
	for _, r := range []Request{{}, {Number: 12}, {Number: 12, Head: "main"}, {Head: p.head}} {
		if _, err := CommentOn(t.Context(), p.session, Options{Trial: p.trial}, r); err == nil || !strings.Contains(err.Error(), "does not name a merge request") {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Forgejo accepts the same requests as GitHub, but its jobs act as another user.
func TestCommentOnForgejo(t *testing.T) {
	p := newPipeline(t, ofLib, ofLib, 1.3)
	f := githubtest.New(t)
	f.Me = -2
	f.Pulls = []map[string]any{githubtest.Pull(12, p.base, p.head, 1)}
	f.Add(githubtest.ActionsBot, github.Marker("perftrack")+"\nby somebody else")
	act := Actions{API: f.URL(), Server: "https://git.example", Token: githubtest.Token, Run: "5", EventPath: f.Event(map[string]any{"pull_request": f.Pulls[0]})}
	for range 2 {
		r, err := Forgejo(p.session, act)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := CommentOn(t.Context(), p.session, Options{Comment: OnChange, Workflow: "perftrack", Trial: p.trial}, r); err != nil {
			t.Fatal(err)
		}
	}
	if ours := f.Ours(); len(ours) != 1 || !strings.Contains(ours[0].Body, "1 benchmark regressed") || len(f.Comments) != 2 {
		t.Errorf("%+v\n%s", f.Comments, p.notices)
	}
	if n := len(f.Statuses); n != 2 || f.Statuses[1]["state"] != "failure" || f.Statuses[1]["target_url"] != "https://git.example/owner/repo/actions/runs/5" {
		t.Errorf("%v", f.Statuses)
	}
	for _, request := range f.Requests {
		if strings.Contains(request, "/actions/") || strings.Contains(request, "/compare/") {
			t.Errorf("%s is not Forgejo's", request)
		}
	}
	run := f.Event(map[string]any{"workflow_run": map[string]any{"id": githubtest.RunID7, "event": "pull_request", "head_sha": p.head}})
	if _, err := Forgejo(p.session, Actions{API: f.URL(), EventPath: run}); err == nil {
		t.Error("Forgejo has no workflow_run")
	}
}
