package documents

import (
	"cmp"
	"math"
	"slices"

	calltree "github.com/perftrack/perftrack/compare/tree"
)

// These are the limits for the document of a profile.
const (
	mostFunctions = 200
	mostCalls     = 2000
	leastCall     = 0.001 // minimum share of the total for a call to be included
)

var unknown = Number(math.NaN())

// AddSampled fills a profile from sampled stacks. If s counts bytes, objects counts the objects of
// the same stacks. If s is a profile of time, objects is nil.
func (p *Profile) AddSampled(s, objects *calltree.Sampled) {
	p.Total, p.BaseTotal = Number(s.Total.Head), Number(s.Total.Base)
	counted := map[string]float64{}
	if objects != nil {
		for _, f := range objects.Functions {
			counted[f.Function] = f.Self.Head
		}
	}
	for _, f := range s.Functions[:min(len(s.Functions), mostFunctions)] {
		row := Function{Name: f.Function, Count: unknown, Self: Number(f.Self.Head), Total: Number(f.Total.Head), SelfBase: Number(f.Self.Base), Bytes: unknown, Allocs: unknown}
		if objects != nil {
			row.Bytes, row.Allocs = row.Self, Number(counted[f.Function])
		}
		p.Functions = append(p.Functions, row)
	}
	least := leastCall * s.Total.Head
	if s.Total.Base > s.Total.Head {
		least = leastCall * s.Total.Base
	}
	var walk func(nodes, other []*calltree.Node, parent int)
	walk = func(nodes, other []*calltree.Node, parent int) {
		for _, n := range nodes {
			if !(n.Total.Head >= least) && !(n.Total.Base >= least) || len(p.Calls) >= mostCalls {
				continue
			}
			call := Call{Name: n.Function, Parent: parent, Count: unknown, Total: Number(n.Total.Head), Self: Number(n.Self.Head), Max: unknown, Bytes: unknown, Allocs: unknown, Base: Number(n.Total.Base)}
			var below []*calltree.Node
			if objects != nil {
				call.Bytes = call.Total
				if i := slices.IndexFunc(other, func(o *calltree.Node) bool { return o.Function == n.Function }); i >= 0 {
					call.Allocs, below = Number(other[i].Total.Head), other[i].Children
				}
			}
			p.Calls = append(p.Calls, call)
			walk(n.Children, below, len(p.Calls)-1)
		}
	}
	var roots []*calltree.Node
	if objects != nil {
		roots = objects.Roots
	}
	walk(s.Roots, roots, -1)
}

// AddScopes fills a profile from the scopes of a suite. base is the same suite at the base commit,
// or nil.
func (p *Profile) AddScopes(t, base *calltree.Tree) {
	p.Unit, p.Total, p.BaseTotal = "sec", Number(t.Total/1e9), unknown
	totals, selves := map[string]float64{}, map[string]float64{}
	if base != nil {
		p.BaseTotal = Number(base.Total / 1e9)
		var walk func(calls []*calltree.Call)
		walk = func(calls []*calltree.Call) {
			for _, c := range calls {
				totals[c.Path] = c.Total / 1e9
				walk(c.Children)
			}
		}
		walk(base.Scopes)
		for _, m := range base.Methods() {
			selves[m.Name] = m.Self / 1e9
		}
	}
	of := func(values map[string]float64, name string) Number {
		if base == nil {
			return unknown
		}
		return Number(values[name])
	}
	for _, m := range t.Methods() {
		row := Function{Name: m.Name, Count: Number(m.Calls), Self: Number(m.Self / 1e9), Total: Number(m.Total / 1e9), SelfBase: of(selves, m.Name), Bytes: unknown, Allocs: unknown}
		if m.Counted {
			row.Bytes, row.Allocs = Number(m.SelfBytes), Number(m.OwnObjects)
		}
		if p.Functions = append(p.Functions, row); len(p.Functions) == mostFunctions {
			break
		}
	}
	var walk func(calls []*calltree.Call, parent int)
	walk = func(calls []*calltree.Call, parent int) {
		sorted := slices.SortedStableFunc(slices.Values(calls), func(a, b *calltree.Call) int { return cmp.Compare(b.Total, a.Total) })
		for _, c := range sorted {
			if len(p.Calls) >= mostCalls {
				return
			}
			call := Call{Name: c.Name, Parent: parent, Count: Number(c.Calls), Total: Number(c.Total / 1e9), Self: Number(c.Self / 1e9), Max: Number(c.Max / 1e9), Bytes: unknown, Allocs: unknown, Base: of(totals, c.Path)}
			if c.Counted {
				call.Bytes, call.Allocs = Number(c.Bytes), Number(c.Objects)
			}
			p.Calls = append(p.Calls, call)
			walk(c.Children, len(p.Calls)-1)
		}
	}
	walk(t.Scopes, -1)
	if !t.Placed {
		p.Notes = append(p.Notes, "The report does not show how scopes are nested, so own times and shares of the run are unknown.")
	}
	if t.Counted && !t.Printed {
		p.Notes = append(p.Notes, "Bytes and objects are counted for the whole process, in a separate pass.")
	}
}
