package site

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// notJudged is what a comparison leaves out, by the reason: first what nobody may take for
// green.
func notJudged(c *compare.Comparison) (all []NotJudged) {
	lists := map[comparison.Reason]NotJudged{}
	for _, left := range comparison.Unjudged(c) {
		n := NotJudged{Kind: string(left.Why), Why: left.Title}
		for _, item := range left.Items {
			n.What = append(n.What, itemText(item))
		}
		lists[left.Why] = n
	}
	add := func(n NotJudged) {
		if len(n.What) > 0 {
			all = append(all, n)
		}
	}
	lost := NotJudged{Kind: "lost", Why: "parts without a result: nothing is known of what they were to measure"}
	for _, part := range c.LostParts() {
		lost.What = append(lost.What, strings.TrimSpace(fmt.Sprintf("%s %v: %s", part.Target, part.Part, part.Why)))
	}
	starved := NotJudged{Kind: "starved", Why: "not checked: the budget ended before the first round"}
	for _, s := range c.Starved {
		starved.What = append(starved.What, reports.Plural(s.Benchmarks, "benchmark")+" of "+s.Target)
	}
	add(lists[comparison.Failed])
	add(lists[comparison.Broken])
	add(lost)
	add(starved)
	add(lists[comparison.Cut])
	add(lists[comparison.Missing])
	add(lists[comparison.Rewritten])
	add(lists[comparison.New])
	add(lists[comparison.Unreached])
	add(lists[comparison.SameCode])
	return all
}

// Lost counts the reasons for which something was not judged that should be: whoever reads the
// verdicts alone does not see them.
func (d *Comparison) Lost() (n int) {
	for _, left := range d.NotJudged {
		switch left.Kind {
		case string(comparison.New), string(comparison.Unreached), string(comparison.SameCode):
		default:
			n++
		}
	}
	return n
}

// itemText is an item of a list as the terminal writes it.
func itemText(n reports.Note) string {
	if n.Text == "" {
		return n.Detail
	}
	return n.Text + " " + n.Detail
}
