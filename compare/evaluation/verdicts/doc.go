// Package verdicts measures how often a pull request is judged wrongly.
//
// draw.go draws pull requests with a known change and with noise from families.go. rules.go has the
// rules of other tools. For perftrack, procedure.go replays the decisions of package stat, and
// product.go replays the verdicts of the commands. campaign.go counts verdicts, goals.go checks the
// goals, reruns.go examines continued trials, and tables.go and peers.go write the tables for the
// documentation. fleet.go draws machines that share the rounds of a trial, queue.go deals the rounds
// to them, and spread.go counts the verdicts and the time.
package verdicts
