package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// The workflows of perftrack init --pages publish the page of the history after the history has
// grown. They never publish it after a run in another repository, and never with less than the
// history.
func TestRehearsalOfPages(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	r.perftrack(r.maintainer, "init", "--pages")
	r.commit(r.maintainer, "Publish the page")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.workflows = filepath.Join(r.maintainer, ".github", "workflows")

	// Without any measurement, the job fails and publishes no page.
	run := r.page("workflow_dispatch", nil)
	r.equal("without a history", run.conclusion, "failure")
	r.has("log", run.log["Run perftrack"], "::error title=perftrack::there is no history to make a page from: run the workflow perftrack history first")

	sha := r.pushMain("125")
	run = r.page("workflow_run", map[string]any{"conclusion": "success", "head_repository": map[string]any{"id": 1}})
	r.equal("with a history", run.conclusion, "success")
	r.has("index.html", r.published["index.html"], "<!DOCTYPE html>", `src="static/perftrack.js"`)
	r.has("index", r.published["data/index.js"], `"Parse"`, `"Render"`)
	r.has("commits", r.published["data/commits.js"], sha, "Cost 125")
	r.has("runs", r.published["data/runs.js"], `"benchmarks":32`)
	if strings.Contains(run.log["Run perftrack"], "::warning") {
		t.Errorf("%s", run.log["Run perftrack"])
	}

	// A failed run may have published earlier measurements.
	failed := r.page("workflow_run", map[string]any{"conclusion": "failure", "head_repository": map[string]any{"id": 1}})
	r.equal("of a failed run", failed.conclusion, "success")
	fork := r.page("workflow_run", map[string]any{"conclusion": "success", "head_repository": map[string]any{"id": 2}})
	r.equal("of a fork", fork.conclusion, "skipped")

	// Unreadable parts of the history are reported. If nothing is readable, the old page stays.
	main := r.git(r.bare, "rev-parse", "main")
	r.git(r.bare, "update-ref", "refs/perftrack/runs/"+strings.Repeat("0", 64), main)
	run = r.page("workflow_dispatch", nil)
	r.equal("with a history that is broken in part", run.conclusion, "success")
	r.has("log", run.log["Run perftrack"], "skipped refs/perftrack/", "\n::warning title=perftrack::unreadable parts")
	r.has("commits", r.published["data/commits.js"], sha)
	before := r.published
	for _, ref := range strings.Fields(r.git(r.bare, "for-each-ref", "--format=%(refname)", "refs/perftrack")) {
		r.git(r.bare, "update-ref", ref, main)
	}
	run = r.page("workflow_dispatch", nil)
	r.equal("with a broken history", run.conclusion, "failure")
	r.has("log", run.log["Run perftrack"], "skipped refs/perftrack/", "nothing is stored yet")
	if !maps.Equal(r.published, before) {
		t.Error("another page was published")
	}
}

// page runs the workflow that publishes the page.
func (r *rehearsal) page(event string, of map[string]any) workflowResult {
	r.t.Helper()
	e := map[string]any{}
	if of != nil {
		of["id"], of["head_branch"], of["path"] = 901, "main", ".github/workflows/perftrack-history.yml"
		e["action"], e["workflow_run"] = "completed", of
	}
	return r.play("perftrack-pages.yml", event, r.git(r.bare, "rev-parse", "main"), e)
}
