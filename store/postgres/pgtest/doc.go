// Package pgtest starts PostgreSQL servers for tests: throw-away clusters on free ports of the
// loopback interface, from the programs of Debian's package postgresql.
//
// Only tests import this package, so it is not part of the flow engine -> runner -> store ->
// compare -> reports. Begin with pgtest.go. user_linux.go determines the user that the server runs
// as.
package pgtest
