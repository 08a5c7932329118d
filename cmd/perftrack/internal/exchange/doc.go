// Package exchange shares runs, acceptances and deletions with others: through a git remote
// (each parcel is one immutable reference) or as an export file. It also rebuilds a damaged
// database from what git still has.
//
// Begin with sync.go, the order of an exchange; receive.go, send.go and unsent.go are its two
// directions, kind.go says what parcels hold, compact.go and prune.go keep the remote small.
// export.go and rebuild.go need no remote.
package exchange
