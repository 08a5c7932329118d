// Package pgtest starts PostgreSQL servers for tests: throw-away clusters on free ports of the
// loopback interface, from the programs of Debian's package postgresql.
//
// Only tests import this package, so it is not part of the flow engine -> runner -> store ->
// compare -> reports. All the code is in pgtest.go, except who the server runs as, which is in
// user_linux.go.
package pgtest
