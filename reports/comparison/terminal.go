package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// foldAbove is how many rows fit a screen beside what stands above and below them: from then
// on those that did not change are counted, not shown.
const foldAbove = 12

// terminal reports two sides for a person at a terminal: the verdict first and last, what
// regressed on top, what did not change folded into a line for each unit, and what to type
// next. All else that can be said is in the report that it stands for.
func (v View) terminal(c *compare.Comparison) reports.Report {
	r := v.Report(c)
	r.Terminal = nil
	r.Summary, r.Tone = v.gated(census(c))
	r.Verdict = len(c.Tables) > 0 || v.Gate != nil
	r.Facts = v.sides(c)
	if f, ok := decisionFact(c); ok {
		r.Facts = append(r.Facts, f)
	}
	notes := &reports.Footnotes{}
	diffs := profiles.Of(c)
	g := glance{c: c, v: v, notes: notes, diffs: diffs, fold: v.folds(c)}
	tables, alone := g.tables()
	r.Tables = tables
	if !v.Narrow() {
		for _, p := range diffs {
			r.Tables = append(r.Tables, profileTables(c, p, v.All, notes)...)
		}
		if limits, ok := limitTable(c, notes); ok {
			if n := len(r.Tables); n > 0 {
				limits.Facts = r.Tables[n-1].Facts // no others, though a row has its own
			}
			r.Tables = append(r.Tables, limits)
		}
	}
	r.Tables = append(r.Tables, alone...)
	for i := range r.Tables {
		r.Tables[i].Facts = inShort(r.Tables[i].Facts)
	}
	if len(c.Tables) == 0 && len(c.Same) == 1 && len(c.Unreached) == 0 { // the summary has said it
		r.Lists = slices.DeleteFunc(r.Lists, func(l reports.List) bool { return l.Title == sameCodeTitle })
	}
	r.Notes = notes.Notes
	r.Remarks = g.remarks(r.Remarks)
	r.Next = v.next(c)
	return r
}

// folds reports whether rows that did not change are only counted.
func (v View) folds(c *compare.Comparison) bool {
	rows := 0
	for r := range c.Rows() {
		if v.keeps(r) && !sameCount(r) {
			rows++
		}
	}
	return !v.All && v.Sort == "" && rows > foldAbove
}

// sameCount reports whether a row is of allocations that are the same: nobody needs to see it.
func sameCount(r *compare.Row) bool {
	return alike(r) && allocates(r.Unit)
}

