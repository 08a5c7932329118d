package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// TestRehearsalOfTheStatus checks the status before there is a result, and the conditions for a
// green status.
func TestRehearsalOfTheStatus(t *testing.T) {
	live(t)
	path := playedGo(t)
	newRehearsal(t, path).rehearseApproval()
	newRehearsal(t, path).rehearseLabel()
}

// told runs the commenting workflow on a run of the measuring workflow.
func (p *proposal) told(action string, run map[string]any) workflowResult {
	p.t.Helper()
	owner, _, _ := strings.Cut(p.repo, "/")
	all := map[string]any{
		"id": 7, "workflow_id": 3, "event": "pull_request", "path": ".github/workflows/perftrack-measure.yml", "status": "completed",
		"head_branch": p.branch, "head_sha": p.head(), "pull_requests": []any{},
		"head_repository": map[string]any{"id": p.id, "full_name": p.repo, "owner": map[string]string{"login": owner}},
	}
	maps.Copy(all, run)
	return p.play("perftrack-comment.yml", "workflow_run", p.git(p.bare, "rev-parse", "main"), map[string]any{"action": action, "workflow_run": all})
}

// status returns the last status of the head.
func (p *proposal) status() string { return p.statusOf(p.head()) }

// statusOf returns the last status of a commit.
func (r *rehearsal) statusOf(sha string) string {
	for i := len(r.hub.Statuses) - 1; i >= 0; i-- {
		if s := r.hub.Statuses[i]; s["sha"] == sha && s["context"] == "perftrack" {
			return s["state"] + ": " + s["description"]
		}
	}
	return "none"
}

// group returns the concurrency group of a new run of a workflow.
func (p *proposal) group(workflow string, event map[string]any) string {
	p.t.Helper()
	doc := p.workflow(workflow)
	p.runs++
	j := job{player: p.player, context: map[string]any{"github": map[string]any{"event": event, "run_id": p.runs}}}
	return j.strings(doc["concurrency"])["group"]
}

// rehearseApproval simulates a newcomer's pull request, with workflows that a maintainer must
// approve, and a cancelled measurement.
func (r *rehearsal) rehearseApproval() {
	p := &proposal{r, 14, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	c := p.told("requested", map[string]any{"conclusion": "action_required"})
	r.equal("commenting on a held run", c.conclusion, "success")
	r.equal("status", p.status(), "pending: the measuring workflow waits for a maintainer to approve it")
	r.equal("an ordinary request", p.told("requested", map[string]any{"status": "queued", "conclusion": ""}).conclusion, "skipped")

	// The run is approved and then cancelled by hand. The log of the cancelled run is no
	// result.
	c = p.told("completed", map[string]any{"conclusion": "cancelled"})
	r.equal("commenting on a cancelled run", c.conclusion, "success")
	r.equal("status", p.status(), "pending: the measurement was cancelled or ran out of time: run the measuring workflow again")
	r.has("job summary", c.summary, "perftrack has no result yet for", "Run the measuring workflow again.")
	r.has("log", c.log["Run perftrack"], "::notice title=perftrack has no result yet::the measurement was cancelled")

	measured := p.measure()
	p.hub.Zip = githubtest.Archive(r.t, artifact.FileName, p.artifacts[artifact.Name])
	p.told("completed", map[string]any{"conclusion": measured.conclusion})
	base := r.git(r.bare, "merge-base", "main", p.head())[:12]
	const regressed = "failure: 1 benchmark regressed, 31 unchanged; machine noise floor 0.0 %, against "
	r.equal("status", p.status(), regressed+base)

	// Days later the commenting workflow runs again.
	p.hub.Expired = true
	c = p.told("completed", map[string]any{"conclusion": measured.conclusion})
	r.equal("status", p.status(), regressed+base)
	r.has("log", c.log["Run perftrack"], "perftrack keeps its verdict::the trial has expired")
	p.hub.Expired, p.hub.Zip = false, nil

	// A push cancels the previous measurement. The cancelled one gets no comment.
	old := p.head()
	p.push("And again")
	c = p.told("completed", map[string]any{"conclusion": "cancelled", "head_sha": old})
	r.has("log", c.log["Run perftrack"], "no comment: 0 open pull requests have")
	r.equal("status of the new head", p.status(), "none")

	// A new title neither starts nor stops a measurement. A new base branch does both.
	synchronize, title := p.event(), p.event()
	title["action"], title["changes"] = "edited", map[string]any{"title": map[string]string{"from": "x"}}
	r.equal("measuring for a new title", p.play("perftrack-measure.yml", "pull_request", p.head(), title).conclusion, "skipped")
	r.equal("commenting on that", p.told("completed", map[string]any{"conclusion": "skipped"}).conclusion, "skipped")
	if p.group("perftrack-measure.yml", title) == p.group("perftrack-measure.yml", synchronize) {
		r.t.Error("a new title cancels the measurement")
	}
	if first := p.group("perftrack-measure.yml", title); first == p.group("perftrack-measure.yml", title) {
		r.t.Error("a new title cancels the run of another one, which is then waited for")
	}
	base2 := p.event()
	base2["action"], base2["changes"] = "edited", map[string]any{"base": map[string]any{"ref": map[string]any{"from": "main"}}}
	r.equal("measuring for a new base", p.play("perftrack-measure.yml", "pull_request", p.head(), base2).conclusion, "failure")
	r.equal("group", p.group("perftrack-measure.yml", base2), p.group("perftrack-measure.yml", synchronize))
}

// rehearseLabel simulates a maintainer who accepts the changes of a pull request, and an author who
// then pushes a worse change.
func (r *rehearsal) rehearseLabel() {
	p := &proposal{r, 15, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	measured := p.measure()
	r.equal("status", p.comment(measured).state, "failure")
	r.hub.Label(p.number, "perf-accept", "maria")
	c := p.comment(measured)
	r.equal("status under the label", c.state, "success")
	r.has("comment", c.body, rehearsedAcceptance, "accepted: <code>label perf-accept, set by maria</code>")

	// The pull request controls its own workflows, and one of them has a job with perftrack's
	// name.
	r.hub.Checks = []string{"measure", "perftrack"}
	c = p.comment(measured)
	r.equal("status beside a job of the same name", p.status(), "error: a job at this head is also called perftrack: rename that job")
	r.has("comment", c.body, "The status is error: a job at this head is also called perftrack: rename that job.")
	r.hub.Checks = []string{"measure"}
	r.equal("status when it is gone", p.comment(measured).state, "success")

	r.write(r.contributor, "parse.txt", "200")
	p.push("Even more exact")
	c = p.comment(p.measure())
	r.equal("status of a worse push", c.state, "failure")
	r.has("comment", c.body, rehearsedRegression, "The label perf-accept, set by maria, does not accept all of these changes")
}
