package family

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/runner/record"
)

// lost finds the benchmarks missing in the head of the comparison or in the newest complete run of
// the history.
func lost(v *view) (out []action) {
	known := map[string]bool{}
	add := func(on, evidence string) {
		if !known[on] {
			known[on], out = true, append(out, action{on: on, evidence: evidence})
		}
	}
	if v.Compared != nil {
		for _, m := range v.Compared.Missing {
			if m.Unit == "" {
				add(reports.BenchmarkName(m.Target, m.BenchmarkID), "it exists in the comparison's base but not in its head")
			}
		}
	}
	all := v.presences()
	gone, _ := steps.Gone(all)
	for _, i := range gone {
		last := all[i].Last()
		commit := ""
		for _, r := range v.Runs {
			if r.ID == last.Run {
				commit = r.Commit.SHA
			}
		}
		add(reports.BenchmarkName(all[i].Target, all[i].BenchmarkID), "last measured at "+reports.HashOrDash(commit)+", but missing from its target's newest run")
	}
	return out
}

// presences returns the runs of each benchmark of the branch. Commits are numbered by their time
// and, for equal times, in the order of their runs.
func (v *view) presences() (all []steps.Presence) {
	var measured []record.RunInfo
	at := map[series]int{}
	seen := map[series]map[string]bool{}
	for _, c := range v.histories {
		key := series{c.Target, c.BenchmarkID}
		if c.Branch != "" && c.Branch != v.Branch {
			continue
		}
		if _, ok := at[key]; !ok {
			at[key], seen[key] = len(all), map[string]bool{}
			all = append(all, steps.Presence{Benchmark: len(all), Target: c.Target, BenchmarkID: c.BenchmarkID})
		}
		for _, p := range c.UnitLine.Runs {
			if r := c.Run(p.Run); r != nil && !seen[key][p.Run] {
				seen[key][p.Run] = true
				all[at[key]].Runs = append(all[at[key]].Runs, steps.MeasuredAt(*r, 0))
				measured = append(measured, *r)
			}
		}
	}
	slices.SortFunc(measured, func(a, b record.RunInfo) int {
		return cmp.Or(cells.When(&a.Run).Compare(cells.When(&b.Run)), cmp.Compare(a.Seq, b.Seq))
	})
	order, place := map[string]int{}, map[string]int{}
	for _, r := range measured {
		commit := cmp.Or(r.Commit.SHA, r.ID)
		if _, ok := order[commit]; !ok {
			order[commit] = len(order)
		}
		place[r.ID] = order[commit]
	}
	for i := range all {
		for k := range all[i].Runs {
			all[i].Runs[k].Commit = place[all[i].Runs[k].Run]
		}
	}
	return all
}
