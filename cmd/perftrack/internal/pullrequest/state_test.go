package pullrequest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/reports/github"
)

// otherBase is a commit of another branch.
var otherBase = strings.Repeat("e", 40)

// measuringRun returns a run of the measuring workflow as GitHub describes it.
func measuringRun(id int, status, conclusion string) map[string]any {
	return map[string]any{
		"id": id, "workflow_id": 3, "event": "pull_request", "status": status, "conclusion": conclusion, "head_branch": "main", "head_sha": githubtest.HeadSHA,
		"head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}},
	}
}

// ended returns the event with the conclusion of run 7.
func (f *fakeGitHub) ended(conclusion string) string {
	return f.Event(map[string]any{"workflow_run": measuringRun(githubtest.RunID7, "completed", conclusion)})
}

func (f *fakeGitHub) trials(texts map[string]string) {
	f.Zips = map[string][]byte{}
	for id, text := range texts {
		f.Zips[id] = nil
		if text != "" {
			f.Zips[id] = githubtest.Archive(f.t, artifact.FileName, text)
		}
	}
}

// If a run of the measuring workflow leaves no trial, the status gives the reason, and is an error
// only if something is at fault. An earlier verdict on the same commits is kept.
func TestCommentWithoutTrial(t *testing.T) {
	marker := github.Marker("perftrack")
	decided := func(f *fakeGitHub, base string) {
		f.Statuses = append(f.Statuses, judged("success", "2 benchmarks unchanged", "https://git.example/run/1", base[:12]))
	}
	for _, tt := range []struct {
		name        string
		prepare     func(*fakeGitHub)
		conclusion  string // conclusion of run 7 in the event
		state       string
		description string
		posted      int // number of statuses
	}{
		{"approval is pending", nil, "action_required", "pending", "the measuring workflow waits for a maintainer to approve it", 1},
		{"cancelled", nil, "cancelled", "pending", "the measurement was cancelled or ran out of time: run the measuring workflow again", 1},
		{"timed out", nil, "timed_out", "pending", "the measurement was cancelled or ran out of time: run the measuring workflow again", 1},
		{"could not start", nil, "startup_failure", "error", "the measuring workflow could not start: see its log", 1},
		{"failed", nil, "failure", "error", "the measuring workflow ended without a result: see its log", 1},
		{"approved since", func(f *fakeGitHub) {
			f.Run(measuringRun(githubtest.RunID7, "completed", "success"))
			f.trials(map[string]string{"7": githubtest.Trial(1)})
		}, "action_required", "success", "2 benchmarks unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa", 1},
		{"runs again", func(f *fakeGitHub) { f.Run(measuringRun(githubtest.RunID7, "in_progress", "")) }, "cancelled", "pending", "the benchmarks are being measured", 1},
		{"cancelled for a newer run that goes on", func(f *fakeGitHub) {
			f.Run(measuringRun(8, "in_progress", ""))
		}, "cancelled", "pending", "the benchmarks are being measured", 1},
		{"cancelled beside an older run that ended well", func(f *fakeGitHub) {
			f.Run(measuringRun(6, "completed", "failure"))
			f.trials(map[string]string{"7": "", "6": githubtest.Trial(1.3)})
		}, "cancelled", "failure", "1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa", 1},
		{"skipped for a new title after it was measured", func(f *fakeGitHub) {
			f.Run(measuringRun(8, "completed", "skipped"))
		}, "cancelled", "pending", "the measurement was cancelled or ran out of time: run the measuring workflow again", 1},
		{"expired", func(f *fakeGitHub) { f.Zip, f.Expired = []byte("x"), true }, "success", "pending", "the trial has expired: run the measuring workflow again", 1},
		{"expired after a verdict", func(f *fakeGitHub) {
			f.Zip, f.Expired = []byte("x"), true
			decided(f, githubtest.BaseSHA)
		}, "success", "success", "2 benchmarks unchanged, against aaaaaaaaaaaa", 2},
		{"expired after a verdict against another base", func(f *fakeGitHub) {
			f.Zip, f.Expired = []byte("x"), true
			decided(f, otherBase)
		}, "success", "pending", "the trial has expired: run the measuring workflow again", 1},
		{"expired after a verdict and something else", func(f *fakeGitHub) {
			f.Zip, f.Expired = []byte("x"), true
			decided(f, githubtest.BaseSHA)
			f.Statuses = append(f.Statuses, map[string]string{"context": "perftrack", "sha": githubtest.HeadSHA, "state": "pending", "description": "the benchmarks are being measured"},
				judged("failure", "2 benchmarks regressed", "https://git.example/run/2", githubtest.BaseSHA[:12]))
			f.Statuses[2]["context"] = "other"
		}, "success", "success", "2 benchmarks unchanged, against aaaaaaaaaaaa", 2},
		{"cancelled after somebody else's verdict", func(f *fakeGitHub) {
			decided(f, githubtest.BaseSHA)
			f.Statuses[0]["creator"] = "99"
		}, "cancelled", "pending", "the measurement was cancelled or ran out of time: run the measuring workflow again", 2},
		{"cancelled after our verdict and somebody else's", func(f *fakeGitHub) {
			decided(f, githubtest.BaseSHA)
			decided(f, githubtest.BaseSHA)
			f.Statuses[0]["state"], f.Statuses[0]["description"] = "failure", "2 benchmarks regressed, against aaaaaaaaaaaa"
			f.Statuses[1]["creator"] = "99"
		}, "cancelled", "failure", "2 benchmarks regressed, against aaaaaaaaaaaa", 2},
		{"cancelled after the verdict of an App whose token is not ours", func(f *fakeGitHub) {
			f.Me = 5
			decided(f, githubtest.BaseSHA)
			f.Statuses[0]["creator"] = fmt.Sprint(githubapi.ActionsBotID)
			f.Add(5, marker+"\nof an older head")
		}, "cancelled", "pending", "the measurement was cancelled or ran out of time: run the measuring workflow again", 2},
		{"no trial after a verdict", func(f *fakeGitHub) {
			f.trials(map[string]string{"7": "what?"})
			decided(f, githubtest.BaseSHA)
		}, "failure", "success", "2 benchmarks unchanged, against aaaaaaaaaaaa", 2},
		{"cancelled, and GitHub does not say what there was", func(f *fakeGitHub) {
			f.Fail["GET commits"] = slices.Repeat([]githubtest.Failure{{Status: 503}}, 9)
		}, "cancelled", "", "", 0},
		{"retargeted", func(f *fakeGitHub) {
			f.trials(map[string]string{"7": githubtest.Trial(1)})
			f.MergeBase = otherBase
			decided(f, githubtest.BaseSHA)
		}, "success", "pending", "the measured base is not the merge base with main: run the measuring workflow again", 1},
		{"the merge base is not known", func(f *fakeGitHub) {
			f.trials(map[string]string{"7": githubtest.Trial(1)})
			f.MergeBase = ""
			decided(f, githubtest.BaseSHA)
		}, "success", "pending", "the merge base with main is unknown: rebase the pull request", 1},
		{"retargeted, and measured again", func(f *fakeGitHub) {
			f.Run(measuringRun(8, "completed", "failure"))
			f.trials(map[string]string{"7": githubtest.Trial(1), "8": strings.ReplaceAll(githubtest.Trial(1.3), githubtest.BaseSHA, otherBase)})
			f.MergeBase = otherBase
			decided(f, githubtest.BaseSHA)
		}, "success", "failure", "1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %, against eeeeeeeeeeee", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.Zip = nil
			path := f.ended(tt.conclusion)
			if tt.prepare != nil {
				tt.prepare(f)
			}
			before := len(f.Statuses)
			f.Add(githubapi.ActionsBotID, marker+"\nof an older head")
			j := f.run(Options{Actions: Actions{EventPath: path}})
			if j.err != nil {
				t.Fatal(j.err)
			}
			if n := len(f.Statuses) - before; n != tt.posted || j.res.State != tt.state || j.res.Description != tt.description {
				t.Errorf("%d statuses set, %s: %s\nwant %d, %s: %s", n, j.res.State, j.res.Description, tt.posted, tt.state, tt.description)
			}
			if last := f.Statuses[max(0, len(f.Statuses)-1):]; len(last) > 0 && (last[0]["state"] != tt.state || last[0]["description"] != tt.description) {
				t.Errorf("the status is %v", last[0])
			}
			text := strings.Join(j.res.Annotations, "\n") + j.res.Summary + f.Ours()[0].Body
			words, _, _ := strings.Cut(tt.description, ":")
			words, _, _ = strings.Cut(words, ";")
			words, _, _ = strings.Cut(words, ", against")
			if strings.Count(strings.ToLower(text), strings.ToLower(words)) < 2 {
				t.Errorf("%q is not said:\n%s", words, text)
			}
		})
	}
}

