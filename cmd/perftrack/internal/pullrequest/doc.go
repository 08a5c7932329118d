// Package pullrequest says on a pull request what was measured of it: the one comment,
// the status of its head, and the acceptance by a label.
//
// An event of GitHub Actions comes in. Begin with comment.go, the order of a job;
// measured.go finds the trial, judge.go the verdict, label.go what maintainers accepted.
package pullrequest
