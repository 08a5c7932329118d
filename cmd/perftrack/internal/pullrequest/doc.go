// Package pullrequest reports the measurement of a pull request on the pull request itself.
//
// From an event of GitHub Actions and the trial of the measuring workflow, it writes a comment on
// the pull request and sets the status of its head. Start with comment.go, the command, and job.go,
// the steps of a job. The trials are found in measured.go and parts.go, and the benchmarks of the
// base in history.go. The verdict is made in judge.go, earlier verdicts are kept in verdict.go and
// kept.go, and publish.go writes the result to GitHub. Merge queues are handled in group.go,
// measurements on demand in asked.go, and pull requests without a measurement in spared.go. The
// accepted regressions are found in intended.go, label.go and accepted.go. Other forges are handled
// in direct.go.
package pullrequest
