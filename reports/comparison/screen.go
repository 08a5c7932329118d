package comparison

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// A screen lays out the rows of a comparison on a terminal.
type screen struct {
	c     *compare.Comparison
	v     View
	notes *reports.Footnotes
	diffs []*profiles.Diff
	fold  bool

	counted int // number of rows counted instead of shown
}

// tables returns the tables for a terminal. The rows of a trial in one environment share a table
// for all packages and units, so that regressions are at the top. Call trees and unpaired runs have
// their own tables. alone holds the tables in which no row has samples on both sides.
func (s *screen) tables() (out, alone []reports.Table) {
	var groups [][]compare.Table
	for _, t := range s.v.tables(s.c) {
		if ofCall(&t) || slices.ContainsFunc(s.diffs, func(p *profiles.Diff) bool { return shownWhole(p, &t) }) {
			continue
		}
		n := len(groups)
		if n > 0 && s.merges(&t) && slices.EqualFunc(s.commonFacts(&groups[n-1][0]), s.commonFacts(&t), equalFacts) && s.merges(&groups[n-1][0]) {
			groups[n-1] = append(groups[n-1], t)
			continue
		}
		groups = append(groups, []compare.Table{t})
	}
	for _, group := range groups {
		switch t := &group[0]; {
		case s.merges(t):
			out = append(out, s.merged(group))
		case lonely(t) > 0 && t.Kind == record.Scope:
			alone = append(alone, scopeTable(s.c, t, s.v.All, s.notes))
		case lonely(t) > 0:
			alone = append(alone, s.unpaired(t))
		case t.Kind == record.Scope:
			out = append(out, scopeTable(s.c, t, s.v.All, s.notes))
		default:
			out = append(out, s.unpaired(t))
		}
	}
	return out, alone
}

func equalFacts(a, b reports.Fact) bool { return a == b }

// merges reports whether the rows of a table share a table with other packages and units. They do
// if their verdicts are based on pairs.
func (s *screen) merges(t *compare.Table) bool { return t.Trial && t.Kind != record.Scope }

// commonFacts returns the facts above a table without its package and suite.
func (s *screen) commonFacts(t *compare.Table) []reports.Fact {
	return slices.DeleteFunc(rowcells.TableFacts(t), func(f reports.Fact) bool { return f.Key == record.KeyPackage || f.Key == record.KeySuite })
}

// A tableRow is a row together with its table.
type tableRow struct {
	*compare.Row
	t *compare.Table
}

// merged returns one table for all rows of a trial in one environment.
func (s *screen) merged(group []compare.Table) reports.Table {
	var shown, folded []tableRow
	for i := range group {
		for _, r := range group[i].Rows {
			switch one := (tableRow{r, &group[i]}); {
			case s.folded(r):
				folded = append(folded, one)
				if !sameCount(r) && !r.Derived { // a derived row is counted together with its time
					s.counted++
				}
			case s.fold && (r.Base.N == 0 || r.Head.N == 0): // listed below the table
			default:
				shown = append(shown, one)
			}
		}
	}
	slices.SortStableFunc(shown, func(a, b tableRow) int { return s.v.first(a.Row, b.Row) })
	shown, more := s.capped(shown)
	packages, units := packagesOf(group), unitsOf(shown)
	out := reports.Table{Facts: s.commonFacts(&group[0]), Columns: []reports.Column{
		{Title: "verdict", Wraps: true}, {Title: "change", Right: true, Brief: "intervals of change"}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true},
		{Title: "median, base → head", Right: true, Extra: true},
		{Title: "rounds", Right: true, Extra: true}, {Title: "noise", Right: true, Extra: true}, {Title: "adj. p", Right: true, Extra: true},
	}}
	if len(packages.list) == 1 {
		out.Facts = rowcells.TableFacts(&group[0])
	}
	for _, r := range shown {
		out.Rows = append(out.Rows, s.cells(r, packages))
	}
	if len(units) == 1 {
		out.Columns[4].Title = units[0] + ", base → head"
		out.Columns[4].Unit = true
		out = out.Without(3)
	}
	out = out.WithoutEmpty(1)
	if len(out.Rows) == 0 {
		out.Columns = nil
	}
	out.Below = append(append(more, s.foldedLines(folded)...), s.geomeans(group)...)
	return out
}

// unitsOf lists the units of rows without duplicates.
func unitsOf(rows []tableRow) (units []string) {
	for _, r := range rows {
		if !slices.Contains(units, r.Unit) {
			units = append(units, r.Unit)
		}
	}
	return units
}

// cells returns the cells of a row, with the verdict first.
func (s *screen) cells(r tableRow, p packages) []reports.Cell {
	change := rowcells.Change(r.Row)
	change.Notes = append(reports.FootnotesOf(r.Row.Notes, s.notes), rowcells.CorrelatedWith(r.Row, s.notes)...)
	base, head := rowcells.Medians(r.Row)
	median := reports.Cell{Text: base, Range: "→ " + head}
	rounds, noise := reports.Cell{}, reports.Cell{}
	if r.Rounds > 0 {
		rounds = reports.Cell{Text: fmt.Sprint(r.Rounds), Notes: rowcells.MethodNotes(r.Row, s.notes)}
		if r.Need > r.Rounds && (r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked) {
			rounds.Range = "of " + someRounds(r.Need)
		}
		if r.PairNoise > 0 && !r.Exact {
			noise.Text = reports.Portion(r.PairNoise)
		}
	}
	return []reports.Cell{rowcells.VerdictWord(r.Row), change, {Text: p.name(r)}, {Text: r.Unit}, median, rounds, noise, {Text: rowcells.AdjustedP(r.Row)}}
}

// unpaired returns the table that benchstat shows for unpaired runs. If there are many rows, it
// folds the rows for which benchstat shows no delta.
func (s *screen) unpaired(t *compare.Table) reports.Table {
	if equal, ok := allEqual(t); ok && !s.v.All && !s.v.Narrow() {
		return reports.Table{Facts: rowcells.TableFacts(t), Caption: t.Unit + ": " + equal}
	}
	shown := *t
	still := func(r *compare.Row) bool {
		return s.fold && t.Comparable && r.Verdict == compare.NoVerdict && len(r.Limits) == 0 &&
			(r.P > s.c.Options.CompareAlpha || r.Summarized() && r.HasDelta() && !r.Differs())
	}
	shown.Rows = slices.DeleteFunc(slices.Clone(t.Rows), still)
	folded := len(t.Rows) - len(shown.Rows)
	if s.v.Sort == "" && s.fold {
		slices.SortStableFunc(shown.Rows, s.v.order)
	}
	out := rowTable(s.c, &shown, s.notes)
	s.counted += folded
	if folded > 0 {
		out.Below = []string{fmt.Sprintf("%s: %d without a change that benchstat would show (~)", t.Unit, folded)}
	}
	if len(shown.Rows) == 0 {
		out.Columns, out.Rows, out.Footer = nil, nil, nil
	}
	return out
}
