package family

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/family/histories"
	"github.com/perftrack/perftrack/runner/record"
)

// totals returns a table with the sums over all benchmarks and over each profile, and how these
// changed in the newest comparison.
func (v *view) totals() reports.Table {
	t := reports.Table{Heading: "In total", Columns: []reports.Column{
		{Title: "total"}, {Title: "now", Right: true}, {Title: "newest comparison", Right: true}, {Title: "of"},
	}}
	add := func(name string, now float64, unit string, change float64, of string) {
		if now-now == 0 {
			t.Rows = append(t.Rows, []reports.Cell{cells.Text(name), cells.Number(now, unit), cells.Relative(change), cells.Text(of)})
		}
	}
	for _, u := range []struct{ unit, name string }{
		{"sec/op", "time, one operation of each benchmark"}, {"B/op", "bytes allocated by these"}, {"allocs/op", "allocations by these"},
	} {
		if sum, n := v.benchTotal(u.unit); n > 0 {
			add(u.name, sum, u.unit, v.benchChange(u.unit), reports.Plural(n, "benchmark"))
		}
	}
	for _, run := range v.Current {
		for _, p := range v.trees[run] {
			time, name := p.Total, "time of profile "+p.Suite
			if !p.Placed {
				time, name = p.Sum, "time of all scopes in profile "+p.Suite
			}
			took, bytes := v.profileChange(p)
			add(strings.TrimSpace(name), time/1e9, "sec/op", took, reports.Plural(len(p.Methods()), "method"))
			add("bytes allocated by it", p.Bytes, "B/op", bytes, "")
		}
	}
	return t
}

// benchTotal returns the sum of the newest values of all benchmarks in a unit, and the number of
// these benchmarks.
func (v *view) benchTotal(unit string) (sum float64, n int) {
	for _, r := range v.readings {
		if x := r.center(unit); r.Kind == record.Bench && !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	return sum, n
}

// benchChange returns the relative change of benchTotal's sum in the newest comparison, or NaN if
// nothing was compared. Uncompared benchmarks count as unchanged.
func (v *view) benchChange(unit string) float64 {
	if v.Compared == nil {
		return math.NaN()
	}
	base, head, compared := 0.0, 0.0, map[series]bool{}
	for r := range v.Compared.Rows() {
		if r.Kind == record.Bench && r.Unit == unit && r.HasDelta() {
			base, head = base+r.Base.Center, head+r.Head.Center
			compared[series{r.Target, r.BenchmarkID}] = true
		}
	}
	for _, r := range v.readings {
		if x := r.center(unit); r.Kind == record.Bench && !math.IsNaN(x) && !compared[series{r.run.Target, r.BenchmarkID}] {
			base, head = base+x, head+x
		}
	}
	if len(compared) == 0 {
		return math.NaN()
	}
	return head/base - 1
}

// profileChange returns the relative changes of a profile's time and bytes in the newest
// comparison, or NaN if they are unknown.
func (v *view) profileChange(p *tree.Tree) (time, bytes float64) {
	for _, d := range v.diffs {
		if t := d.Table; t.Kind == record.Scope && t.Suite == p.Suite {
			of, allocated := d.Outer, d.OuterBytes
			if !p.Placed {
				of, allocated = d.Time, d.Bytes
			}
			return of.Ratio(), allocated.Ratio()
		}
	}
	return math.NaN(), math.NaN()
}

// shownGood is the maximum number of improvements to list.
const shownGood = 5

// good returns a table of good news: lasting improvements, steady benchmarks, and limits that are
// met.
func (v *view) good() reports.Table {
	t := reports.Table{Heading: "What is good"}
	var better []histories.History
	steady, known := map[series]bool{}, map[series]bool{}
	for _, c := range v.histories {
		s := series{c.Target, c.BenchmarkID}
		switch {
		case c.Stand.State == steps.Improved:
			better = append(better, c)
		case c.Stand.State == steps.Steady && !known[s]:
			steady[s] = true
		}
		if c.Stand.State != steps.Steady {
			known[s] = true
			delete(steady, s)
		}
	}
	size := func(c histories.History) float64 { return math.Abs(math.Log1p(c.Stand.Change)) }
	slices.SortStableFunc(better, func(x, y histories.History) int { return cmp.Compare(size(y), size(x)) })
	if len(better) > 0 {
		t.Columns = []reports.Column{{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "better by", Right: true}, {Title: "since", Code: true}, {Title: "now", Right: true}}
	}
	for i, c := range better {
		if i == shownGood {
			break
		}
		t.Rows = append(t.Rows, []reports.Cell{
			cells.Text(reports.BenchmarkName(c.Target, c.BenchmarkID)), cells.Text(c.Tidied), cells.Relative(c.Stand.Change), cells.Text(record.ShortHash(c.Stand.Since.Commit)), cells.Number(c.Newest(), c.Tidied),
		})
	}
	if more := len(better) - len(t.Rows); more > 0 {
		t.Caption = reports.Plural(more, "more line") + " improved."
	}
	if len(steady) > 0 {
		t.Words = append(t.Words, reports.Plural(len(steady), "benchmark")+" steady in every unit, with enough runs to tell.")
	}
	if met := v.limitsMet(); met > 0 {
		t.Words = append(t.Words, reports.Plural(met, "limit")+" met.")
	}
	if v.Compared != nil {
		if n := v.Compared.Count(compare.Improved) - v.Compared.Folded(compare.Improved); n > 0 {
			t.Words = append(t.Words, reports.Plural(n, "row")+" improved in the newest comparison.")
		}
	}
	if len(t.Rows)+len(t.Words) == 0 {
		t.Words = []string{"Nothing yet: nothing improved, no limit is met, and no benchmark has enough runs to be called steady."}
	}
	return t
}
