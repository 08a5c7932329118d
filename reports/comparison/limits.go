package comparison

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
)

// limitTable returns a table with one row for each limit, showing its result on both sides. It
// returns false if there are no limits.
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

// LimitResult describes whether a limit is met: "missed, met in base".
func LimitResult(l compare.RowLimit) string {
	state, remark := LimitParts(l)
	if remark == "" {
		return state
	}
	return state + ", " + remark
}

// LimitParts returns the state of a limit in the head. If the head misses the limit, it also
// returns a remark: the acceptance, or the state in the base.
func LimitParts(l compare.RowLimit) (state, remark string) {
	state = reports.LimitState(l.Head)
	switch {
	case l.Head.State == limit.Unknown:
		return "not measured in head", ""
	case l.Head.State != limit.Missed:
		return state, ""
	case l.Accepted != "":
		return state, "accepted"
	case l.Base.State == limit.Missed:
		return state, "also in base"
	case l.Base.State == limit.Met:
		return state, "met in base"
	case l.Base.State == limit.Undecided:
		return state, "undecided in base"
	}
	return state, "not measured in base"
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

// limitWords counts the missed and the undecided limits, with newly missed ones first, and returns
// the tone for them.
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

// limitRecord returns the cells of a CSV line that hold the limits on a row and their states on
// both sides.
func limitRecord(limits []compare.RowLimit) []any {
	var texts, ofBase, ofHead []string
	for _, l := range limits {
		texts, ofBase, ofHead = append(texts, l.Text), append(ofBase, string(l.Base.State)), append(ofHead, string(l.Head.State))
	}
	return reports.LimitRecord(texts, ofBase, ofHead)
}

// limitFields describes a limit on a row and its result on both sides.
func limitFields(l *compare.RowLimit) reports.Object {
	return reports.Object{
		{"limit", &l.Text},
		{"bench", &l.Bench}, // the pattern of the rule
		{"base", reports.LimitFields(&l.Base)},
		{"head", reports.LimitFields(&l.Head)},
		{"worse", &l.Worse}, // missed by the head but not by the base
		{"accepted", reports.Optional(&l.Accepted)},
	}
}

// limitOutcomes returns the outcome of each limit. If unpaired runs miss a limit, this is only a
// warning unless there is a gate for unpaired runs.
func limitOutcomes(c *compare.Comparison, gate gates.UnpairedRule) (out []reports.Outcome) {
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			for _, l := range r.Limits {
				o := reports.Outcome{Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit}
				o.Trial, _, _ = strings.Cut(t.OfTrial, ",")
				worse := l.Worse && l.Accepted == "" && (t.Trial || gate != gates.NoUnpaired)
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
