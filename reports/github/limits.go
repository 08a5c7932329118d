package github

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/limit"
)

// A limited is a limit together with its row.
type limited struct {
	row
	compare.RowLimit
	fails bool // blocks a merge
}

// addLimits adds the limits on a row to the finding.
func (f *Finding) addLimits(r row) {
	for _, l := range r.row.Limits {
		one := limited{row: r, RowLimit: l, fails: f.policy.Misses(r.table, r.row, l)}
		if l.Worse {
			one.accept = l.Accepted
			if reason, ok := f.acceptedReason(r.row); ok {
				one.accept = cmp.Or(reason, "no reason given")
			}
		}
		one.Accepted = one.accept
		f.limits = append(f.limits, one)
	}
}

func (f *Finding) acceptedReason(r *compare.Row) (reason string, ok bool) {
	if f.opt.Accepted == nil {
		return "", false
	}
	return f.opt.Accepted(r)
}

// sortLimits sorts the limits: blocking ones come first, followed by other missed limits, undecided
// ones, and all others.
func (f *Finding) sortLimits() {
	rank := func(l limited) int {
		switch {
		case l.fails:
			return 0
		case l.Head.State == limit.Missed:
			return 1
		case l.Head.State == limit.Undecided:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(f.limits, func(a, b limited) int { return cmp.Compare(rank(a), rank(b)) })
}

// missed reports whether the head misses a limit, even without blocking a merge.
func (f *Finding) missed() bool {
	return slices.ContainsFunc(f.limits, func(l limited) bool { return l.Head.State == limit.Missed })
}

// limitList returns a table with one row for each limit. The table is folded unless the head misses
// a limit.
func (f *Finding) limitList() list {
	var lines []line
	for _, one := range f.limits {
		r := one.row.row
		mark := map[limit.State]string{limit.Met: "✅", limit.Missed: "⚠️", limit.Undecided: "❔"}[one.Head.State]
		if one.fails {
			mark = "❌"
		}
		state, rest := comparison.LimitParts(one.RowLimit)
		text := "<b>" + words(state) + "</b>"
		if !one.fails {
			text = words(state)
		}
		if rest != "" {
			text += "<br>" + words(rest)
		}
		l := line{
			first: strings.TrimSpace(mark + " " + text), name: f.withHome(one.row, r.Name),
			cells: []string{inline(one.Text), f.limitCell(r, one.Limit, one.Base), f.limitCell(r, one.Limit, one.Head)},
		}
		if one.accept != "" && one.Worse {
			l.below = []string{"accepted: " + inline(one.accept)}
		}
		lines = append(lines, l)
	}
	l := tabulate("limit", "benchmark", []column{{title: "must be"}, {title: "before", right: true}, {title: "after", right: true}}, lines)
	if l.what = "limits"; !f.missed() {
		l.title = f.limitCounts()
	}
	return l
}

// limitCell formats the median compared with a limit, and its interval, as HTML.
func (f *Finding) limitCell(r *compare.Row, l limit.Limit, j compare.Judged) string {
	cell := reports.LimitCell(r.Unit, l, j)
	if cell.Range == "" {
		return words(cell.Text)
	}
	return words(cell.Text) + "<br>" + words(cell.Range)
}

// limitCounts counts the limits by state: "3 limits: 2 met, 1 undecided".
func (f *Finding) limitCounts() string {
	count := map[limit.State]int{}
	for _, l := range f.limits {
		count[l.Head.State]++
	}
	var parts []string
	for _, s := range []limit.State{limit.Missed, limit.Undecided, limit.Met} {
		if count[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	if n := count[limit.Unknown]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured in head", n))
	}
	return reports.Plural(len(f.limits), "limit") + ": " + strings.Join(parts, ", ")
}

// limitAnnotations returns an error for each blocking limit, and a warning for each other missed
// limit.
func (f *Finding) limitAnnotations() (errors, warnings []string) {
	for _, l := range f.limits {
		if l.Head.State != limit.Missed {
			continue
		}
		r := l.row.row
		text := fmt.Sprintf("%s %s: %s, %s; head %s", f.name(l.row, comparison.Words(f.c, l.table, r)), r.Unit, l.Text,
			comparison.LimitResult(l.RowLimit), reports.LimitCell(r.Unit, l.Limit, l.Head).Shown())
		if l.fails {
			errors = append(errors, Command("error", "limit missed", text))
		} else {
			warnings = append(warnings, Command("warning", "limit missed", text))
		}
	}
	return errors, warnings
}
