// Package exchange shares runs, acceptances and deletions with others: by a git remote,
// one immutable reference a parcel, or as an export. It also rebuilds a damaged database
// from what git still has.
//
// Begin with sync.go, which is the order of an exchange; receive.go and send.go are its
// two directions, compact.go and prune.go what keeps the remote small.
package exchange
