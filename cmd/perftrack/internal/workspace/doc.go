// Package workspace is where the user stands: the git repository, the configuration and
// its targets, the database, and the journals of measurements on their way.
//
// A [Session] is one invocation of perftrack; [Session.Locate] finds what surrounds it.
// Both are passed to the use cases, which embed neither. Begin with session.go and
// place.go; targets.go says what there is to measure, database.go and journal.go where
// what was measured is kept.
package workspace
