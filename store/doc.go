// Package store keeps runs, their samples and their environments by git commit.
//
// Runs of package record come in by [DB.Put], which writes each once and in one
// transaction; [DB.Get], [DB.Runs], [DB.History] and their kin give them back, and leave out,
// by name, what is damaged. Acceptances and deletions are kept beside them.
//
// The SQL that all databases share is in this package, what differs between them
// in a [Backend] such as store/sqlite's. Begin with db.go; put.go writes, get.go,
// list.go and history.go read, sound.go and verify.go find damage, delete.go deletes.
package store
