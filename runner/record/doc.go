// Package record defines the data types for measurements: a [Run] of a target at a commit in an
// environment, with its rounds, samples, failures and settings, and the two kinds of records added
// by users, [Acceptance] and [Deletion].
//
// [Writer] writes a run in the Go benchmark format without loss, and package decode reads runs from
// that format. The text is canonical: its SHA-256 is the run's public id, which is the same on
// every machine. A run never changes once it has an id.
//
// The package does not use a database and imports no package of perftrack outside its folder, so
// the runner, the store, compare and the reports can all share these types. Start with run.go. Then
// read keys.go (the table of all configuration keys), settings.go (the identity of an environment),
// write.go and header.go (the text), and validate.go and limits.go (the limits on a run).
package record
