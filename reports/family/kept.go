package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Kept is what perftrack explain kept of a benchmark: the CPU profiles of two commits.
type Kept struct {
	Target, Package, Name string
	Base, Head            string        // whole hashes
	Files                 [2]string     // paths from the root of the repository
	Time                  *tree.Sampled // seconds of an operation
}

// keptOf is what was kept of a benchmark at two commits, by short hashes; nil for nothing.
func (v *view) keptOf(target string, id record.BenchmarkID, base, head string) *Kept {
	i := slices.IndexFunc(v.Kept, func(k Kept) bool {
		return k.Target == target && k.Package == id.Package && k.Name == id.Name && record.ShortHash(k.Base) == base && record.ShortHash(k.Head) == head
	})
	if i < 0 {
		return nil
	}
	return &v.Kept[i]
}

// command shows what is kept again.
func (k *Kept) command() string {
	return command("go", "tool", "pprof", "-top", "-diff_base", k.Files[0], k.Files[1])
}

// explained turns an action that asks for an explanation into one that names what is kept of it.
func (k *Kept) explained(a action) action {
	if k == nil {
		return a
	}
	a.evidence, a.command = a.evidence+"; both sides are profiled", k.command()
	if all := k.largest(); len(all) > 0 {
		a.evidence += ", the most in " + reports.Printable(all[0].Function)
	}
	return a
}

// shownKept is how many functions of a benchmark are named, and leastKept which share of the
// benchmark's time one differs by at least.
const (
	shownKept = 3
	leastKept = 0.05
)

// largest are the functions whose own time differs most between the sides.
func (k *Kept) largest() []tree.FunctionCost {
	size := func(f tree.FunctionCost) float64 { return math.Abs(f.Self.Head - f.Self.Base) }
	all := slices.DeleteFunc(slices.Clone(k.Time.Functions), func(f tree.FunctionCost) bool { return !(size(f) >= leastKept*k.Time.Total.Base) })
	slices.SortStableFunc(all, func(a, b tree.FunctionCost) int { return cmp.Compare(size(b), size(a)) })
	return all[:min(len(all), shownKept)]
}

// keptTable names the functions in which the kept profiles differ.
func (v *view) keptTable() reports.Table {
	t := reports.Table{Heading: "Functions that changed, by perftrack explain", Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "function", Code: true}, {Title: "own time before", Right: true}, {Title: "after", Right: true}, {Title: "both profiles", Code: true, Whole: true},
	}}
	for _, k := range v.Kept {
		for i, f := range k.largest() {
			show := ""
			if i == 0 {
				show = k.command()
			}
			t.Rows = append(t.Rows, []reports.Cell{text(k.Name), text(f.Function), number(f.Self.Base, "sec/op"), number(f.Self.Head, "sec/op"), text(show)})
		}
	}
	t.Words = []string{fmt.Sprintf("Of each benchmark at most %d, whose own time in an operation differs by a twentieth of the whole or more. The samples are few: which differences are certain, explain said.", shownKept)}
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"The profiles that explain kept show no function whose own time differs by a twentieth of the whole or more."}
	}
	return t
}
