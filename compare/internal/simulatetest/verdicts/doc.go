// Package verdicts measures how often a pull request is judged wrongly.
//
// draw.go draws one whose change is known, with the noise of one of families.go; rules.go
// has the rules of other tools. Of perftrack, procedure.go replays the numbers, as
// package stat decides them, and product.go the verdicts, as the commands give them.
// campaign.go counts, goals.go has what must be reached, reruns.go what comes of trials
// that are continued, tables.go and peers.go the tables of the documentation.
package verdicts
