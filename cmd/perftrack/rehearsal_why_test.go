package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// A program that says where its time goes: the parsing, all of it in one part.
const explainedBench = `if [ -n "$PERFTRACK_PROFILE" ]; then
	echo "suite: $PERFTRACK_PROFILE"
	echo "profile: scopes"
	for i in 1 2 3 4; do
		echo "BenchmarkRun 1 $(cat parse.txt)9$i ns/op"
		echo "BenchmarkRun/Lex_@everyone 1 $(cat parse.txt)8$i ns/op"
	done
fi
` + rehearsedBench

// TestRehearsalOfWhy plays a pull request whose regression is explained by the job that
// measures, as explain: true of the action asks for.
func TestRehearsalOfWhy(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	r.setUp("push")
	path := filepath.Join(r.workflows, "perftrack-measure.yml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	asking := strings.Replace(string(text), "command: measure\n", "command: measure\n          explain: true\n", 1)
	if asking == string(text) {
		t.Fatalf("the workflow does not measure:\n%s", text)
	}
	r.write(r.workflows, "perftrack-measure.yml", asking)
	r.write(r.maintainer, "bench.sh", explainedBench)
	r.commit(r.maintainer, "Say why")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")

	p := &proposal{r, 21, r.maintainer, githubtest.Repository, 1, "why"}
	r.git(r.maintainer, "checkout", "-q", "-b", "why")
	r.write(r.maintainer, "parse.txt", "125")
	p.push("Exact halves")
	c := p.comment(p.measure())
	r.equal("status", c.state, "failure")
	r.has("comment", c.body, "<summary>why: functions that make the difference</summary>", "<code>Run/Lex_@everyone</code>")

	// One that is not explained says so, and the verdict is the same.
	r.write(r.maintainer, "bench.sh", rehearsedBench)
	p.push("Say nothing")
	c = p.comment(p.measure())
	r.equal("status without scopes", c.state, "failure")
	r.has("comment", c.body, "<summary>why is not known</summary>", "printed no scopes")
}