// Commits made on the base branch since the event do not worsen a verdict. The event's base is not
// used, because it is as old as the last push.
func TestCommentHeedsTheBaseBranch(t *testing.T) {
	f := newFake(t)
	tip := strings.Repeat("f", 40)
	f.Tips = map[string]string{"main": tip}
	f.MergeBases = map[string]string{githubtest.BaseSHA: otherBase, tip: githubtest.BaseSHA}
	if j := f.run(Options{}); j.err != nil || j.res.State != "success" {
		t.Errorf("%+v, %v", j.res, j.err)
	}
	for _, r := range f.Requests {
		if strings.Contains(r, "compare/") && !strings.Contains(r, tip) {
			t.Errorf("%s is not of the base branch as it is", r)
		}
	}
}

// Pull requests with the same head share the worst status; each has its own comment.
func TestCommentOfTwoPullRequests(t *testing.T) {
	old := strings.ReplaceAll(githubtest.Trial(1.3), githubtest.BaseSHA, otherBase)
	for _, tt := range []struct {
		name        string
		trials      map[string]string
		state       string
		description string
		bodies      []string // parts of the comments on 12 and 13
	}{
		{"both measured", map[string]string{"7": githubtest.Trial(1), "8": old}, "failure",
			"#13: 1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa and eeeeeeeeeeee",
			[]string{"The status perftrack belongs to the commit, which pull request 13 has, too, and that one sets it to failure.", "1 benchmark regressed"}},
		{"one measured", map[string]string{"7": githubtest.Trial(1), "8": ""}, "pending",
			"#13: the measurement was cancelled or ran out of time: run the measuring workflow again",
			[]string{"that one sets it to pending", ""}},
		{"one never measured", map[string]string{"7": githubtest.Trial(1)}, "pending",
			"#13: pull request 13 has not been measured against v1: run the measuring workflow again",
			[]string{"that one sets it to pending", ""}},
	} {
		f := newFake(t)
		f.Zip = nil
		f.Pulls = append(f.Pulls, pullOf(13, githubtest.HeadSHA, 2))
		f.Pulls[1]["base"].(map[string]any)["ref"] = "v1"
		tip := strings.Repeat("f", 40)
		f.Tips, f.MergeBases = map[string]string{"v1": tip}, map[string]string{tip: otherBase}
		if _, ok := tt.trials["8"]; ok {
			f.Run(measuringRun(8, "completed", "cancelled"))
		}
		f.trials(tt.trials)
		j := f.run(Options{Actions: Actions{EventPath: f.ended("success")}})
		if j.err != nil || f.status() != tt.state || j.res.Description != tt.description {
			t.Errorf("%s: %v, %s: %s\nwant %s: %s", tt.name, j.err, f.status(), j.res.Description, tt.state, tt.description)
		}
		for i, part := range tt.bodies {
			body := ""
			for _, c := range f.Comments {
				if c.Pull == 12+i {
					body += c.Body
				}
			}
			if !strings.Contains(body, part) || (part == "") != (body == "") {
				t.Errorf("%s: on %d no %q:\n%s", tt.name, 12+i, part, body)
			}
		}
	}
}

