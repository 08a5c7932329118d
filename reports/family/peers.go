package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/family/histories"
	"github.com/perftrack/perftrack/runner/record"
)

// peers compares the project with published numbers. Only numbers measured on the same machine as
// ours are ranked; the others are listed separately.
func peers(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	switch {
	case !v.ReferenceFile:
		r.Summary, r.Tone = "There is no reference.toml to compare with", reports.Warn
		r.Remarks = append(r.Remarks, reports.Note{Text: "put it beside perftrack.toml and list the name, value, unit, source and machine of each number: see perftrack help reports numbers-of-others"})
		return r
	case len(v.References) == 0:
		r.Summary, r.Tone = "reference.toml lists no references", reports.Warn
		return r
	}
	ranked, unmatched := 0, 0
	for i, group := range v.referenceGroups() {
		ours, unit, ok := v.ours(group[0])
		if !ok {
			unmatched += len(group)
			continue
		}
		same := slices.DeleteFunc(slices.Clone(group), func(p Reference) bool { return !sameMachine(p.Machine, ours.run) })
		other := slices.DeleteFunc(slices.Clone(group), func(p Reference) bool { return sameMachine(p.Machine, ours.run) })
		ranked += len(same)
		t := v.rankTable(ours, unit, same, other)
		if i == 0 {
			t.Words = append([]string{"A number from another machine has no rank: it shows the speed possible there."}, t.Words...)
		}
		r.Tables = append(r.Tables, t)
	}
	r.Summary = fmt.Sprintf("%s, %d of them from this machine", reports.Plural(len(v.References), "reference"), ranked)
	if ranked == 0 {
		r.Summary, r.Tone = fmt.Sprintf("%s, all from other machines, so none is ranked", reports.Plural(len(v.References), "reference")), reports.Warn
	}
	if unmatched > 0 {
		l := reports.List{Title: "references without a matching benchmark of ours"}
		for _, group := range v.referenceGroups() {
			if _, _, ok := v.ours(group[0]); !ok {
				for _, p := range group {
					l.Items = append(l.Items, reports.Note{Text: cells.Amount(p.Value, p.Unit) + " of", Detail: p.Name + ": " + p.Bench})
				}
			}
		}
		r.Lists = append(r.Lists, l)
	}
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// referenceGroups groups the references by benchmark and unit, in the order of the file.
func (v *view) referenceGroups() (groups [][]Reference) {
	for _, p := range v.References {
		i := slices.IndexFunc(groups, func(g []Reference) bool { return g[0].Bench == p.Bench && g[0].Unit == p.Unit })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// An own holds one of our values, for comparison with references.
type own struct {
	reading
	compare.Summary
}

// ours returns our value for the benchmark and unit of a reference, followed by its unit. It
// returns false if there is none. If a kernel's GFLOPS or a model's tok/s were not reported, they are
// calculated.
func (v *view) ours(p Reference) (own, string, bool) {
	for _, kind := range []record.Kind{record.Bench, record.Scope} {
		for _, r := range v.readings {
			if r.Kind != kind || r.Name != p.Bench {
				continue
			}
			for _, x := range r.values {
				if x.unit == p.Unit && x.N > 0 {
					return own{r, x.Summary}, p.Unit, true
				}
			}
			if x := v.calculated(r, p.Unit); !math.IsNaN(x) {
				return own{r, compare.Summary{Center: x, N: 1}}, p.Unit, true
			}
		}
	}
	return own{}, "", false
}

// calculated returns the GFLOPS of a kernel or the tok/s of a model, calculated from its time. It
// returns NaN for anything else.
func (v *view) calculated(r reading, unit string) float64 {
	for _, f := range v.figures[r.run] {
		if f.Kind != r.Kind || f.Suite != r.Suite || f.Package != r.Package {
			continue
		}
		for _, k := range f.Kernels {
			if unit == "GFLOPS" && k.Name == r.Name {
				return k.GFLOPS
			}
		}
		for _, m := range f.Models {
			if unit == "tok/s" && "Model_"+m.Name+"_Inference" == r.Name {
				return m.Tokens
			}
		}
	}
	return math.NaN()
}

// better returns +1 if higher values are better in a unit, and -1 if lower values are. If the run
// does not declare the direction, better returns +1 for rates and -1 for all other units.
func (o own) better(unit string) int {
	for _, u := range o.run.Units {
		if u.Name == unit && u.Better != 0 {
			return u.Better
		}
	}
	return cmp.Or(histories.DirectionOf(unit), -1)
}

// rankTable ranks our value among the numbers from the same machine, and lists those from other
// machines below.
func (v *view) rankTable(ours own, unit string, same, other []Reference) reports.Table {
	t := reports.Table{
		Heading: "Peers", Facts: append(cells.RunFacts(ours.run, ours.Suite), reports.Fact{Key: "benchmark", Value: ours.Name}),
		Columns: []reports.Column{
			{Title: "rank", Right: true}, {Title: "name", Code: true}, {Title: "value", Right: true}, {Title: "against ours", Right: true}, cells.BarColumn("to scale"), {Title: "machine", Code: true}, {Title: "source", Code: true},
		},
	}
	us := Reference{Name: "this project", Value: ours.Center, Unit: unit, Machine: cells.Environment(ours.run.Env)}
	most := us.Value
	for _, p := range same {
		most = max(most, p.Value)
	}
	all := append([]Reference{us}, same...)
	better := ours.better(unit)
	slices.SortStableFunc(all, func(a, b Reference) int { return -better * cmp.Compare(a.Value, b.Value) })
	line := func(rank string, p Reference) {
		against := reports.Cell{}
		if p != us {
			against = cells.Text(reports.Unscaled(p.Value/us.Value, 2) + "x")
			against.Value = p.Value / us.Value
		}
		shown := cells.Number(p.Value, unit)
		if p == us {
			shown = cells.Measured(ours.Summary, unit)
		}
		length := reports.Cell{} // a bar for a number from another machine would suggest a rank
		if slices.Contains(all, p) {
			length = cells.Bar(p.Value / most)
		}
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(rank), cells.Text(p.Name), shown, against, length, cells.Text(p.Machine), cells.Text(p.Source)})
	}
	for i, p := range all {
		rank := fmt.Sprint(i + 1)
		if len(same) == 0 {
			rank = "-"
		}
		line(rank, p)
	}
	for _, p := range other {
		line("another machine", p)
	}
	return t
}
