package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Merge groups in a queue are measured and get the required status.
func TestRehearsalOfAQueue(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearseQueue()
}

// A mergeGroup is a pull request on its way through a merge queue.
type mergeGroup struct {
	*proposal
	branch, base, head string
}

// enqueue merges the pull request onto base, as the queue does.
func (p *proposal) enqueue(base string) *mergeGroup {
	p.t.Helper()
	g := &mergeGroup{proposal: p, base: base, branch: "gh-readonly-queue/main/pr-" + asText(p.number) + "-" + base}
	p.git(p.maintainer, "fetch", "-q", "origin", "refs/pull/"+asText(p.number)+"/head")
	p.git(p.maintainer, "checkout", "-q", "--detach", base)
	p.git(p.maintainer, "merge", "-q", "--no-ff", "-m", "Merge it", "FETCH_HEAD")
	g.head = p.git(p.maintainer, "rev-parse", "HEAD")
	p.git(p.maintainer, "push", "-q", "origin", "HEAD:refs/heads/"+g.branch)
	return g
}

// measure runs the workflow that measures the group.
func (g *mergeGroup) measure() workflowResult {
	g.t.Helper()
	delete(g.artifacts, artifact.Name)
	return g.play("perftrack-measure.yml", "merge_group", g.head, map[string]any{"action": "checks_requested", "merge_group": map[string]any{
		"head_sha": g.head, "head_ref": "refs/heads/" + g.branch, "base_sha": g.base, "base_ref": "refs/heads/main",
	}})
}

// told runs the commenting workflow on a run of the group's measuring workflow.
func (g *mergeGroup) told(action string, run map[string]any) workflowResult {
	g.t.Helper()
	all := map[string]any{
		"id": 8, "workflow_id": 3, "event": "merge_group", "path": ".github/workflows/perftrack-measure.yml", "status": "completed",
		"head_branch": g.branch, "head_sha": g.head, "pull_requests": []any{},
		"head_repository": map[string]any{"id": 1, "full_name": githubtest.Repository, "owner": map[string]string{"login": "owner"}},
	}
	maps.Copy(all, run)
	return g.play("perftrack-comment.yml", "workflow_run", g.git(g.bare, "rev-parse", "main"), map[string]any{"action": action, "workflow_run": all})
}

// status returns the last status of the group.
func (g *mergeGroup) status() string { return g.statusOf(g.head) }

// rehearseQueue simulates two pull requests, harmless when measured separately. The first is alone
// in the queue, and the second is queued behind it.
func (r *rehearsal) rehearseQueue() {
	main := r.git(r.bare, "rev-parse", "main")
	first := &proposal{r, 31, r.maintainer, githubtest.Repository, 1, "first"}
	r.git(r.maintainer, "checkout", "-q", "-b", "first")
	r.write(r.maintainer, "bench.sh", strings.Replace(rehearsedBench, "cat parse.txt", "cat exact.txt 2>/dev/null || cat parse.txt", 1))
	first.push("Parse exactly where it is asked for")
	second := &proposal{r, 32, r.contributor, "contributor/repo", 2, "second"}
	r.write(r.contributor, "exact.txt", "125")
	second.push("Ask for it")
	for _, p := range []*proposal{first, second} {
		measured := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
		p.hub.Zip = githubtest.Archive(r.t, artifact.FileName, p.artifacts[artifact.Name])
		p.told("completed", map[string]any{"conclusion": measured.conclusion})
	}
	r.has("status of the first", first.status(), "success: 32 benchmarks unchanged", ", against "+main[:12])
	r.has("status of the second", second.status(), "success: 32 benchmarks unchanged")

	// The first group has the same files as the head of its pull request, so it has a verdict
	// before anything is measured.
	r.hub.Zip = nil
	one := first.enqueue(main)
	c := one.told("requested", map[string]any{"status": "queued", "conclusion": ""})
	r.equal("commenting on the first group", c.conclusion, "success")
	r.has("status of the first group", one.status(), "success: 32 benchmarks unchanged", "carried over from #31, against "+main[:12])
	r.has("job summary", c.summary, "### perftrack carries over its verdict")

	// The second group has unmeasured files.
	two := second.enqueue(one.head)
	two.told("requested", map[string]any{"status": "queued", "conclusion": ""})
	r.equal("status of the second group at first", two.status(), "pending: the benchmarks are being measured")
	measured := two.measure()
	r.equal("measuring the second group", measured.conclusion, "failure")
	r.has("log", measured.log["Run perftrack"], "::error title=regressed::example.com/shop/text Parse sec/op: ")
	r.hub.Zip = githubtest.Archive(r.t, artifact.FileName, r.artifacts[artifact.Name])
	two.told("completed", map[string]any{"conclusion": measured.conclusion})
	r.has("status of the second group", two.status(), "failure: 1 benchmark regressed, 31 unchanged; ", ", against "+one.head[:12])

	r.equal("comments", asText(len(r.hub.Ours())), "0")

	// A dissolved group gets no more statuses.
	statuses := len(r.hub.Statuses)
	r.git(r.bare, "update-ref", "-d", "refs/heads/"+two.branch)
	c = two.told("completed", map[string]any{"conclusion": "cancelled"})
	r.has("log", c.log["Run perftrack"], "no comment: the merge group for pull request 32 no longer exists")
	r.equal("statuses", asText(len(r.hub.Statuses)), asText(statuses))
}
