package comparison

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
)

// limitTable is a row for each limit, with what both sides say of it.
func limitTable(c *compare.Comparison, notes *reports.Footnotes) (reports.Table, bool) {
	t := reports.Table{Heading: "Limits", Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "base, median", Right: true, Extra: true}, {Title: "head, median", Right: true},
		{Title: "target", Code: true}, {Title: "factor", Right: true, Extra: true}, {Title: "result", Wraps: true},
	}}
	for i := range c.Tables {
		for _, r := range c.Tables[i].Rows {
			for _, l := range r.Limits {
				name := reports.BenchmarkName(r.Target, r.BenchmarkID)
				if of := c.Tables[i].OfTrial; of != "" {
					name += " (trial " + of + ")"
				}
				result := reports.Cell{Text: LimitResult(l), Tone: limitTone(l)}
				if l.Accepted != "" {
					result.Notes = []int{notes.Add(reports.Note{Text: "accepted", Detail: l.Accepted})}
				}
				t.Rows = append(t.Rows, []reports.Cell{
					{Text: name}, {Text: r.Unit}, reports.LimitCell(r.Unit, l.Limit, l.Base), reports.LimitCell(r.Unit, l.Limit, l.Head),
					{Text: l.Text}, reports.FactorCell(r.Unit, l.Limit, l.Head), result,
				})
			}
		}
	}
	return t, len(t.Rows) > 0
}

// LimitResult says what became of a limit, in words of perftrack's own.
func LimitResult(l compare.RowLimit) string {
	text := reports.LimitState(l.Head)
	switch {
	case l.Head.State == limit.Unknown:
		return "not measured in head"
	case l.Head.State != limit.Missed:
		return text
	case l.Accepted != "":
		return text + ", accepted"
	case l.Base.State == limit.Missed:
		return text + ", and in base"
	case l.Base.State == limit.Met:
		return text + ", met in base"
	case l.Base.State == limit.Undecided:
		return text + ", undecided in base"
	}
	return text + ", not measured in base"
}

func limitTone(l compare.RowLimit) reports.Tone {
	switch {
	case l.Worse && l.Accepted == "":
		return reports.Bad
	case l.Head.State == limit.Missed:
		return reports.Warn
	}
	return reports.LimitTone(l.Head.State)
}

// withLimits is the verdicts in one line, and the limits behind them.
func withLimits(c *compare.Comparison) (string, reports.Tone) {
	line, tone := verdictLine(c)
	parts, worst := limitWords(c)
	if len(parts) == 0 {
		return line, tone
	}
	if worst == reports.Bad || worst == reports.Warn && tone != reports.Bad {
		tone = worst
	}
	return line + "; " + strings.Join(parts, ", "), tone
}

// limitWords counts the limits for the summary: those that head misses, first the ones that
// base does not.
func limitWords(c *compare.Comparison) (parts []string, tone reports.Tone) {
	worse, missed, open := c.FailedLimits(true), 0, c.UndecidedLimits()
	for r := range c.Rows() {
		for _, l := range r.Limits {
			if l.Head.State == limit.Missed {
				missed++
			}
		}
	}
	if worse > 0 {
		parts, tone = append(parts, reports.LimitWords(worse, "missed")), reports.Bad
	}
	if others := missed - worse; others > 0 {
		parts = append(parts, reports.LimitWords(others, "missed (as warnings)"))
		if worse == 0 {
			tone = reports.Warn
		}
	}
	if open > 0 {
		parts = append(parts, reports.LimitWords(open, "undecided"))
	}
	return parts, tone
}

// limitRecord has the limits of a row, and what both sides say of each, for one line.
func limitRecord(limits []compare.RowLimit) []any {
	var texts, ofBase, ofHead []string
	for _, l := range limits {
		texts, ofBase, ofHead = append(texts, l.Text), append(ofBase, string(l.Base.State)), append(ofHead, string(l.Head.State))
	}
	return reports.LimitRecord(texts, ofBase, ofHead)
}

// limitFields are a limit of a row.
func limitFields(l *compare.RowLimit) reports.Object {
	return reports.Object{
		{"limit", &l.Text},
		{"bench", &l.Bench}, // the rule's
		{"base", reports.LimitFields(&l.Base)},
		{"head", reports.LimitFields(&l.Head)},
		{"worse", &l.Worse}, // head misses it, and base does not
		{"accepted", reports.Optional(&l.Accepted)},
	}
}

// limitOutcomes has each limit. One of runs measured apart is missed where a gate says so, and
// else a warning.
func limitOutcomes(c *compare.Comparison, gate compare.ApartGate) (out []reports.Outcome) {
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			for _, l := range r.Limits {
				o := reports.Outcome{Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit}
				o.Trial, _, _ = strings.Cut(t.OfTrial, ",")
				worse := l.Worse && l.Accepted == "" && (t.Trial || gate != compare.NoApartGate)
				o = reports.LimitOutcome(o, l.Limit, l.Head, worse, LimitResult(l))
				if l.Accepted != "" {
					o.State, o.Detail = reports.Passed, l.Accepted
				}
				out = append(out, o)
			}
		}
	}
	return out
}
