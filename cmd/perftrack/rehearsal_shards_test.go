package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Four machines measure a pull request, and one of them fails.
func TestRehearsalOfShards(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearseShards()
}

// divided returns the configuration of four targets with one benchmark each, one for each machine.
func divided() string {
	var b strings.Builder
	for _, name := range []string{"parse", "render", "print", "sort"} {
		fmt.Fprintf(&b, "[[target]]\nname = %q\nkind = \"command\"\nlayout = \"accept\"\nrun = \"sh one.sh %s\"\n", name, name)
	}
	return b.String()
}

const dividedBench = "cat $1.txt >/dev/null || exit 3\necho \"Benchmark_$1 100 $(cat $1.txt)2.5 ns/op\"\n"

// setUpShards runs perftrack init for four machines as the maintainer.
func (r *rehearsal) setUpShards(on string) {
	r.t.Helper()
	head := ""
	if on != "push" {
		head = "[defaults]\non = \"" + on + "\"\n"
	}
	r.write(r.maintainer, "perftrack.toml", head+divided())
	r.write(r.maintainer, "one.sh", dividedBench)
	for _, name := range []string{"parse", "render", "print", "sort"} {
		r.write(r.maintainer, name+".txt", "100")
	}
	r.perftrack(r.maintainer, "init", "--on", on, "--shards", "4")
	r.commit(r.maintainer, "Measure in four parts")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.git(r.contributor, "pull", "-q", "origin", "main")
	r.workflows = filepath.Join(r.maintainer, ".github", "workflows")
	r.uploaded = func(name, text string) {
		if r.hub.Parts == nil {
			r.hub.Parts = map[string][]byte{}
		}
		r.hub.Parts[name] = githubtest.Archive(r.t, artifact.FileName, text)
	}
}

// measureParts runs the measuring workflow on all machines except the one numbered lost.
func (p *proposal) measureParts(lost int) workflowResult {
	p.t.Helper()
	p.hub.Zip, p.hub.Parts = nil, nil
	p.dies = func(matrix map[string]any) bool { return fmt.Sprint(matrix["shard"]) == fmt.Sprint(lost) }
	defer func() { p.dies = nil }()
	return p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
}

// judged runs the commenting workflow on the artifacts from the machines.
func (p *proposal) judged(m workflowResult) workflowResult {
	p.t.Helper()
	c := p.told("completed", map[string]any{"conclusion": m.conclusion})
	p.equal("commenting", c.conclusion, "success")
	return c
}

func (r *rehearsal) rehearseShards() {
	r.setUpShards("push")
	p := &proposal{r, 71, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "README", "To be read.\n")
	p.push("Explain")
	m := p.measureParts(0)
	r.equal("measuring", m.conclusion, "success")
	r.equal("artifacts", asText(len(r.hub.Parts)), "4")
	p.judged(m)
	r.has("status", p.status(), "success: 4 benchmarks unchanged, against ")
	r.equal("comments", asText(len(r.hub.Ours())), "0")

	// A lost machine is reported, and the status is never green without it, even if nothing was
	// slower.
	m = p.measureParts(3)
	r.equal("measuring without the third machine", m.conclusion, "failure")
	c := p.judged(m)
	r.has("log", c.log["Run perftrack"], "part 3 of 4 was not checked")
	r.has("summary", c.summary, "Part 3 of 4 was not checked")
	r.write(r.contributor, "README", "To be read twice.\n")
	p.push("Explain more") // a head without a verdict
	p.judged(p.measureParts(3))
	r.equal("status without the third machine", p.status(), "error: part 3 of 4 was not checked: see the measuring workflow's log")
	r.equal("comments", asText(len(r.hub.Ours())), "1")
	r.has("comment", r.hub.Ours()[0].Body, "### ⚠️ perftrack: part 3 of 4 was not checked · ✅ 3 benchmarks unchanged", "- not checked: part 3 of 4 of `print`: no result was stored")

	// The lost job is run again and leaves its part.
	p.judged(p.measureParts(0))
	r.has("status when it was run again", p.status(), "success: 4 benchmarks unchanged, against ")

	// The regression is on the fourth machine, and the second is lost.
	r.write(r.contributor, "sort.txt", "125")
	p.push("Sort stably")
	m = p.measureParts(2)
	r.equal("measuring a regression", m.conclusion, "failure")
	p.judged(m)
	r.has("status", p.status(), "failure: 1 benchmark regressed, part 2 of 4 was not checked, 2 unchanged, against ")

	// A benchmark failing on head fails the job of its machine.
	r.git(r.contributor, "rm", "-q", "print.txt")
	r.write(r.contributor, "sort.txt", "100")
	p.push("Print nothing")
	m = p.measureParts(0)
	r.equal("measuring what does not run", m.conclusion, "failure")
	p.judged(m)
	r.has("status of what does not run", p.status(), "failure: 1 benchmark failed in head, part 3 of 4 was not checked, 3 unchanged")
}

// TestRehearsalOfShardsOnDemand simulates a comment that starts four machines.
func TestRehearsalOfShardsOnDemand(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	r.setUpShards("comment")
	r.hub.Permissions = map[string]string{"maria": "write"}
	p := &proposal{r, 72, r.contributor, "contributor/repo", 2, "topic"}
	r.write(r.contributor, "print.txt", "125")
	p.push("Print slowly")
	c := p.commented("maria", "/perftrack")
	r.equal("asking", c.conclusion, "failure")
	r.equal("artifacts", asText(len(r.hub.Parts)), "4")
	r.has("status", p.status(), "failure: 1 benchmark regressed, 3 unchanged, against ")
}
