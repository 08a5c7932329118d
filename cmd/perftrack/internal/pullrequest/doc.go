// Package pullrequest reports on a pull request what was measured of it.
//
// From an event of GitHub Actions and the trial that the measuring workflow left, it writes
// one comment on the pull request and the status of its head. Begin with comment.go, the
// command, and job.go, the order of a job. measured.go finds the trials, history.go what the
// base has, judge.go settles and publishes, verdict.go has the verdicts that GitHub keeps.
// group.go is for merge queues, asked.go for what somebody asked for, spared.go for what the
// base does not ask for. intended.go, label.go and accepted.go say which regressions
// maintainers accepted. direct.go is the shorter way of forges without such a job.
package pullrequest