func allocates(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// alike reports whether a value is the same in every sample of both sides.
func alike(r *compare.Row) bool {
	return r.Verdict == compare.Unchanged && r.Exact && r.Base.Center == r.Head.Center
}

// remarks are those of the report in the words for what is shown here.
func (g *glance) remarks(all []reports.Note) (out []reports.Note) {
	legend := Legend(g.c)
	for _, n := range all {
		if !slices.Contains(legend, n.Text) {
			out = append(out, n)
		}
	}
	if len(legend) > 0 {
		out = append([]reports.Note{{Text: strings.Replace(legend[0], "pair noise", "noise", 1)}}, out...)
	}
	if g.counted > 0 {
		out = append(out, reports.Note{Text: "rows that did not change are counted, not shown: perftrack compare --all has them"})
	}
	for _, words := range undecidedWords(g.c) {
		out = append(out, reports.Note{Text: words})
	}
	if words, names := UnprovenMeans(g.c); words != "" && g.v.Gate != nil && g.v.Gate.Cause == compare.CauseGap {
		out = append(out, reports.Note{Text: words, Detail: names})
	}
	return out
}

// A glance lays out the rows of a comparison for people.
type glance struct {
	c     *compare.Comparison
	v     View
	notes *reports.Footnotes
	diffs []*profiles.Diff
	fold  bool

	counted int // rows that would stand there if fewer did
}

// tables are one for each environment, of all of its packages and units, so that what regressed
// stands on top wherever it is. Call trees, and what was measured apart, keep the tables that
// they have everywhere; those of one side alone go last.
func (g *glance) tables() (out, alone []reports.Table) {
	var groups [][]compare.Table
	for _, t := range g.v.tables(g.c) {
		if ofCall(&t) || slices.ContainsFunc(g.diffs, func(p *profiles.Diff) bool { return shownWhole(p, &t) }) {
			continue
		}
		n := len(groups)
		if n > 0 && g.merges(&t) && slices.EqualFunc(g.commonFacts(&groups[n-1][0]), g.commonFacts(&t), equalFacts) && g.merges(&groups[n-1][0]) {
			groups[n-1] = append(groups[n-1], t)
			continue
		}
		groups = append(groups, []compare.Table{t})
	}
	for _, group := range groups {
		switch t := &group[0]; {
		case g.merges(t):
			out = append(out, g.merged(group))
		case lonely(t) > 0 && t.Kind == record.Scope:
			alone = append(alone, scopeTable(g.c, t, g.v.All, g.notes))
		case lonely(t) > 0:
			alone = append(alone, g.apart(t))
		case t.Kind == record.Scope:
			out = append(out, scopeTable(g.c, t, g.v.All, g.notes))
		default:
			out = append(out, g.apart(t))
		}
	}
	return out, alone
}

func equalFacts(a, b reports.Fact) bool { return a == b }

// merges reports whether a table can stand in one with others: its rows have verdicts of pairs.
func (g *glance) merges(t *compare.Table) bool { return t.Trial && t.Kind != record.Scope }

// commonFacts are those of a table but for its package and suite.
func (g *glance) commonFacts(t *compare.Table) []reports.Fact {
	return slices.DeleteFunc(tableFacts(t), func(f reports.Fact) bool { return f.Key == record.KeyPackage || f.Key == record.KeySuite })
}

// A placed is a row and the table that it is of.
type placed struct {
	*compare.Row
	t *compare.Table
}

// merged is the table of a trial in one environment.
func (g *glance) merged(group []compare.Table) reports.Table {
	var shown, folded []placed
	for i := range group {
		for _, r := range group[i].Rows {
			switch one := (placed{r, &group[i]}); {
			case g.folded(r):
				folded = append(folded, one)
				if !sameCount(r) && !r.Derived { // what follows from the time is counted where that stands
					g.counted++
				}
			case g.fold && (r.Base.N == 0 || r.Head.N == 0): // it is listed below
			default:
				shown = append(shown, one)
			}
		}
	}
	slices.SortStableFunc(shown, func(a, b placed) int { return g.v.first(a.Row, b.Row) })
	shown, more := g.capped(shown)
	places, units := placesOf(group), unitsOf(shown)
	out := reports.Table{Facts: g.commonFacts(&group[0]), Columns: []reports.Column{
		{Title: "verdict", Wraps: true}, {Title: "change", Right: true, Brief: "intervals of change"}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true},
		{Title: "median, base → head", Right: true, Extra: true},
		{Title: "rounds", Right: true, Extra: true}, {Title: "noise", Right: true, Extra: true}, {Title: "adj. p", Right: true, Extra: true},
	}}
	if len(places.list) == 1 {
		out.Facts = tableFacts(&group[0])
	}
	for _, r := range shown {
		out.Rows = append(out.Rows, g.cells(r, places))
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
	out.Below = append(append(more, g.foldedLines(folded)...), g.geomeans(group)...)
	return out
}

// Of more rows that are open than openMany, a person sees the first openShown.
const openMany, openShown = 20, 10

// capped returns the sorted rows without those that are open beyond the first few, and lines that
// count these: who has that many to decide does not read them one by one.
func (g *glance) capped(rows []placed) (shown []placed, lines []string) {
	isOpen := func(r placed) bool { return r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked }
	all := 0
	for _, r := range rows {
		if isOpen(r) {
			all++
		}
	}
	if !g.fold || g.v.Changed || all <= openMany {
		return rows, nil
	}
	open, more := 0, map[compare.Verdict]int{}
	for _, r := range rows {
		if isOpen(r) {
			if open++; open > openShown {
				more[r.Verdict]++
				continue
			}
		}
		shown = append(shown, r)
	}
	for _, v := range []compare.Verdict{compare.NotChecked, compare.Inconclusive} {
		if n := more[v]; n > 0 {
			lines = append(lines, fmt.Sprintf("%d more %s: perftrack compare --changed shows them", n, v))
		}
	}
	return shown, lines
}

// folded reports whether a row is only counted: it did not change, and is one of many; or it
// follows from the time of its benchmark.
func (g *glance) folded(r *compare.Row) bool {
	if r.Base.N == 0 || r.Head.N == 0 {
		return false
	}
	return g.fold && (r.Verdict == compare.Unchanged || r.Derived) || !g.v.All && g.v.Sort == "" && sameCount(r)
}

// unitsOf lists the units of rows.
func unitsOf(rows []placed) (units []string) {
	for _, r := range rows {
		if !slices.Contains(units, r.Unit) {
			units = append(units, r.Unit)
		}
	}
	return units
}

// cells are those of one row, the verdict first.
func (g *glance) cells(r placed, p places) []reports.Cell {
	change := changeCell(r.Row)
	change.Notes = append(reports.FootnotesOf(r.Row.Notes, g.notes), correlatedWith(r.Row, g.notes)...)
	base, head := medians(r.Row)
	median := reports.Cell{Text: base, Range: "→ " + head}
	rounds, noise := reports.Cell{}, reports.Cell{}
	if r.Rounds > 0 {
		rounds = reports.Cell{Text: fmt.Sprint(r.Rounds), Notes: wayNotes(r.Row, g.notes)}
		if r.Need > r.Rounds && (r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked) {
			rounds.Range = "of " + someRounds(r.Need)
		}
		if r.PairNoise > 0 && !r.Exact {
			noise.Text = reports.Portion(r.PairNoise)
		}
	}
	return []reports.Cell{verdictWord(r.Row), change, {Text: p.name(r)}, {Text: r.Unit}, median, rounds, noise, {Text: adjustedP(r.Row)}}
}

// medians are those of both sides, counts without digits after the point; "-" of a side that
// has none.
func medians(r *compare.Row) (base, head string) {
	scale, whole := rowScale(r), true
	for _, s := range []compare.Summary{r.Base, r.Head} {
		whole = whole && allocates(r.Unit) && s.Center == math.Trunc(s.Center) && math.Abs(s.Center) < 1e6
	}
	text := func(s compare.Summary) string {
		switch {
		case s.N == 0:
			return "-"
		case whole:
			return reports.WithCommas(fmt.Sprintf("%.0f", s.Center))
		}
		return scale.Format(s.Center)
	}
	return text(r.Base), text(r.Head)
}

// verdictWord is the verdict without what the other cells say.
func verdictWord(r *compare.Row) reports.Cell {
	cell := reports.Cell{Text: string(r.Verdict), Tone: verdictTone(r.Verdict)}
	if words := r.OfMean(); words != "" {
		cell.Range = "(" + words + ")"
	}
	switch {
	case r.Verdict == compare.Regressed && r.Accepted() && r.ByMean:
		cell.Range = "(mean, accepted)"
		cell.Tone = reports.Muted
	case r.Verdict == compare.Regressed && r.Accepted():
		cell.Range = "(accepted)"
		cell.Tone = reports.Muted
	case r.Verdict == compare.NoVerdict && r.Base.N == 0:
		cell.Text = "new"
	case r.Verdict == compare.NoVerdict && r.Head.N == 0:
		cell.Text, cell.Tone = "missing", reports.Warn
	case r.Verdict == compare.NoVerdict:
		cell.Text = "-"
	case r.Verdict == compare.Suspect && r.Reason != "": // of others it stands in other cells, or below
		cell.Range = "(" + r.Reason + ")"
	}
	return cell
}

// changeCell is the estimate. One of a count that is too small to matter is shown by its size:
// beside "unchanged", -100 % of 16 bytes reads like a contradiction.
func changeCell(r *compare.Row) reports.Cell {
	cell := estimateCell(r)
	if negligible(r) {
		diff := r.Head.Center - r.Base.Center
		size := r.Shift
		size.Center, size.Lo, size.Hi, size.Absolute = diff, diff, diff, true
		cell = reports.EstimateCell(r.Unit, size, true)
		cell.Text += " " + strings.TrimSuffix(r.Unit, "/op")
	}
	if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
		cell.Tone = verdictTone(r.Verdict)
	}
	return cell
}

