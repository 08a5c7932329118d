package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// explainedBench is a program that reports its scopes. All parsing happens in one scope.
const explainedBench = `if [ -n "$PERFTRACK_PROFILE" ]; then
	echo "suite: $PERFTRACK_PROFILE"
	echo "profile: scopes"
	for i in 1 2 3 4; do
		echo "BenchmarkRun 1 $(cat parse.txt)9$i ns/op"
		echo "BenchmarkRun/Lex_@everyone 1 $(cat parse.txt)8$i ns/op"
	done
fi
` + rehearsedBench

// TestRehearsalOfWhy simulates a pull request with a regression explained by the measuring job,
// because the action's input explain is true.
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
	r.has("comment", c.body, "<summary>why: functions behind the difference</summary>", "<code>Run/Lex_@everyone</code>")

	// If a regression cannot be explained, the comment gives the reason, and the verdict is the
	// same.
	r.write(r.maintainer, "bench.sh", rehearsedBench)
	p.push("Say nothing")
	c = p.comment(p.measure())
	r.equal("status without scopes", c.state, "failure")
	r.has("comment", c.body, "<summary>why: not explained</summary>", "printed no scopes")
}
