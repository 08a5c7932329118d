package main

import (
	"fmt"
	"strings"
	"testing"
)

// A slowdown of the default branch is reported once, in an issue of the repository, and so is its
// recovery, which closes the issue.
func TestRehearsalOfTheDefaultBranch(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	r.commits("100", 6)
	r.equal("issues of a calm branch", r.night(), "")

	// Two slow runs are too few to report, because three are needed.
	r.commits("125", 2)
	r.equal("issues after two slow runs", r.night(), "")
	r.commits("125", 1)
	said := r.night()
	r.has("the issue", said, "open: ", "`bench example.com/shop/text Parse` `sec/op` in environment ", " is 24.9 % worse than before: ", "perftrack explain ", " --bench Parse")
	r.equal("told again", r.night(), said)

	r.commits("100", 4)
	said = r.night()
	r.has("the issue", said, "closed: ", "`bench example.com/shop/text Parse` `sec/op` in environment ", " recovered: ")
	r.equal("told again", r.night(), said)
}

// commits makes n commits with a given cost on the default branch and measures all but the last,
// left to the nightly run.
func (r *rehearsal) commits(cost string, n int) {
	r.t.Helper()
	r.write(r.maintainer, "parse.txt", cost)
	for i := range n {
		r.commit(r.maintainer, fmt.Sprint("Cost ", cost, ", part ", i))
		if i < n-1 {
			r.perftrack(r.maintainer, "run", "--rounds", "4")
		}
	}
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.perftrack(r.maintainer, "sync")
}

// night simulates the nightly run of the history workflow and returns the text of the issues.
func (r *rehearsal) night() string {
	r.t.Helper()
	run := r.play("perftrack-history.yml", "schedule", r.git(r.bare, "rev-parse", "main"), map[string]any{"ref": "refs/heads/main"})
	r.equal("the history", run.conclusion, "success")
	var all strings.Builder
	for _, i := range r.hub.Issues {
		all.WriteString(i.State + ": " + i.Body + "\n")
		for _, c := range r.hub.CommentsOn(i.Number) {
			all.WriteString(c.Body + "\n")
		}
	}
	return all.String()
}
