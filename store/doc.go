// Package store keeps runs, their samples and their environments by git commit.
//
// It stands in the middle of the flow engine -> runner -> store -> compare ->
// reports. What the runner measured, or what an import read, becomes a [Run] by
// way of [Builder]; a run is written once and never changes; [Writer] turns it back into
// the Go benchmark format without loss, and the SHA-256 of that text is the
// run's public id. compare and reports see only the types of this package.
//
// The types and the canonical format live here, the SQL shared by all
// databases in [DB], and what differs between databases in store/sqlite.
package store
