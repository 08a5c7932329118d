// Package notify tells once that the default branch slowed: in one rolling issue of the
// repository, and to a webhook.
//
// What is in force comes from package history; what of it was told before, each channel
// keeps itself. [Tell] compares both and speaks only where they differ. Begin with
// notify.go. told.go is what a channel remembers, and what is new beside it; sentence.go
// puts that into words; issue.go and webhook.go are the channels.
package notify