// An unknown state could be worse than a known one.
func TestSumOfUnknown(t *testing.T) {
	for known, want := range map[string]string{"success": "", "pending": "", "error": "", "failure": "failure"} {
		c := &job{}
		c.combine([]*judgement{
			{pull: &githubapi.PullRequest{Number: 12}, Result: Result{State: known}},
			{pull: &githubapi.PullRequest{Number: 13}},
		})
		if c.res.State != want {
			t.Errorf("%s and an unknown state are %q, want %q", known, c.res.State, want)
		}
	}
}

// A description has room for the verdict with any number of bases.
func TestAgainstManyBases(t *testing.T) {
	var bases []string
	for i := range githubapi.MaxPulls {
		bases = append(bases, strings.Repeat(fmt.Sprint(i), 12))
	}
	const words = "#13: 1 benchmark regressed, 1 unchanged"
	if d := github.Description(words, against(bases)); !strings.HasPrefix(d, words) || len([]rune(d)) > github.MaxDescription {
		t.Errorf("%d characters: %s", len([]rune(d)), d)
	}
}

// A mistake in the base branch's perftrack.toml is shown in the status and the job, and fails the
// job.
func TestCommentConfigurationMistake(t *testing.T) {
	f := newFake(t)
	f.Config = "[defaults]\ntreshold = \"3%\"\n"
	j := f.run(Options{})
	const want = `base branch: perftrack.toml:2: unknown key "treshold"`
	if j.err == nil || !strings.Contains(j.err.Error(), want) {
		t.Errorf("error %v", j.err)
	}
	if f.status() != "error" || !strings.Contains(j.res.Description, want) {
		t.Errorf("%s: %s", f.status(), j.res.Description)
	}
	for what, text := range map[string]string{"annotation": strings.Join(j.res.Annotations, "\n"), "summary": j.res.Summary} {
		if !strings.Contains(text, "treshold") {
			t.Errorf("%s: %s", what, text)
		}
	}
}

