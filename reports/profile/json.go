package profile

import (
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// document describes the document of kind "profile": the call tree of each suite in its median
// round.
func document(trees []suite) reports.Object {
	return reports.Object{{"profiles", reports.Objects(&trees, suiteFields)}}
}

// suiteFields describes the call tree of one suite. Times are in seconds and sizes in bytes. They
// are totals for the round, except for min and max, which are for a single call. Values missing in
// an imported report are null. If the nesting of the scopes is unknown, all of them are at the top
// level.
func suiteFields(p *suite) reports.Object {
	methods := p.tree.Methods()
	savings, collections, processes := p.pairs(methods), p.collections(), p.processes()
	insights := []string{}
	for _, n := range p.insights(methods) {
		insights = append(insights, n.Text+" "+n.Detail)
	}
	var rounds []float64
	for _, ns := range p.tree.Totals {
		rounds = append(rounds, ns/1e9)
	}
	return slices.Concat(reports.RunFields(p.run, p.run.ID()), reports.Object{
		{"package", p.tree.Package},
		{"suite", p.tree.Suite},
		{"round", p.tree.Round},
		{"seconds", p.tree.Total / 1e9},
		{"busy_seconds", p.tree.Busy / 1e9},                                         // sum of all self times, more than seconds if workers ran in parallel
		{"no_scope_seconds", p.tree.Gap / 1e9},                                      // the part of seconds spent outside of all scopes
		{"bytes", reports.Known(&p.tree.Bytes, p.tree.Counted)},                     // number of bytes allocated in total
		{"round_seconds", rounds},                                                   // durations of all rounds, in ascending order
		{"methods", reports.Objects(&methods, reports.Pointed(methodTotalsFields))}, // in descending order of self time
		{"scopes", reports.Objects(&p.tree.Scopes, reports.Pointed(scopeFields))},   // the call hierarchy
		{"imported", reports.Optional(p.tree.Printed)},
		{"nesting_known", p.tree.Placed},
		{"insights", insights},
		{"savings", reports.Optional(reports.Objects(&savings, savingFields))},
		{"collections", reports.Optional(reports.Objects(&collections, collectedFields))},
		{"processes", reports.Optional(reports.Objects(&processes, neededFields))}, // one element for each recorded round
	})
}

// savingFields describes two methods for the same work, one of them allocating less: their average
// allocations per call and their fastest calls.
func savingFields(p *pair) reports.Object {
	side := func(m *tree.Method, bytes, objects float64) reports.Object {
		return reports.Object{{"name", m.Name}, {"bytes_per_call", bytes}, {"objects_per_call", objects}, {"min_seconds", m.Min / 1e9}}
	}
	bytesWithout, bytesWith := p.bytesACall()
	objectsWithout, objectsWith := p.objectsACall()
	return reports.Object{
		{"way", p.saving.Heading},
		{"without", side(p.without, bytesWithout, objectsWithout)},
		{"with", side(p.with, bytesWith, objectsWith)},
		{"saved", p.saved()}, // saved share of the bytes; null if unknown
	}
}

// collectedFields describes the garbage collections and the peak memory in a scope. Values that the
// program did not print are null.
func collectedFields(c *collected) reports.Object {
	return reports.Object{{"path", c.path}, {"collections_per_call", c.gc}, {"peak_bytes", c.peak}}
}

// neededFields describes the garbage collections and the peak memory of the process in a round.
// Unknown values are null.
func neededFields(n *needed) reports.Object {
	return reports.Object{
		{"round", n.round}, {"collections", n.cycles}, {"collection_pause_seconds", n.pause / 1e9},
		{"peak_heap_bytes", n.heap}, {"peak_resident_bytes", n.resident},
	}
}

// methodTotalsFields describes all calls of a method on all paths.
func methodTotalsFields(m *tree.Method) reports.Object {
	return slices.Concat(reports.Object{{"name", m.Name}}, callFields(&m.Call))
}

// scopeFields describes one call path. If several scopes called the path, within lists them; the
// path is then at the top level, and the scopes' seconds do not include its time.
func scopeFields(c *tree.Call) reports.Object {
	return slices.Concat(reports.Object{{"path", c.Path}, {"name", c.Name}}, callFields(c), reports.Object{
		{"within", reports.Optional(c.Within)},
		{"scopes", reports.Optional(reports.Objects(&c.Children, reports.Pointed(scopeFields)))},
	})
}

// callFields describes the measured calls of a method or path. bytes, self_bytes and objects are
// null if allocations were not counted. If a scope waited for workers, its own time is in
// waiting_seconds and not in self_seconds.
func callFields(c *tree.Call) reports.Object {
	return reports.Object{
		{"calls", c.Calls},
		{"seconds", c.Total / 1e9},
		{"self_seconds", c.Self / 1e9},
		{"min_seconds", c.Min / 1e9},
		{"max_seconds", c.Max / 1e9},
		{"bytes", reports.Known(&c.Bytes, c.Counted)},
		{"self_bytes", reports.Known(&c.SelfBytes, c.Counted)},
		{"objects", reports.Known(&c.Objects, c.Counted)},
		{"waiting_seconds", c.Waiting / 1e9},
	}
}
