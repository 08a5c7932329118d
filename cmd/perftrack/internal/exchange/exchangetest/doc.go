// Package exchangetest has a team of clones that share runs by a remote, and the tests
// of package exchange that need one.
//
// Begin with team.go.
package exchangetest
