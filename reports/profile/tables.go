package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// hotPaths returns a table ranking the methods by self time, or by total time if self times are
// unknown.
func (p suite) hotPaths(methods []*tree.Method) reports.Table {
	heading := "Hot paths, by self time"
	if !p.tree.Placed {
		heading, methods = "Hot paths, by total time", slices.Clone(methods)
		slices.SortStableFunc(methods, func(a, b *tree.Method) int { return cmp.Compare(b.Total, a.Total) })
	}
	t := reports.Table{Heading: heading, Words: p.bases(), Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "total", Right: true}, {Title: "% of run", Right: true, Extra: true, Rank: 1},
		{Title: "self", Right: true}, {Title: "self, % of " + p.selfBase(), Right: true}, {Title: "waiting", Right: true, Extra: true}, {Title: "calls", Right: true, Extra: true},
		{Title: "avg", Right: true, Extra: true}, {Title: "min", Right: true, Extra: true, Rank: 2}, {Title: "max", Right: true, Extra: true, Rank: 2},
	}}
	rest, ranked := 0.0, 0
	add := func(rank string, m *tree.Method) {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: rank}, {Text: m.Name}, {Text: millis(m.Total)}, {Text: reports.Share(m.Total, p.tree.Total)},
			{Text: millis(m.Self)}, {Text: p.selfShare(m.Self)}, waitingCell(&m.Call), {Text: reports.WithCommas(fmt.Sprint(m.Calls))},
			{Text: nanos(m.Total / float64(m.Calls))}, {Text: nanos(m.Min)}, {Text: nanos(m.Max)},
		})
	}
	waited := func(m *tree.Method) bool { return m.Self == 0 && m.Waiting > 0 }
	for _, m := range methods {
		switch {
		case waited(m):
			continue
		case ranked < p.view.rows(shownHotPaths):
			add(fmt.Sprint(ranked+1), m)
		default:
			rest += m.Self
		}
		ranked++
	}
	switch {
	case ranked <= p.view.rows(shownHotPaths):
	case math.IsNaN(rest):
		t.Caption = fmt.Sprintf("%d of %d methods", p.view.rows(shownHotPaths), ranked)
	default:
		t.Caption = fmt.Sprintf("%d of %d methods; the others have %s of the self time", p.view.rows(shownHotPaths), ranked, reports.Share(rest, p.tree.Busy))
	}
	for _, m := range methods {
		if waited(m) {
			add("-", m)
		}
	}
	if !p.tree.Placed {
		t = t.Without(5).Without(4).Without(3)
		return t.WithoutEmpty(3)
	}
	return t.WithoutEmpty(6)
}

func waitingCell(c *tree.Call) reports.Cell {
	if c.Waiting == 0 {
		return reports.Cell{}
	}
	return reports.Cell{Text: millis(c.Waiting)}
}

// allocators returns a table ranking the methods by the bytes they allocate themselves or, if
// unknown, by all bytes allocated in their calls.
func (p suite) allocators(methods []*tree.Method) reports.Table {
	t := reports.Table{Heading: "Top allocators, by own bytes", Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "own", Right: true}, {Title: "own, % of run", Right: true},
		{Title: "calls", Right: true, Extra: true, Rank: 1}, {Title: "own B/call", Right: true, Extra: true}, {Title: "own objects/call", Right: true, Extra: true}, {Title: "with scopes inside", Right: true, Extra: true},
	}}
	allocating := slices.DeleteFunc(slices.Clone(methods), func(m *tree.Method) bool { return m.SelfBytes == 0 || !(m.Bytes > 0) })
	if !p.tree.Placed {
		t.Heading = "Top allocators, with scopes inside"
	}
	slices.SortStableFunc(allocating, func(a, b *tree.Method) int {
		return cmp.Or(cmp.Compare(b.SelfBytes, a.SelfBytes), cmp.Compare(b.Bytes, a.Bytes))
	})
	shown := min(len(allocating), p.view.rows(shownAllocators))
	if shown < len(allocating) {
		t.Caption = fmt.Sprintf("%d of %d allocating methods", shown, len(allocating))
	}
	for i, m := range allocating[:shown] {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1)}, {Text: m.Name}, {Text: sizeText(m.SelfBytes)}, {Text: reports.Share(m.SelfBytes, p.tree.Bytes)}, {Text: reports.WithCommas(fmt.Sprint(m.Calls))},
			{Text: sizeText(m.SelfBytes / float64(m.Calls))}, {Text: objectsText(m)}, {Text: sizeText(m.Bytes)},
		})
	}
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"nothing was allocated"}
		return t
	}
	if !p.tree.Placed {
		t = t.Without(5).Without(3).Without(2)
	}
	return t.WithoutEmpty(len(t.Columns) - 2)
}

