package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// A Kept is a pair of CPU profiles of one benchmark, kept by perftrack explain.
type Kept struct {
	Target, Package, Name string
	Base, Head            string        // full hashes
	Files                 [2]string     // paths relative to the root of the repository
	Time                  *tree.Sampled // in seconds per operation
}

// keptOf returns the profiles kept for a benchmark at two commits, given by their short hashes, or
// nil.
func (v *view) keptOf(target string, id record.BenchmarkID, base, head string) *Kept {
	i := slices.IndexFunc(v.Kept, func(k Kept) bool {
		return k.Target == target && k.Package == id.Package && k.Name == id.Name && record.ShortHash(k.Base) == base && record.ShortHash(k.Head) == head
	})
	if i < 0 {
		return nil
	}
	return &v.Kept[i]
}

// command returns the command to show the profiles again.
func (k *Kept) command() string {
	return shell.Command("go tool pprof -top -diff_base %s %s", k.Files[0], k.Files[1])
}

// explained returns a copy of the action with the command to show the kept profiles. If k is nil,
// it returns the action unchanged.
func (k *Kept) explained(a action) action {
	if k == nil {
		return a
	}
	a.evidence, a.command = a.evidence+"; both sides have been profiled", k.command()
	if all := k.largest(); len(all) > 0 {
		a.evidence += ", mostly in " + reports.Printable(all[0].Function)
	}
	return a
}

// shownKept is the maximum number of functions to list for a benchmark. leastKept is the smallest
// difference to list, as a share of the benchmark's time.
const (
	shownKept = 3
	leastKept = 0.05
)

// largest returns the functions with the largest differences in their own time, largest first.
func (k *Kept) largest() []tree.FunctionCost {
	size := func(f tree.FunctionCost) float64 { return math.Abs(f.Self.Head - f.Self.Base) }
	all := slices.DeleteFunc(slices.Clone(k.Time.Functions), func(f tree.FunctionCost) bool { return !(size(f) >= leastKept*k.Time.Total.Base) })
	slices.SortStableFunc(all, func(a, b tree.FunctionCost) int { return cmp.Compare(size(b), size(a)) })
	return all[:min(len(all), shownKept)]
}

// keptTable lists the functions with the largest differences between the kept profiles.
func (v *view) keptTable() reports.Table {
	t := reports.Table{Heading: "Changed functions, by perftrack explain", Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "function", Code: true}, {Title: "own time before", Right: true}, {Title: "after", Right: true}, {Title: "both profiles", Code: true, Whole: true},
	}}
	for _, k := range v.Kept {
		for i, f := range k.largest() {
			show := ""
			if i == 0 {
				show = k.command()
			}
			t.Rows = append(t.Rows, []reports.Cell{cells.Text(k.Name), cells.Text(f.Function), cells.Number(f.Self.Base, "sec/op"), cells.Number(f.Self.Head, "sec/op"), cells.Text(show)})
		}
	}
	t.Words = []string{fmt.Sprintf("At most %d per benchmark, whose own time differs by at least a twentieth of the whole. There are few samples, so perftrack explain marks the differences that are certain.", shownKept)}
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"In the profiles stored by perftrack explain, no function's own time differs by a twentieth of the whole or more."}
	}
	return t
}
