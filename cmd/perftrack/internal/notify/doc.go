// Package notify reports each slowdown of the default branch once: in an issue in the repository,
// which it keeps up to date, and to a webhook.
//
// Package history determines the unresolved regressions, neither accepted nor recovered from.
// Each channel remembers its last report; [Tell] compares it with the current state and sends only
// the differences. Start with notify.go. reported.go defines a channel's memory and computes the
// differences, alarms.go and queue.go those of alarms. sentence.go puts them into words, and
// issue.go and webhook.go implement the channels.
package notify
