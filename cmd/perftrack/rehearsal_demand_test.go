package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Pull requests are measured on demand, with the workflows written by perftrack init.
func TestRehearsalOnALabel(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearseOnLabel()
}

// TestRehearsalOfPaths simulates pull requests that change no relevant file.
func TestRehearsalOfPaths(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearsePaths()
}

// setUp runs perftrack init as the maintainer.
func (r *rehearsal) setUp(on string) {
	r.t.Helper()
	r.write(r.maintainer, "perftrack.toml", "[defaults]\non = \""+on+"\"\n"+rehearsedConfig)
	r.perftrack(r.maintainer, "init", "--on", on)
	r.commit(r.maintainer, "Measure on a "+on)
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.git(r.contributor, "pull", "-q", "origin", "main")
	r.workflows = filepath.Join(r.maintainer, ".github", "workflows")
}

// measured runs the commenting workflow after a run of the measuring workflow.
func (p *proposal) measured(m workflowResult) workflowResult {
	p.t.Helper()
	p.hub.Zip = nil
	if text, ok := p.artifacts[artifact.Name]; ok {
		p.hub.Zip = githubtest.Archive(p.t, artifact.FileName, text)
	}
	return p.told("completed", map[string]any{"conclusion": m.conclusion})
}

// labelled sets a label on the pull request and returns the event for it.
func (p *proposal) labelled(name string) map[string]any {
	p.hub.Label(p.number, name, "maria")
	e := p.event()
	e["action"], e["label"] = "labeled", map[string]any{"name": name}
	return e
}

