// Package backfill measures commits of the past, so that a history is full on its first day.
//
// [Run] takes a range of commits, chooses which of them are to be measured, and measures one
// after the other beside the build of one fixed commit, the anchor: see compare.ProcedureAnchor.
// Begin with backfill.go. line.go finds the commits and chooses among them, order.go says which
// comes first, so that an early end leaves the gaps even; known.go finds what is measured
// already, and commit.go measures one.
package backfill
