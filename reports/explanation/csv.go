package explanation

import (
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// cumulativeRecords returns the cells for the cost of a function including its calls. The cells are
// empty if c is nil.
func cumulativeRecords(c *tree.Cumulative) []any {
	if c == nil {
		return make([]any, 6)
	}
	d := c.Difference
	return []any{c.Base, c.Head, d.Center, d.Lo, d.Hi, c.Certain()}
}

// records returns the column names followed by one line for each function or scope and each kind of
// cost.
func records(explained []*Explanation) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name base_commit head_commit unit part base head
		base_samples head_samples difference difference_lo difference_hi certain share
		cumulative_base cumulative_head cumulative_difference cumulative_lo cumulative_hi cumulative_certain changed`)}
	for _, e := range explained {
		for _, c := range e.Parts {
			id := e.BenchmarkID
			if c.Suite != "" {
				id.Suite = c.Suite
			}
			for _, p := range c.Parts {
				s := p.Difference
				line := append(reports.BenchmarkValues(e.Target, id), e.Base.SHA, e.Head.SHA, c.Unit, p.Function,
					p.Base, p.Head, p.Samples[0], p.Samples[1], s.Center, s.Lo, s.Hi, p.Certain(), c.Share(p))
				out = append(out, append(append(line, cumulativeRecords(p.Cumulative)...), p.Changed))
			}
		}
	}
	return out
}
