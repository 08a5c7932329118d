// Package store keeps runs, their samples and their environments by git commit.
//
// [DB.Put] writes a run of package record, once and in one transaction. [DB.Get],
// [DB.Runs], [DB.History] and the others read them. Get refuses a damaged run, the others
// leave it out, and [DB.Damaged] reports it by id. Acceptances and deletions are kept
// beside the runs.
//
// The SQL that all databases share is in this package, what differs between them
// in a [Backend] such as store/sqlite's. Begin with db.go; put.go writes, get.go,
// list.go and history.go read, sound.go, verified.go and verify.go find damage, delete.go deletes.
package store