// negligible reports whether a count differs by less than ever matters.
func negligible(r *compare.Row) bool {
	return r.Verdict == compare.Unchanged && r.Exact && r.Unit == "B/op" && r.Base.Center != r.Head.Center
}

// foldedLines count the rows that are not shown, a line for all units of which it is the same:
// "B/op, allocs/op: 58 unchanged".
func (g *glance) foldedLines(rows []placed) (lines []string) {
	var units []string
	words := map[string]string{}
	count := map[string]int{}
	slight := 0
	follows := map[string]bool{}
	for _, r := range rows {
		count[r.Unit]++
		if negligible(r.Row) {
			slight++
		}
		follows[r.Unit] = r.Derived
		if !slices.Contains(units, r.Unit) {
			units = append(units, r.Unit)
		}
	}
	for _, u := range units {
		words[u] = fmt.Sprintf("%d unchanged", count[u])
		if follows[u] {
			words[u] = fmt.Sprintf("%d that follow from the time", count[u])
		}
		if u == "B/op" && slight > 0 {
			words[u] += fmt.Sprintf(" (%d of them by a size class, which never matters)", slight)
		}
	}
	for len(units) > 0 {
		text, of := words[units[0]], []string{}
		rest := units[:0:0]
		for _, u := range units {
			if words[u] == text {
				of = append(of, u)
			} else {
				rest = append(rest, u)
			}
		}
		lines, units = append(lines, strings.Join(of, ", ")+": "+text), rest
	}
	return lines
}