// GitHub's refusals are in the annotations and the summary of the job.
func TestCommentRefused(t *testing.T) {
	for _, path := range []string{"GET pulls", "POST statuses", "POST issues", "GET actions", "GET contents"} {
		f := newFake(t)
		f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(1.3))
		f.Fail[path] = []githubtest.Failure{{Status: 403}}
		j := f.run(Options{})
		if j.err != nil {
			t.Error(path, j.err)
		}
		for what, text := range map[string]string{"annotation": fmt.Sprint(j.res.Annotations), "summary": j.res.Summary} {
			if !strings.Contains(text, "403") {
				t.Errorf("%s: %s: %s", path, what, text)
			}
		}
		if want := map[string]string{"POST statuses": "", "POST issues": "failure"}[path]; f.status() != want && f.status() != "error" {
			t.Errorf("%s: status %s", path, f.status())
		}
	}
}

// A green job with the same name as the status does not make the status green.
func TestCommentBesideANamesake(t *testing.T) {
	const why = "a job at this head is also called perftrack: rename that job"
	for _, tt := range []struct {
		factor             float64
		checks             []string
		fail               int
		state, description string
	}{
		{1, []string{"perftrack"}, 0, "error", why},
		{1.3, []string{"perftrack"}, 0, "failure", "1 benchmark regressed, 1 unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa"},
		{1, []string{"perftrack comment", "measure"}, 0, "success", "2 benchmarks unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa"},
		{1, []string{"perftrack"}, 403, "success", "2 benchmarks unchanged; machine noise floor 0.2 %, against aaaaaaaaaaaa"},
	} {
		f := newFake(t)
		f.Zip = githubtest.Archive(t, artifact.FileName, githubtest.Trial(tt.factor))
		f.Checks = tt.checks
		if tt.fail != 0 {
			f.Fail["GET commits/"+githubtest.HeadSHA+"/check-runs"] = []githubtest.Failure{{Status: tt.fail}}
		}
		j := f.run(Options{})
		if j.err != nil || f.status() != tt.state || j.res.Description != tt.description {
			t.Errorf("%v, %v: %v, %s: %s\nwant %s: %s", tt.factor, tt.checks, j.err, f.status(), j.res.Description, tt.state, tt.description)
		}
		found := slices.Contains(tt.checks, "perftrack") && tt.fail == 0
		if said := len(f.Ours()) == 1 && strings.Contains(f.Ours()[0].Body, why); said != found {
			t.Errorf("%v, %v: %v", tt.factor, tt.checks, f.Ours())
		}
	}
}

