// Package backfill measures past commits, to give a project a full history from the first day.
//
// [Run] takes a range of commits, chooses some of them, and measures one after the other together
// with a fixed commit, the anchor; see compare.ProcedureAnchor. Begin with backfill.go. line.go
// finds the commits and chooses among them, and order.go puts them in an order that keeps the gaps
// even no matter when the backfill ends. known.go finds earlier results, and commit.go measures one
// commit.
package backfill