func (r *rehearsal) rehearseOnLabel() {
	r.setUp("label")
	const spared = "success: not measured: main measures pull requests with the label perf-measure"
	p := &proposal{r, 41, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	m := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	r.equal("measuring without the label", m.conclusion, "skipped")
	r.equal("commenting on that", p.measured(m).conclusion, "success")
	r.equal("status without the label", p.status(), spared)

	m = p.play("perftrack-measure.yml", "pull_request", p.head(), p.labelled("documentation"))
	r.equal("measuring for another label", m.conclusion, "skipped")
	other := p.labelled("documentation")
	m = p.play("perftrack-measure.yml", "pull_request", p.head(), p.labelled("perf-measure"))
	r.equal("measuring for the label", m.conclusion, "failure")
	p.measured(m)
	r.has("status with the label", p.status(), "failure: 1 benchmark regressed, 31 unchanged")

	// Another label neither measures again nor stops a running measurement, and leaves the
	// verdict as it is.
	again := p.play("perftrack-measure.yml", "pull_request", p.head(), other)
	r.equal("measuring for another label", again.conclusion, "skipped")
	if p.group("perftrack-measure.yml", other) == p.group("perftrack-measure.yml", p.event()) {
		r.t.Error("another label stops the measurement")
	}
	if first := p.group("perftrack-measure.yml", other); first == p.group("perftrack-measure.yml", other) {
		r.t.Error("a label cancels the run of another one, which is then waited for")
	}
	p.measured(again)
	r.has("status after another label", p.status(), "failure: 1 benchmark regressed, 31 unchanged")

	// The label stays, so the next push is measured, too.
	r.write(r.contributor, "parse.txt", "100")
	p.push("As before")
	m = p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	p.measured(m)
	r.has("status of the next push", p.status(), "success: 32 benchmarks unchanged")
}

// TestRehearsalOnAComment simulates users who may request a measurement and users who may not.
func TestRehearsalOnAComment(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearseOnComment()
}

// commented runs the workflow started by a comment.
func (p *proposal) commented(by, body string) workflowResult {
	p.t.Helper()
	return p.play("perftrack-demand.yml", "issue_comment", p.git(p.bare, "rev-parse", "main"), map[string]any{
		"action": "created", "sender": map[string]any{"login": by},
		"issue":   map[string]any{"number": p.number, "state": "open", "pull_request": map[string]any{"url": "x"}},
		"comment": map[string]any{"body": body, "author_association": "CONTRIBUTOR", "user": map[string]any{"login": by}},
	})
}

func (r *rehearsal) rehearseOnComment() {
	r.setUp("comment")
	r.hub.Permissions = map[string]string{"maria": "write", "tom": "read"}
	r.uploaded = func(name, text string) {
		if name == artifact.Name {
			r.hub.Zip = githubtest.Archive(r.t, artifact.FileName, text)
		}
	}
	const spared = "success: not measured: request it with a comment /perftrack or the label perf-measure, as main requires"
	p := &proposal{r, 61, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	skipped := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	r.equal("measuring a push", skipped.conclusion, "skipped")
	p.measured(skipped)
	r.equal("status", p.status(), spared)

	// A stranger gets a refusal; other comments get no answer.
	for _, by := range []string{"stranger", "tom"} {
		c := p.commented(by, "/perftrack --bench Parse")
		r.equal("asking as "+by, c.conclusion, "success")
		r.has("log", c.log["Run perftrack"], "nothing will be measured: measuring a pull request requires push access")
		r.equal("status after "+by, p.status(), spared)
	}
	r.has("comment", r.hub.Ours()[0].Body, "### perftrack will not measure for `tom`")
	r.equal("comments", asText(len(r.hub.Ours())), "1")
	r.equal("chat", p.commented("stranger", "nice!").conclusion, "skipped")
	if len(r.artifacts) > 0 || r.hub.Zip != nil {
		r.t.Error("something was measured for a stranger")
	}

	// After a maintainer's request, the measuring job fails because of the regression, and
	// perftrack sets the status.
	c := p.commented("maria", "/perftrack --bench '^BenchmarkParse' --budget 5m")
	r.equal("asking as maria", c.conclusion, "failure")
	r.has("status", p.status(), "failure: 1 benchmark regressed; ", ", against ")
	r.has("artifact", r.artifacts[artifact.Name], "BenchmarkParse")
	if strings.Contains(r.artifacts[artifact.Name], "BenchmarkRender") {
		r.t.Error("more was measured than was asked for")
	}
	bodies := ""
	for _, one := range r.hub.Ours() {
		bodies += one.Body
	}
	r.has("comments", bodies, "Requested by `maria`", "### ❌ perftrack: 1 benchmark slower, ")

	// A push without a measurement does not revoke the verdict.
	p.measured(skipped)
	r.has("status of the same head", p.status(), "failure: 1 benchmark regressed; ", ", against ")

	// The next push is measured by hand.
	r.write(r.contributor, "parse.txt", "100")
	p.push("As before")
	p.measured(p.play("perftrack-measure.yml", "pull_request", p.head(), p.event()))
	r.equal("status of the next push", p.status(), spared)
	run := p.play("perftrack-demand.yml", "workflow_dispatch", r.git(r.bare, "rev-parse", "main"), map[string]any{
		"sender": map[string]any{"login": "maria"}, "inputs": map[string]any{"pull": "61", "bench": "", "budget": "10m"},
	})
	r.equal("by hand", run.conclusion, "success")
	r.has("status", p.status(), "success: ", ", against ")
}

func (r *rehearsal) rehearsePaths() {
	r.write(r.maintainer, "perftrack.toml", "[defaults]\npaths = [\"*.sh\", \"parse.*\"]\n"+rehearsedConfig)
	r.commit(r.maintainer, "Measure what matters")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.git(r.contributor, "pull", "-q", "origin", "main")
	p := &proposal{r, 51, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "README", "To be read.\n")
	p.push("Explain")
	m := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	r.equal("measuring the documentation", m.conclusion, "success")
	r.has("log", m.log["Run perftrack"], "nothing was measured: no changed file matches paths")
	p.measured(m)
	r.equal("status", p.status(), "success: not measured: no changed file matches paths in perftrack.toml on main")

	// A pull request excluding itself in its own perftrack.toml is measured anyway, and the status
	// waits for the result.
	r.write(r.contributor, "perftrack.toml", "[defaults]\npaths = [\"nothing\"]\n"+rehearsedConfig)
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	delete(p.artifacts, artifact.Name)
	p.measured(workflowResult{conclusion: "success"})
	r.has("status of what was not measured", p.status(), "error: the measuring workflow ended without a result")
	p.measured(p.measure())
	r.has("status", p.status(), "failure: 1 benchmark regressed")
}