// geomeans are the geometric means of the changes, where all rows are of one package: a mean
// over packages would weigh them by how many benchmarks somebody wrote.
func (g *glance) geomeans(group []compare.Table) (lines []string) {
	if len(placesOf(group).list) > 1 {
		return nil
	}
	var parts []string
	for i := range group {
		t := &group[i]
		mean := t.Geomean
		of, all := checkedRows(t)
		if !all {
			mean.Change = compare.MeanChange(of)
		}
		if follows(t) || len(t.Rows) < 2 || !all && len(of) < 2 || math.IsNaN(mean.Change) || t.Package != group[0].Package || t.Suite != group[0].Suite || alikeTable(t) {
			continue
		}
		text := t.Unit + " " + reports.PlainChange(mean.Change)
		if unknownMean(t, all) {
			text = fmt.Sprintf("%s not known (%d of %d not checked)", t.Unit, len(t.Rows)-len(of), len(t.Rows))
		} else if !all {
			text += fmt.Sprintf(" (of the %d rows that were checked)", len(of))
		} else if open := undecidedRows(t); open > 0 {
			text += fmt.Sprintf(" (%d of %d undecided)", open, len(t.Rows))
		}
		for _, n := range reports.FootnotesOf(t.Geomean.Notes, g.notes) {
			text += " " + reports.Mark(n)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"geomean: " + strings.Join(parts, ", ")}
}

// Counts reports whether a unit is of allocations, which are believed to be the same after fewer
// rounds than to differ.
func Counts(unit string) bool { return allocates(unit) }

// follows reports whether a unit of a trial follows from the time, whose mean says the same and how much
// of it is known.
func follows(t *compare.Table) bool {
	return t.Trial && !slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return !r.Derived })
}

// unknownMean reports whether a mean of the rows that were checked, which are not all, would read
// as if nothing had changed: those that differ are the ones that are left out.
func unknownMean(t *compare.Table, all bool) bool { return !all && allocates(t.Unit) }

// alikeTable reports whether nothing in a table changed at all.
func alikeTable(t *compare.Table) bool {
	return !slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return !alike(r) })
}

// checkedRows are those of both sides with enough rounds for their changes to say anything, and
// whether that is all of both sides.
func checkedRows(t *compare.Table) (rows []*compare.Row, all bool) {
	all = true
	for _, r := range t.Rows {
		switch {
		case r.Verdict == compare.NotChecked:
			all = false
		case r.Compared():
			rows = append(rows, r)
		}
	}
	return rows, all
}

func undecidedRows(t *compare.Table) (n int) {
	for _, r := range t.Rows {
		if r.Verdict == compare.Inconclusive {
			n++
		}
	}
	return n
}

// apart is benchstat's table of runs that were measured apart. Of many rows those are folded of
// which benchstat shows no change.
func (g *glance) apart(t *compare.Table) reports.Table {
	if equal, ok := allEqual(t); ok && !g.v.All && !g.v.Narrow() {
		return reports.Table{Facts: tableFacts(t), Caption: t.Unit + ": " + equal}
	}
	shown := *t
	still := func(r *compare.Row) bool {
		return g.fold && t.Comparable && r.Compared() && r.Verdict == compare.NoVerdict && r.P > g.c.Options.CompareAlpha && len(r.Limits) == 0
	}
	shown.Rows = slices.DeleteFunc(slices.Clone(t.Rows), still)
	folded := len(t.Rows) - len(shown.Rows)
	if g.v.Sort == "" && g.fold {
		slices.SortStableFunc(shown.Rows, g.v.order)
	}
	out := rowTable(g.c, &shown, g.notes)
	g.counted += folded
	if folded > 0 {
		out.Below = []string{fmt.Sprintf("%s: %d without a change that benchstat would show (~)", t.Unit, folded)}
	}
	if len(shown.Rows) == 0 {
		out.Columns, out.Rows, out.Footer = nil, nil, nil
	}
	return out
}
