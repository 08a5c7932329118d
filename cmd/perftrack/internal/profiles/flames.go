package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports/flame"
	"github.com/perftrack/perftrack/runner/record"
)

// A Flame is a flame graph of a profile or of the difference between two profiles.
type Flame struct {
	File string // name of its HTML file, safe on any file system
	Side string // head, base or difference
	What string // time, bytes or objects
	of   Profile
	base *Profile // nil unless the graph shows a difference
}

// A cost describes one kind of value in flame graphs.
type cost struct {
	what, kind, title, unit string
	values                  func(Profile) []tree.Stack
	least                   float64 // smallest total shown in a graph, in the graph's unit
}

var costs = []cost{
	{"time", CPU, "CPU time", "nanoseconds", func(p Profile) []tree.Stack { return scaled(p.Seconds(), 1e9) }, 1e6},
	{"bytes", Allocs, "Allocated bytes", "bytes", func(p Profile) []tree.Stack { return p.PerOperation(Bytes) }, 1e3},
	{"objects", Allocs, "Allocated objects", "count", func(p Profile) []tree.Stack { return p.PerOperation(Objects) }, 1e3},
}

// Flames returns the flame graphs for the profiles of one benchmark. For each kind of value, there
// is a single graph if only the head was profiled. If the base was also profiled, there are graphs
// of the difference, the head and the base.
func Flames(all []Profile) (out []Flame) {
	for _, c := range costs {
		var sides []Profile
		for _, p := range all {
			if p.Kind == c.kind {
				sides = append(sides, p)
			}
		}
		add := func(side string, of Profile, base *Profile) {
			stem := strings.TrimSuffix(filepath.Base(Path("", of.Meta)), "."+of.Kind+extension)
			name := stem + "." + c.what + ".html"
			if base != nil {
				name = stem + "." + c.what + ".from-" + cmp.Or(record.ShortHash(base.Commit), "base") + ".html"
			}
			out = append(out, Flame{File: name, Side: side, What: c.what, of: of, base: base})
		}
		switch len(sides) {
		case 1:
			add("head", sides[0], nil)
		case 2:
			add("difference", sides[1], &sides[0])
			add("head", sides[1], nil)
			add("base", sides[0], nil)
		}
	}
	return out
}

// Page returns the graph as an HTML page. back is the URL of the page's link back, or "" for no
// link, and backTitle is its title.
func (f Flame) Page(back, backTitle string) ([]byte, error) {
	c := costs[slices.IndexFunc(costs, func(c cost) bool { return c.what == f.What })]
	g := flame.Graph{Unit: c.unit, Head: tree.Operations(c.values(f.of)), Back: back, BackTitle: backTitle}
	whole := sum(g.Head)
	if f.base != nil {
		g.Base = slices.Concat([]tree.Stack{}, tree.Operations(c.values(*f.base)))
		whole = max(whole, sum(g.Base))
	}
	of := "as it was sampled"
	if f.of.Operations > 0 && (f.base == nil || f.base.Operations > 0) {
		operations := math.Pow(10, max(0, math.Ceil(math.Log10(c.least/whole))))
		of = "per operation"
		if operations > 1 {
			of = "of " + thousands(operations) + " operations"
		}
		g.Head, g.Base = scaled(g.Head, operations), scaled(g.Base, operations)
	}
	at := commitName(f.of.Commit)
	if f.base != nil {
		at = "the difference between " + at + " and " + commitName(f.base.Commit)
	}
	g.Title = strings.TrimSpace(fmt.Sprintf("%s %s of %s: %s", c.title, of, f.of.Benchmark, at))
	g.Notes = []string{strings.TrimSpace(f.of.Target + " " + f.of.Package), "A profile shows where the time goes, but not how much time there is: perftrack check decides on changes."}
	if f.What == "time" {
		g.Notes[1] = fmt.Sprintf("%d CPU samples. %s", f.samples(), g.Notes[1])
	}
	page, err := flame.Page(g)
	if errors.Is(err, flame.ErrEmpty) {
		return nil, fmt.Errorf("%w: %s", err, g.Title)
	}
	return page, err
}

func (f Flame) samples() int {
	if f.base == nil {
		return f.of.Samples
	}
	return f.of.Samples + f.base.Samples
}

func sum(stacks []tree.Stack) (total float64) {
	for _, s := range stacks {
		total += s.Value
	}
	return total
}

func scaled(stacks []tree.Stack, by float64) []tree.Stack {
	out := slices.Clone(stacks)
	for i := range out {
		out[i].Value *= by
	}
	return out
}

func commitName(sha string) string {
	if sha == "" {
		return "the work tree"
	}
	return record.ShortHash(sha)
}

// thousands formats a whole number with commas between groups of three digits.
func thousands(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
