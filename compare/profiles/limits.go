package profiles

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// Judge judges the profiles among runs by the limits on scopes and on whole suites. Each round
// counts as a sample. unmatched names the limits without a match; ok is false if all limits match
// or if there is no profile.
func Judge(ls compare.Limits, runs ...*record.Run) (all []compare.RunLimit, unmatched compare.Caveat, ok bool) {
	matched, profiled := compare.Matching{}, false
	for _, run := range runs {
		for _, t := range tree.Of(run) {
			profiled = true
			for _, s := range figures(run, t) {
				name := s.name
				if s.on == limit.Profile {
					name = t.Suite
				}
				matched.Add(ls.List, s.on, name, s.unit)
				of, found := ls.JudgeOn(s.on, name, s.values, s.unit, s.exact)
				for i, l := range of {
					id := record.BenchmarkID{Kind: record.Scope, Package: t.Package, Suite: t.Suite, Name: s.name}
					all = append(all, compare.RunLimit{Limit: l, Run: run, ID: id, Unit: s.unit, Judged: found[i]})
				}
			}
		}
	}
	unmatched, ok = matched.Caveat(ls.List)
	return all, unmatched, ok && profiled
}

// A figure holds one value per round of a profile, for a scope or, if the name is empty, for the
// suite.
type figure struct {
	on         limit.Subject
	name, unit string
	values     []float64
	exact      bool // the unit is declared exact
}

// figures returns the figures of a tree, with a value for each round that has one.
func figures(run *record.Run, t *tree.Tree) (out []figure) {
	at := map[[2]string]int{}
	add := func(on limit.Subject, name, unit string, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		i, ok := at[[2]string{name, unit}]
		if !ok {
			i = len(out)
			at[[2]string{name, unit}] = i
			exact := unit == "B/op" && run.Exact(unit) || unit == "allocs/op" && run.Exact(unit)
			out = append(out, figure{on: on, name: name, unit: unit, exact: exact})
		}
		out[i].values = append(out[i].values, x)
	}
	for _, round := range t.Rounds(run) {
		add(limit.Profile, "", limit.RunTime, round.Total/1e9)
		if round.Counted {
			add(limit.Profile, "", limit.Allocated, round.Bytes)
		}
		for _, m := range round.Methods() {
			calls := float64(m.Calls)
			add(limit.Scope, m.Name, "sec/op", m.Total/calls/1e9)
			add(limit.Scope, m.Name, limit.OwnTime, m.Self/calls/1e9)
			add(limit.Scope, m.Name, limit.Share, 100*m.Total/round.Total)
			add(limit.Scope, m.Name, limit.OwnShare, 100*m.Self/round.Base())
			if m.Counted {
				add(limit.Scope, m.Name, "B/op", m.Bytes/calls)
				add(limit.Scope, m.Name, limit.OwnBytes, m.SelfBytes/calls)
				add(limit.Scope, m.Name, "allocs/op", m.Objects/calls)
			}
		}
	}
	for _, p := range record.Processes(run) {
		if p.Package != t.Package || p.Suite != t.Suite {
			continue
		}
		add(limit.Profile, "", limit.Collections, orNaN(p.Cycles))
		add(limit.Profile, "", limit.PeakHeap, orNaN(p.Heap))
		if p.Resident > 0 {
			add(limit.Profile, "", limit.PeakResident, float64(p.Resident))
		}
	}
	return out
}

// orNaN returns the value, or NaN if it is unknown.
func orNaN(x *int64) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}
