package family

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// comparison returns the complete comparison of two sides: the verdict, the top ten changes in both
// directions, all methods, models and kernels.
func comparison(v *view) reports.Report {
	if v.Compared == nil {
		r := reports.Report{Facts: v.facts(), Summary: "Nothing is compared: " + v.notCompared(), Tone: reports.Warn}
		if cmd := v.checkCommand(); cmd != "" {
			r.Remarks = []reports.Note{{Text: "to measure two commits side by side", Detail: cmd}}
		}
		return r
	}
	r := comparisonreport.Report(v.Compared)
	tables := []reports.Table{v.causes()}
	if len(v.Kept) > 0 {
		tables = append(tables, v.keptTable())
	}
	r.Tables = append(tables, r.Tables...)
	return r
}

func (v *view) notCompared() string {
	if v.NotCompared != "" {
		return v.NotCompared
	}
	return "no target has runs at two commits"
}

// checkCommand returns the command to measure the newest commit side by side with an older one, or
// "" if there is no older commit.
func (v *view) checkCommand() string {
	switch {
	case v.Depth < 2:
		return ""
	case v.Base != "":
		return shell.Command("perftrack check --base %s", v.Base)
	}
	return "perftrack check --base HEAD~1"
}

// profileCommand returns the command to profile a target: by scopes for the engine, and by
// functions for any other Go package. It returns "" if there is only what cannot be profiled.
func (v *view) profileCommand() (command string) {
	for _, r := range v.readings {
		if naming.EngineSuite(r.Suite) {
			return "perftrack profile"
		}
		if !slices.Contains(v.Opaque, r.run.Target) {
			command = "perftrack profile --bench ."
		}
	}
	return command
}

// profileWords returns a sentence with the command to profile a target and what it does, or "" if
// there is no such command.
func (v *view) profileWords(does string) string {
	if cmd := v.profileCommand(); cmd != "" {
		return " Run " + cmd + " " + does
	}
	return ""
}

// causes lists the causes of changes that profiles of both sides show. A changed scope explains the
// changes of the scopes around it. Changes of benchmarks without a profile have no cause.
func (v *view) causes() reports.Table {
	t := reports.Table{Heading: "Where changes come from", Columns: []reports.Column{
		{Title: "changed scope", Code: true}, {Title: "change", Right: true}, {Title: "the same change shows in", Code: true}, {Title: "how certain"},
	}}
	profiled := false
	for _, d := range v.diffs {
		if d.Table.Kind != record.Scope {
			continue
		}
		profiled = true
		for _, c := range d.Changes {
			var with []string
			for _, m := range c.With {
				with = append(with, m.Name)
			}
			change := rowChange(c.Row)
			if c.Row.Rounds == 0 {
				change = cells.Relative(c.Change())
			}
			t.Rows = append(t.Rows, []reports.Cell{cells.Text(c.Name), change, cells.Text(strings.Join(with, ", ")), cells.Text(certainty(c.Row, d.Single))})
		}
	}
	switch {
	case !profiled && len(v.Kept) > 0:
		t.Columns, t.Words = nil, []string{"No scopes are stored for both sides; the functions are below."}
	case !profiled:
		t.Columns, t.Words = nil, []string{"No profiles are stored for both sides, so no cause is known." + v.explainWords()}
	case len(t.Rows) == 0:
		t.Columns, t.Words = nil, []string{"In the profiles of both sides, no scope changed by the threshold or more."}
	default:
		t.Words = []string{"From the profiles of both sides, slowdowns first. Among nested scopes, only the one that explains the change is named; look for the reason in its source."}
		slices.SortStableFunc(t.Rows, func(a, b []reports.Cell) int { return -cmp.Compare(sign(a[1]), sign(b[1])) })
		if n := len(t.Rows) - shownCauses; n > 0 {
			t.Rows, t.Caption = t.Rows[:shownCauses], fmt.Sprintf("%d more", n)
		}
	}
	return t
}

// sign returns the sign of the change in a cell: -1, 0 or +1.
func sign(c reports.Cell) int {
	switch x, _ := c.Value.(float64); {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// shownCauses is the maximum number of causes to list.
const shownCauses = 10

func certainty(r *compare.Row, single bool) string {
	switch {
	case r.Rounds > 0 && r.Verdict != compare.NoVerdict:
		return "decided by a trial: " + string(r.Verdict)
	case single:
		return "not proven: one sample per side"
	}
	return "not proven: unpaired"
}

// explainWords returns a sentence with the command to find the cause of the first regression. It
// returns "" if there is no such command.
func (v *view) explainWords() string {
	for r := range v.Compared.Rows() {
		if r.Verdict == compare.Regressed && r.CorrelatedWith == nil && !r.Accepted() {
			if cmd := v.explainCommand(r); cmd != "" {
				return " To find the cause of the first regression: " + cmd
			}
		}
	}
	return ""
}

// explainCommand returns the command to profile the benchmark of a row on both sides, or "" if the
// sides are not two different commits.
func (v *view) explainCommand(r *compare.Row) string {
	base, head := v.Compared.Base.Revision(), v.Compared.Head.Revision()
	if base == "" || head == "" || base == head {
		return ""
	}
	if r.Kind == record.Scope {
		if r.Suite == "" {
			return ""
		}
		return shell.Command("perftrack explain %s %s --suite %s", base, head, r.Suite)
	}
	return v.explainFunctions(r.Target, base, head, r.Name)
}

// explainFunctions returns the command to compare the functions of a benchmark between two commits,
// or "" if they cannot be profiled.
func (v *view) explainFunctions(target, base, head, bench string) string {
	if slices.Contains(v.Opaque, target) {
		return ""
	}
	return shell.Command("perftrack explain %s %s --bench %s", base, head, bench)
}
