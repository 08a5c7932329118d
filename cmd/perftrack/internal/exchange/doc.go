// Package exchange shares runs, acceptances and deletions with others: by a git remote,
// one immutable reference a parcel, or as an export. It also rebuilds a damaged database
// from what git still has.
//
// A remote, or words that name runs, come in; records go into the database, to the remote or
// into a file. Begin with sync.go, the order of an exchange; receive.go, send.go and unsent.go
// are its two directions, kind.go says what parcels hold, compact.go and prune.go keep the
// remote small. export.go and rebuild.go need no remote.
package exchange