// objectsText formats the number of objects a method itself allocates per call, or returns "" if it
// is unknown.
func objectsText(m *tree.Method) string {
	if math.IsNaN(m.OwnObjects) {
		return ""
	}
	return fmt.Sprintf("%.1f", m.OwnObjects/float64(m.Calls))
}

// mostCalled returns a table ranking the methods by their number of calls.
func (p suite) mostCalled(methods []*tree.Method) reports.Table {
	t := reports.Table{Heading: "Most called", Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "calls", Right: true},
		{Title: "total", Right: true}, {Title: "avg", Right: true},
	}}
	called := slices.Clone(methods)
	slices.SortStableFunc(called, func(a, b *tree.Method) int { return cmp.Compare(b.Calls, a.Calls) })
	shown := min(len(called), p.view.rows(shownCalled))
	if shown < len(called) {
		t.Caption = fmt.Sprintf("%d of %d methods", shown, len(called))
	}
	for i, m := range called[:shown] {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1)}, {Text: m.Name}, {Text: reports.WithCommas(fmt.Sprint(m.Calls))}, {Text: millis(m.Total)}, {Text: nanos(m.Total / float64(m.Calls))},
		})
	}
	return t
}

// hierarchy returns the call tree. Small scopes with the same caller share one row, so that the
// rows still add up.
func (p suite) hierarchy() reports.Table {
	t := reports.Table{Heading: "Call hierarchy", Columns: []reports.Column{
		{Title: "scope", Code: true}, {Title: "total", Right: true}, {Title: "% of run", Right: true, Extra: true, Rank: 1},
		{Title: "self", Right: true}, {Title: "self, % of " + p.selfBase(), Right: true}, {Title: "waiting", Right: true, Extra: true},
		{Title: "calls", Right: true, Extra: true}, {Title: "avg", Right: true, Extra: true},
	}}
	var walk func(calls []*tree.Call, indent string)
	walk = func(calls []*tree.Call, indent string) {
		folded, n := tree.Call{}, 0
		for _, c := range calls {
			if c.Total < reports.LeastShare*p.tree.Total && !p.view.All {
				folded.Calls += c.Calls
				if n++; len(c.Within) == 0 { // otherwise its time is included in the scopes around it
					folded.Total += c.Total
					folded.Self += c.Total // including the scopes inside
				}
				if math.IsNaN(c.Self) {
					folded.Self = c.Self // some scopes inside also run in other scopes
				}
				continue
			}
			name := indent + c.Name
			if len(c.Within) > 0 {
				name += fmt.Sprintf(" (in %d scopes)", len(c.Within))
			}
			t.Rows = append(t.Rows, p.hierarchyRow(name, c))
			walk(c.Children, indent+"· ")
		}
		if n > 0 {
			t.Rows = append(t.Rows, p.hierarchyRow(fmt.Sprintf("%s(%s below %.1f %%)", indent, reports.Plural(n, "scope"), 100*reports.LeastShare), &folded))
		}
	}
	walk(p.tree.Scopes, "")
	return t.WithoutEmpty(5)
}

func (p suite) hierarchyRow(name string, c *tree.Call) []reports.Cell {
	return []reports.Cell{
		{Text: name}, {Text: millis(c.Total)}, {Text: reports.Share(c.Total, p.tree.Total)}, {Text: millis(c.Self)}, {Text: p.selfShare(c.Self)},
		waitingCell(c), {Text: reports.WithCommas(fmt.Sprint(c.Calls))}, {Text: nanos(c.Total / float64(c.Calls))},
	}
}
