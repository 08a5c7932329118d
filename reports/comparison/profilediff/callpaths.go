package profilediff

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A PathRow is a row of a call tree. It represents one scope or several folded scopes.
type PathRow struct {
	*compare.Row
	Name  string         // the last element of the path, indented
	Folds []*compare.Row // the folded scopes; Row is nil if there are any
}

// CallPaths arranges rows as a call tree, in which callees of the same scope keep their order. It
// keeps the rows for which keep returns true and all their callers, and folds the others.
func CallPaths(rows []*compare.Row, keep func(*compare.Row) bool) []PathRow {
	inside := map[*compare.Row][]*compare.Row{}
	kept := map[*compare.Row]bool{}
	for _, r := range rows {
		inside[r.Caller()] = append(inside[r.Caller()], r)
		for around := r; around != nil && keep(r) && !kept[around]; around = around.Caller() {
			kept[around] = true
		}
	}
	var out []PathRow
	var walk func(caller *compare.Row, indent string)
	walk = func(caller *compare.Row, indent string) {
		var folds []*compare.Row
		for _, r := range inside[caller] {
			if !kept[r] {
				folds = append(folds, r)
				continue
			}
			name := r.Name
			if caller != nil {
				name = strings.TrimPrefix(name, caller.Name+"/")
			}
			out = append(out, PathRow{Row: r, Name: indent + name})
			walk(r, indent+"· ")
		}
		if len(folds) > 0 {
			out = append(out, PathRow{Name: indent, Folds: folds})
		}
	}
	walk(nil, "")
	return out
}

// small returns the result of smallScopes for the table of times.
func (l pair) small() func(*compare.Row) bool { return SmallScopes(l.Table) }

// SmallScopes returns a function that reports whether a scope takes less than [reports.LeastShare]
// of the run on both sides. If t has no times or no call paths, the function always returns false.
func SmallScopes(t *compare.Table) func(*compare.Row) bool {
	var run [2]float64
	paths := false
	for _, r := range t.Rows {
		paths = paths || r.Caller() != nil
		if len(r.Within) == 0 {
			all := allCalls(r)
			run[0] += all[0]
			run[1] += all[1]
		}
	}
	if !paths || t.Kind != record.Scope || t.Unit != "sec/op" {
		return func(*compare.Row) bool { return false }
	}
	return func(r *compare.Row) bool {
		all := allCalls(r)
		return all[0] < reports.LeastShare*run[0] && all[1] < reports.LeastShare*run[1]
	}
}

// allCalls returns the total time of all calls of a scope on each side, or 0 for a side without
// samples.
func allCalls(r *compare.Row) (all [2]float64) {
	for side, s := range []compare.Summary{r.Base, r.Head} {
		if s.N > 0 {
			all[side] = s.Center * r.Calls[side]
		}
	}
	return all
}

// hierarchy returns the call tree with both sides next to each other. Small scopes with the same
// caller share one row.
func (l pair) hierarchy() reports.Table {
	methods := map[*compare.Row]*profiles.Method{}
	for _, m := range l.Methods {
		methods[m.Row] = m
	}
	small := l.small()
	if l.all {
		small = func(*compare.Row) bool { return false }
	}
	t := reports.Table{Heading: "Call hierarchy", Columns: l.methodColumns()}
	for _, p := range CallPaths(l.Table.Rows, func(r *compare.Row) bool { return !small(r) }) {
		if p.Row == nil {
			t.Rows = append(t.Rows, l.foldedCells(p, methods))
			continue
		}
		cells := l.methodCells(methods[p.Row])
		cells[0].Text = p.Name
		cells[len(cells)-1].Text = "" // its caller is shown above
		t.Rows = append(t.Rows, cells)
	}
	return t.WithoutEmpty(3)
}

// foldedCells returns the row that adds up the times of folded scopes.
func (l pair) foldedCells(p PathRow, methods map[*compare.Row]*profiles.Method) []reports.Cell {
	var sum tree.Pair
	for _, r := range p.Folds {
		if t := methods[r].Time; !math.IsNaN(t.Base) {
			sum.Base += t.Base
		}
		if t := methods[r].Time; !math.IsNaN(t.Head) {
			sum.Head += t.Head
		}
	}
	name := fmt.Sprintf("%s(%s below %.1f %%)", p.Name, reports.Plural(len(p.Folds), "scope"), 100*reports.LeastShare)
	return append([]reports.Cell{{Text: name}}, l.quantity(sum, l.plainDuration, true)...)
}
