package profile

import (
	"fmt"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
)

// training returns a table that shows how many examples each scope processes per second. It returns
// nil unless the program printed how many examples a call of some scope processes.
func (p suite) training(methods []*tree.Method) []reports.Table {
	examples := naming.ExamplesOf(p.run)
	t := reports.Table{Heading: "Training", Facts: p.facts(), Columns: []reports.Column{
		{Title: "scope", Code: true}, {Title: "samples/s", Right: true}, {Title: "samples per call", Right: true}, {Title: "avg", Right: true},
	}}
	for _, m := range methods {
		if n := examples[m.Name]; n > 0 && m.Calls > 0 && m.Total > 0 {
			each := m.Total / float64(m.Calls)
			t.Rows = append(t.Rows, []reports.Cell{
				{Text: m.Name}, {Text: reports.WithCommas(fmt.Sprintf("%.1f", n/each*1e9))}, {Text: reports.WithCommas(fmt.Sprintf("%.0f", n))}, {Text: nanos(each)},
			})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []reports.Table{t}
}