// A pull request cannot turn its regressions into suspicions by declaring a weaker layout than the
// base. A weak layout declared by the base itself counts.
func TestCommentHeedsTheLayoutOfTheBase(t *testing.T) {
	const gotest, command = "[[target]]\nname = \"lib\"\nkind = \"gotest\"\n", "[[target]]\nname = \"lib\"\nkind = \"command\"\nrun = \"./bench\"\n"
	for _, tt := range []struct {
		base, layout, state, says string
	}{
		{gotest, "default", "error", "target lib was not measured with layout = \"rotate\", as the base declares"},
		{gotest, "rotate", "failure", "1 benchmark regressed"},
		{gotest + "layout = \"default\"\n", "default", "success", "1 benchmark suspect"},
		{command, "default", "success", "1 benchmark suspect"},
	} {
		f := newFake(t)
		f.Config = tt.base
		f.Zip = githubtest.Archive(t, artifact.FileName, strings.ReplaceAll(githubtest.Trial(1.15), "gomaxprocs: 2\n", "gomaxprocs: 2\nlayout: "+tt.layout+"\n"))
		j := f.run(Options{})
		if j.err != nil || f.status() != tt.state || !strings.Contains(j.res.Description, tt.says) {
			t.Errorf("%q measured with %s: %s, %q, %v", tt.base, tt.layout, f.status(), j.res.Description, j.err)
		}
	}
}

// The author of a trial cannot choose whether and how it is decided.
func TestCommentHeedsNoForgedProcedure(t *testing.T) {
	const decided = "decision: typical-and-mean\n"
	for _, tt := range []struct{ facts, state, says string }{
		{decided, "failure", "1 benchmark regressed"},
		{decided + "procedure: check\nfamily: 100000: lib\n", "failure", "1 benchmark regressed"},
		{decided + "procedure: calibrate\n", "error", "the trial is a calibration"},
		{decided + "procedure: anchor\n", "failure", "1 benchmark regressed"},
		{"", "error", "the trial must be decided by an early version's procedure, but this perftrack uses procedure \"typical-and-mean\""},
		{"decision: mine\n", "error", "the trial must be decided by procedure \"mine\", but this perftrack uses procedure \"typical-and-mean\""},
	} {
		f := newFake(t)
		trial := githubtest.Trial(1.3)
		if !strings.Contains(trial, decided) {
			t.Fatal("the trial of the test is not decided by pairs")
		}
		f.Zip = githubtest.Archive(t, artifact.FileName, strings.ReplaceAll(trial, decided, tt.facts))
		j := f.run(Options{})
		if j.err != nil || f.status() != tt.state || !strings.Contains(j.res.Description, tt.says) {
			t.Errorf("%q: %s, %q, %v", tt.facts, f.status(), j.res.Description, j.err)
		}
	}
}

// A percent sign in a branch name is escaped.
func TestTipOfAnyBranch(t *testing.T) {
	f := newFake(t)
	f.Tips = map[string]string{"relA": strings.Repeat("1", 40), "rel%41": strings.Repeat("2", 40), "a/b#c?d": strings.Repeat("3", 40), "100%": strings.Repeat("4", 40)}
	g, err := githubapi.NewClient(f.URL(), githubtest.Repository, githubtest.Token, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for branch, want := range f.Tips {
		if got, err := g.BranchTip(t.Context(), branch); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", branch, got, err, want)
		}
	}
}

// An artifact above the limit is an error of the measurement, and is not downloaded.
func TestCommentOnTooLargeAnArtifact(t *testing.T) {
	f := newFake(t)
	f.Zip = make([]byte, artifact.MaxArchive+1)
	const want = "the artifact perftrack-trial is larger than the limit of 10 MiB: measure fewer benchmarks"
	if j := f.run(Options{}); j.err != nil || f.status() != "error" || j.res.Description != want || j.waited != 0 {
		t.Errorf("%s: %q, %v, waited %v", f.status(), j.res.Description, j.err, j.waited)
	}
	for _, r := range f.Requests {
		if strings.HasSuffix(r, "/zip") {
			t.Error(r)
		}
	}
}
