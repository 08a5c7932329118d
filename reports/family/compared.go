package family

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// comparison is the whole comparison of two sides: the verdict, the top ten each way, each method,
// models and kernels.
func comparison(v *view) reports.Report {
	if v.Compared == nil {
		r := reports.Report{Facts: v.facts(), Summary: "Nothing is compared: " + v.notCompared(), Tone: reports.Warn}
		if cmd := v.checkCommand(); cmd != "" {
			r.Remarks = []reports.Note{{Text: "the command that measures two commits side by side", Detail: cmd}}
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
	return "there are no two commits with runs of one target"
}

// checkCommand measures the newest commit beside another one; "" where there is none.
func (v *view) checkCommand() string {
	switch {
	case v.Depth < 2:
		return ""
	case v.Base != "":
		return command("perftrack", "check", "--base", v.Base)
	}
	return command("perftrack", "check", "--base", "HEAD~1")
}

// profileCommand shows where the time goes: of the engine by its scopes, of any other Go package by its
// functions.
func (v *view) profileCommand() string {
	for _, r := range v.readings {
		if naming.EngineSuite(r.Suite) {
			return command("perftrack", "profile")
		}
	}
	return command("perftrack", "profile", "--bench", ".")
}

// causes say where changes come from, as far as the profiles of both sides show it. A scope that
// changed explains those that contain it; that of benchmarks alone explains nothing.
func (v *view) causes() reports.Table {
	t := reports.Table{Heading: "Where changes come from", Columns: []reports.Column{
		{Title: "scope that changed", Code: true}, {Title: "change", Right: true}, {Title: "the same change shows in", Code: true}, {Title: "how certain"},
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
				change = relative(c.Change())
			}
			t.Rows = append(t.Rows, []reports.Cell{text(c.Name), change, text(strings.Join(with, ", ")), text(certainty(c.Row, d.Single))})
		}
	}
	switch {
	case !profiled && len(v.Kept) > 0:
		t.Columns, t.Words = nil, []string{"No scopes of both sides are stored; the functions are below."}
	case !profiled:
		t.Columns, t.Words = nil, []string{"No profile of both sides is stored, so no cause is named." + v.explainWords()}
	case len(t.Rows) == 0:
		t.Columns, t.Words = nil, []string{"The profiles of both sides show no scope that changed by the threshold or more."}
	default:
		t.Words = []string{"By the profiles of both sides, what became slower first. Of scopes that lie in each other the one that explains the change is named; why it changed, its source tells."}
		slices.SortStableFunc(t.Rows, func(a, b []reports.Cell) int { return -cmp.Compare(sign(a[1]), sign(b[1])) })
		if n := len(t.Rows) - shownCauses; n > 0 {
			t.Rows, t.Caption = t.Rows[:shownCauses], fmt.Sprintf("%d more", n)
		}
	}
	return t
}

// sign is that of a change.
func sign(c reports.Cell) int {
	switch x, _ := c.Value.(float64); {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// shownCauses is how many are listed.
const shownCauses = 10

func certainty(r *compare.Row, single bool) string {
	switch {
	case r.Rounds > 0 && r.Verdict != compare.NoVerdict:
		return "decided by a trial: " + string(r.Verdict)
	case single:
		return "one sample a side: not proven"
	}
	return "measured apart: not proven"
}

// explainWords say how the cause of the worst regression is found.
func (v *view) explainWords() string {
	for r := range v.Compared.Rows() {
		if r.Verdict == compare.Regressed && r.CorrelatedWith == nil && !r.Accepted() {
			if cmd := v.explainCommand(r); cmd != "" {
				return " To find that of the first regression: " + cmd
			}
		}
	}
	return ""
}

// explainCommand profiles both sides of a row; "" where a side has no commit.
func (v *view) explainCommand(r *compare.Row) string {
	base, head := sideCommit(v.Compared.Base), sideCommit(v.Compared.Head)
	if base == "" || head == "" || base == head {
		return ""
	}
	if r.Kind == record.Scope {
		if r.Suite == "" {
			return ""
		}
		return command("perftrack", "explain", base, head, "--suite", r.Suite)
	}
	return command("perftrack", "explain", base, head, "--bench", r.Name)
}

// sideCommit is the short hash of a side, "" where its runs are of several or of uncommitted changes.
func sideCommit(s compare.Side) string {
	sha := ""
	for _, r := range s.Runs {
		if r.Commit.SHA == "" || r.Commit.Dirty || sha != "" && sha != r.Commit.SHA {
			return ""
		}
		sha = r.Commit.SHA
	}
	if sha == "" {
		return ""
	}
	return record.ShortHash(sha)
}
