package profile

import (
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// document describes the document of kind "profile": the call trees of runs, each as its
// median round has it.
func document(trees []suite) reports.Object {
	return reports.Object{{"profiles", reports.Objects(&trees, suiteFields)}}
}

// suiteFields are the call tree of one suite. Times are in seconds, sizes in bytes; all
// are sums over the round, except min and max, which are of one call. What an imported
// report does not tell is null; if it does not tell which scopes lie in which, all of
// them are at the top.
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
		{"busy_seconds", p.tree.Busy / 1e9},                                         // the sum of all self times: more than seconds where workers ran beside
		{"no_scope_seconds", p.tree.Gap / 1e9},                                      // of seconds that lie in no scope
		{"bytes", reports.Known(&p.tree.Bytes, p.tree.Counted)},                     // allocated in all
		{"round_seconds", rounds},                                                   // of all rounds, ascending
		{"methods", reports.Objects(&methods, reports.Pointed(methodTotalsFields))}, // by falling self time
		{"scopes", reports.Objects(&p.tree.Scopes, reports.Pointed(scopeFields))},   // the hierarchy
		{"imported", reports.Optional(p.tree.Printed)},
		{"nesting_known", p.tree.Placed}, // it is known which scopes lie in which
		{"insights", insights},
		{"savings", reports.Optional(reports.Objects(&savings, savingFields))},
		{"collections", reports.Optional(reports.Objects(&collections, collectedFields))},
		{"processes", reports.Optional(reports.Objects(&processes, neededFields))}, // one a round, as far as they were recorded
	})
}

// savingFields are two methods that do the same, of which one is to allocate less: what a call
// of each allocates on average, and how long its fastest call took.
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
		{"saved", p.saved()}, // the part of the bytes that is no longer allocated, null where nothing was
	}
}

// collectedFields are what a program says of its collector in a scope; null where it does not.
func collectedFields(c *collected) reports.Object {
	return reports.Object{{"path", c.path}, {"collections_per_call", c.gc}, {"peak_bytes", c.peak}}
}

// neededFields are what the process of a round needed; null where that is not known.
func neededFields(n *needed) reports.Object {
	return reports.Object{
		{"round", n.round}, {"collections", n.cycles}, {"collection_pause_seconds", n.pause / 1e9},
		{"peak_heap_bytes", n.heap}, {"peak_resident_bytes", n.resident},
	}
}

// methodTotalsFields are all calls of one name.
func methodTotalsFields(m *tree.Method) reports.Object {
	return slices.Concat(reports.Object{{"name", m.Name}}, callFields(&m.Call))
}

// scopeFields are one call path. One that lies in several scopes names them as within; it
// stands at the top and is not part of the seconds of any of them.
func scopeFields(c *tree.Call) reports.Object {
	return slices.Concat(reports.Object{{"path", c.Path}, {"name", c.Name}}, callFields(c), reports.Object{
		{"within", reports.Optional(c.Within)},
		{"scopes", reports.Optional(reports.Objects(&c.Children, reports.Pointed(scopeFields)))},
	})
}

// callFields are what was measured of calls. Bytes and objects are null if allocations
// were not counted. The own time of a scope that waited for workers is waiting, not self.
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
