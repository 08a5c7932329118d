package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// The measurement of a pull request ends before it could flag anything. It has only four rounds,
// because each process takes a minute of the ten-minute budget by the test's clock. The status is
// never a success, whatever these rounds show.
func TestRehearsalBudget(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	clock := filepath.Join(r.home, "clock")
	r.player.env = []string{testClock + "=" + clock, "PACE=60"}
	r.write(r.home, "clock", "0\n")
	r.write(r.maintainer, "bench.sh", "echo $PACE >> \"$"+testClock+"\"\n"+rehearsedBench)
	r.commit(r.maintainer, "Take a minute")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")

	p := &proposal{r, 14, r.maintainer, githubtest.Repository, 1, "slow"}
	r.git(r.maintainer, "checkout", "-q", "-b", "slow")
	r.write(r.maintainer, "parse.txt", "4464")
	p.push("Parse slowly")
	const said = "32 benchmarks were not checked: the budget ran out before round 9; use --budget 22m"
	m := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	r.equal("measuring", m.conclusion, "failure")
	r.equal("exit code", fmt.Sprint(m.exit["Run perftrack"]), "2")
	r.has("log", m.log["Run perftrack"], "perftrack: "+said, " Parse ", " 4 of 9 ", "\nnot checked ", "::error title=not checked::"+said)
	c := p.comment(m)
	r.equal("status", c.state, "error")
	r.equal("description", r.hub.Statuses[len(r.hub.Statuses)-1]["description"], said)
	r.has("comment", c.body, "### ⚠️ perftrack: 32 benchmarks not checked", "In the measuring workflow that is `budget: 22m`.", ">4 of 9 rounds<")

	// On a faster machine, the same budget is enough.
	r.player.env[1] = "PACE=5"
	c = p.comment(p.measure())
	r.equal("status of a check with time enough", c.state, "failure")
	r.has("comment", c.body, rehearsedRegression)
}
