// Package store stores runs with their samples, environments and git commits.
//
// [DB.Put] writes a run of package record in one transaction. [DB.Get], [DB.Runs], [DB.History] and
// other methods read runs. Get returns an error for a damaged run; the other methods omit it, and
// [DB.Damaged] then lists it. Acceptances and deletions are stored in the same database.
//
// The SQL common to all databases is in this package. The differences between databases are in a
// [Backend], such as the one in store/sqlite. Start with db.go. Runs are written in put.go and read
// in get.go, list.go and history.go. results.go has the packed form of samples, digest.go the
// digests of rows, and benchmarks.go the summary of each benchmark. Damage is noted in damage.go;
// verify.go looks for it, and runs are deleted in delete.go. queue.go reads the queue that another
// program keeps in the same database.
package store
