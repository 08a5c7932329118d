// Package exchangetest provides a team of clones that share runs through a remote, and contains the
// tests of package exchange with such a team.
//
// Start with team.go.
package exchangetest
