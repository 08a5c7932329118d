package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// peers set the project beside what others publish. Only numbers of the same machine have a
// rank; those of other machines are listed apart.
func peers(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	switch {
	case !v.ReferenceFile:
		r.Summary, r.Tone = "There is no reference.toml: nobody is compared with", reports.Warn
		r.Remarks = append(r.Remarks, reports.Note{Text: "it stands beside perftrack.toml and lists name, value, unit, source and machine of each number: see perftrack help reports numbers-of-others"})
		return r
	case len(v.References) == 0:
		r.Summary, r.Tone = "reference.toml lists no reference", reports.Warn
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
			t.Words = append([]string{"A number of another machine has no rank: it shows what is possible there, not who is faster."}, t.Words...)
		}
		r.Tables = append(r.Tables, t)
	}
	r.Summary = fmt.Sprintf("%s, %d of them of the machine that measured here", reports.Plural(len(v.References), "reference"), ranked)
	if ranked == 0 {
		r.Summary, r.Tone = fmt.Sprintf("%s, none of the machine that measured here: nothing can be ranked", reports.Plural(len(v.References), "reference")), reports.Warn
	}
	if unmatched > 0 {
		l := reports.List{Title: "references without a benchmark of ours in that unit"}
		for _, group := range v.referenceGroups() {
			if _, _, ok := v.ours(group[0]); !ok {
				for _, p := range group {
					l.Items = append(l.Items, reports.Note{Text: amount(p.Value, p.Unit) + " of", Detail: p.Name + ": " + p.Bench})
				}
			}
		}
		r.Lists = append(r.Lists, l)
	}
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// referenceGroups are the references by what they compare with and their unit, in the order of the file.
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

// An own value of ours that references compare with.
type own struct {
	reading
	compare.Summary
}

// ours is our value of the benchmark and unit of a reference. Of a kernel that does not
// report its GFLOPS it is calculated, and so are tok/s of a model.
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

// calculated is the rate of a kernel or model that was not reported but follows from its time.
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

// better is the direction of a unit: that which the run declared, or else of rates up and of all
// else down.
func (o own) better(unit string) int {
	for _, u := range o.run.Units {
		if u.Name == unit && u.Better != 0 {
			return u.Better
		}
	}
	return cmp.Or(directionOf(unit), -1)
}

// rankTable ranks ours among those of the same machine, and lists the others below.
func (v *view) rankTable(ours own, unit string, same, other []Reference) reports.Table {
	t := reports.Table{
		Heading: "Peers", Facts: append(runFacts(ours.run, ours.Suite), reports.Fact{Key: "benchmark", Value: ours.Name}),
		Columns: []reports.Column{
			{Title: "rank", Right: true}, {Title: "name", Code: true}, {Title: "value", Right: true}, {Title: "against ours", Right: true}, barColumn("to scale"), {Title: "machine", Code: true}, {Title: "source", Code: true},
		},
	}
	us := Reference{Name: "this project", Value: ours.Center, Unit: unit, Machine: environment(ours.run.Env)}
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
			against = text(reports.Unscaled(p.Value/us.Value, 2) + "x")
			against.Value = p.Value / us.Value
		}
		shown := number(p.Value, unit)
		if p == us {
			shown = measured(ours.Summary, unit)
		}
		length := reports.Cell{} // of another machine none: it would be a rank
		if slices.Contains(all, p) {
			length = bar(p.Value / most)
		}
		t.Rows = append(t.Rows, []reports.Cell{text(rank), text(p.Name), shown, against, length, text(p.Machine), text(p.Source)})
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
