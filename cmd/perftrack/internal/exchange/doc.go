// Package exchange shares runs, acceptances and deletions with other people, either through a git
// remote, where parcels of them are immutable references, or as an export file. It also rebuilds a
// damaged database from its readable part and from git.
//
// Start with sync.go, the sequence of an exchange. fetch.go, receive.go, send.go and unsent.go
// implement the two directions, kind.go defines the kinds of files in parcels, compact.go and
// prune.go keep the remote small, and kept.go the references in the clone. export.go and rebuild.go
// need no remote.
package exchange
