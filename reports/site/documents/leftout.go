package documents

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// leftOuts lists the items without a verdict, grouped by reason. Items that should have a verdict
// come first.
func leftOuts(c *compare.Comparison) (all []LeftOut) {
	lists := map[comparison.Reason]LeftOut{}
	for _, left := range comparison.LeftOuts(c) {
		n := LeftOut{Kind: string(left.Why), Why: left.Title}
		for _, item := range left.Items {
			n.What = append(n.What, itemText(item))
		}
		lists[left.Why] = n
	}
	add := func(n LeftOut) {
		if len(n.What) > 0 {
			all = append(all, n)
		}
	}
	lost := LeftOut{Kind: "lost", Why: "parts without a result, whose benchmarks are unknown"}
	for _, part := range c.LostParts() {
		lost.What = append(lost.What, strings.TrimSpace(fmt.Sprintf("%s %v: %s", part.Target, part.Part, part.Why)))
	}
	starved := LeftOut{Kind: "starved", Why: "not checked: the budget ran out before the first round"}
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

// Lost counts the reasons why items that should have a verdict have none. The verdicts alone do not
// show this.
func (d *Comparison) Lost() (n int) {
	for _, left := range d.LeftOut {
		switch left.Kind {
		case string(comparison.New), string(comparison.Unreached), string(comparison.SameCode):
		default:
			n++
		}
	}
	return n
}

// itemText returns an item as the terminal shows it.
func itemText(n reports.Note) string {
	if n.Text == "" {
		return n.Detail
	}
	return n.Text + " " + n.Detail
}
