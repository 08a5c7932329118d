// Package notify reports, once for each change, that the default branch has become slower. It
// reports in an issue in the repository, which it keeps up to date, and to a webhook.
//
// Package history determines the regressions that are still in force, which means neither accepted
// nor recovered from. Each channel remembers its last report; [Tell] compares that report with the
// current state and sends only the differences. Start with notify.go. reported.go defines what a
// channel remembers and computes the differences, sentence.go puts them into words, and issue.go
// and webhook.go implement the channels.
package notify
