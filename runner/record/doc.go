// Package record is the vocabulary of what was measured: a [Run] of a target at a
// commit in an environment, its rounds, samples, failures and settings, and the
// two records that people add, [Acceptance] and [Deletion].
//
// [Builder] and [Stream] make runs of records in the Go benchmark format, and [Writer]
// turns a run back into that format without loss. The text is canonical: its SHA-256 is
// the run's public id, here and on every other machine. A run never changes once it has
// an id.
//
// The package has no database and imports nothing of perftrack, so that the runner,
// the store, compare and the reports all say Run, Side and Setting in the same words.
// Begin with run.go; then keys.go, the one table of every configuration key that perftrack
// knows, settings.go (the environment's identity), write.go and builder.go (the text),
// validate.go and limits.go (what a run may be).
package record
