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

// A Flame is a flame graph of profiles, of one side or of the difference.
type Flame struct {
	File string // its name as a page, safe wherever files are
	Side string // head, base, difference
	What string // time, bytes, objects
	of   Profile
	base *Profile // of a difference
}

// A cost is a kind of values that a graph is drawn of.
type cost struct {
	what, kind, title, unit string
	values                  func(Profile) []tree.Stack
	least                   float64 // that the whole of a graph has at least, in its unit
}

var costs = []cost{
	{"time", CPU, "CPU time", "nanoseconds", func(p Profile) []tree.Stack { return scaled(p.Seconds(), 1e9) }, 1e6},
	{"bytes", Allocs, "Allocated bytes", "bytes", func(p Profile) []tree.Stack { return p.PerOperation(Bytes) }, 1e3},
	{"objects", Allocs, "Allocated objects", "count", func(p Profile) []tree.Stack { return p.PerOperation(Objects) }, 1e3},
}

// Flames are the graphs that can be drawn of the profiles of one benchmark: of each kind that of
// the only commit, or difference, head and base.
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

// Page draws it. Back is the address of the page that it is reached from, or "".
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
		of = "of an operation"
		if operations > 1 {
			of = "of " + thousands(operations) + " operations"
		}
		g.Head, g.Base = scaled(g.Head, operations), scaled(g.Base, operations)
	}
	at := commitName(f.of.Commit)
	if f.base != nil {
		at = "what " + at + " takes more or less than " + commitName(f.base.Commit)
	}
	g.Title = strings.TrimSpace(fmt.Sprintf("%s %s of %s: %s", c.title, of, f.of.Benchmark, at))
	g.Notes = []string{strings.TrimSpace(f.of.Target + " " + f.of.Package), "A profile says where, not how much: what changed, perftrack check decides."}
	if f.What == "time" {
		g.Notes[1] = fmt.Sprintf("%d samples of the CPU. %s", f.samples(), g.Notes[1])
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

// thousands writes a whole number with commas.
func thousands(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
