package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
)

// pushMain pushes a commit to the default branch and runs the history workflow on it.
func (r *rehearsal) pushMain(cost string) (sha string) {
	r.t.Helper()
	before := r.git(r.bare, "rev-parse", "main")
	r.write(r.maintainer, "parse.txt", cost)
	sha = r.commit(r.maintainer, "Cost "+cost)
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	run := r.play("perftrack-history.yml", "push", sha, map[string]any{"ref": "refs/heads/main", "before": before, "after": sha})
	if run.conclusion != "success" {
		r.t.Fatalf("the history of a push: %s\n%v", run.conclusion, run.log)
	}
	return sha
}

var charted = regexp.MustCompile(`(?s)<details><summary>(history of the [^<]*)</summary>(.*?)</details>`)

// The history job uploads the medians, and the comment draws them up to the base of the pull
// request, followed by the head.
func TestRehearsalOfCharts(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	p := &proposal{r, 12, r.maintainer, githubtest.Repository, 1, "topic"}
	first := r.git(r.bare, "rev-parse", "main")
	r.pushMain("101")
	base := r.pushMain("100")
	r.git(r.maintainer, "checkout", "-q", "-b", "topic")
	r.write(r.maintainer, "parse.txt", "125")
	p.push("Exact halves")
	measured := p.measure()
	if c := p.comment(measured); charted.MatchString(c.body) {
		t.Errorf("a chart, and there is no run of the history yet:\n%s", c.body)
	}

	// Later commits on the branch are not part of the chart.
	r.git(r.maintainer, "checkout", "-q", "main")
	newest := r.pushMain("102") // measures the base once more
	r.hub.Run(map[string]any{
		"id": 900, "workflow_id": 4, "path": githubtest.HistoryWorkflow, "event": "push", "status": "completed", "conclusion": "success",
		"head_sha": newest, "head_branch": "main", "head_repository": map[string]any{"id": 1},
	})
	r.hub.Parts = map[string][]byte{medians.ArtifactName: githubtest.Archive(t, medians.FileName, r.artifacts[medians.ArtifactName])}
	c := p.comment(measured)
	m := charted.FindStringSubmatch(c.body)
	if m == nil {
		t.Fatalf("no chart of %s in\n%s", r.artifacts[medians.ArtifactName], c.body)
	}
	r.equal("title", m[1], "history of the worst")
	r.has("chart", m[2], "```mermaid\n", "    title \"Parse, sec/op\"\n", "x-axis \"runs before this head\" -5 --> 0\n", "y-axis \"µs\" ", "    line [1.003, 1.013, 1.013, 1.003, 1.003, 1.253]\n",
		first[:12], base[:12], "5 runs from ", ", then this head")
	if strings.Contains(m[2], newest[:12]) || strings.Contains(m[2], "is not among their commits") {
		t.Errorf("the history goes beyond the base:\n%s", m[2])
	}

	// A chart drawn from a database has the same medians.
	r.perftrack(r.maintainer, "sync", "--no-push")
	trial := filepath.Join(t.TempDir(), artifact.FileName)
	if err := os.WriteFile(trial, []byte(r.artifacts[artifact.Name]), 0o600); err != nil {
		t.Fatal(err)
	}
	here := charted.FindStringSubmatch(r.perftrack(r.maintainer, "comment", "--dry-run", trial))
	if here == nil || strings.Contains(here[2], "is not among their commits") {
		t.Fatalf("from a database: %q", here)
	}
	r.has("chart from a database", here[2], "    line [1.003, 1.013, 1.013, 1.003, 1.003, 1.253]\n")

	r.hub.Parts[medians.ArtifactName] = githubtest.Archive(t, medians.FileName, "{")
	c = p.comment(measured)
	r.equal("status with medians that nobody can read", c.state, "failure")
	r.has("comment", c.body, "<details><summary>history of the worst: not known</summary>", "could not be read: see the commenting workflow's log")
	r.has("log", c.run.log["Run perftrack"], "the medians of the history: read JSON")
}
