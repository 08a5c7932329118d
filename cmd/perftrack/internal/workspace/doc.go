// Package workspace describes the surroundings of a perftrack command: the git repository, the
// configuration and its targets, the database, and the journals of unfinished measurements.
//
// A [Session] is one invocation of perftrack, and [Session.Locate] returns its [Place]. Start with
// session.go and place.go. targets.go finds the targets to measure, and database.go and journal.go
// store the results.
package workspace
