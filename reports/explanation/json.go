package explanation

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// document describes the document of kind "explanation": the contributions to the differences of
// benchmarks. Contributions of functions are in sec/op, B/op and allocs/op. If suite is set, the
// contributions are from scopes in the suite's profile, in sec.
func document(explained *[]*Explanation) reports.Object {
	return reports.Object{{"explanations", reports.Objects(explained, reports.Pointed(explanationFields))}}
}

// explanationFields describes one benchmark, or the scopes in the profile of one target.
func explanationFields(e *Explanation) reports.Object {
	var verdict compare.Verdict
	if e.Time != nil {
		verdict = e.Time.Verdict
	}
	return slices.Concat(reports.Object{{"target", &e.Target}}, reports.BenchmarkFields(&e.BenchmarkID), reports.Object{
		{"base_commit", &e.Base.SHA},
		{"head_commit", &e.Head.SHA},
		{"trial", reports.Optional(&e.Trial)},
		{"verdict", reports.Optional(verdict)},                // verdict on the time
		{"time", reports.Part(&e.Time, comparison.RowFields)}, // absent for scopes and if only allocations are explained
		{"contributions", reports.Objects(&e.Parts, reports.Pointed(contributionsFields))},
		{"profiles", reports.Objects(&e.Profiles, profileFileFields)},
	})
}

// contributionsFields describes one kind of cost: sec/op, B/op or allocs/op for functions, or sec
// for the scopes of a suite. Certain parts come first; the others are sorted by the size of their
// difference.
func contributionsFields(c *tree.Contributions) reports.Object {
	return reports.Object{
		{"unit", &c.Unit},
		{"suite", reports.Optional(&c.Suite)},
		{"base", &c.Total.Base},
		{"head", &c.Total.Head},
		{"change", reports.ShiftFields(&c.Change)}, // head minus base, in unit
		{"samples", &c.Samples},                    // numbers of samples of base and head; 0 if the cost was not sampled
		{"processes", &c.Processes},                // numbers of processes of base and head; for scopes, numbers of rounds
		{"spread", &c.Spread},                      // variation of the samples between processes, relative to the variation expected if all came from one distribution
		{"parts", reports.Objects(&c.Parts, func(p *tree.Contributor) reports.Object { return partFields(p, c.Share(*p)) })},
		{"caveats", reports.Objects(&c.Caveats, reports.CaveatFields)},
	}
}

// partFields describes one function or call path. certain is true if the interval of the difference
// does not contain 0. share is the part's share of the whole change; it is null if the change may
// be due to chance.
func partFields(p *tree.Contributor, share float64) reports.Object {
	return slices.Concat(reports.Object{
		{"name", &p.Function}},
		costFields(&p.Pair, &p.Samples, &p.Difference, p.Certain()), reports.Object{
			{"share", share},
			{"cumulative", reports.Part(&p.Cumulative, cumulativeFields)}, // the function including its calls; absent if unknown
			{"changed", &p.Changed}, // whether the commits between the two sides changed the function
		})
}

// cumulativeFields describes the cost of a function including its calls.
func cumulativeFields(c *tree.Cumulative) reports.Object {
	return costFields(&c.Pair, &c.Samples, &c.Difference, c.Certain())
}

// costFields describes the cost of a function on both sides and the difference with its interval.
func costFields(cost *tree.Pair, samples *[2]float64, difference *stat.Shift, certain bool) reports.Object {
	return reports.Object{
		{"base", &cost.Base},
		{"head", &cost.Head},
		{"samples", samples},
		{"difference", &difference.Center},
		{"difference_lo", &difference.Lo},
		{"difference_hi", &difference.Hi},
		{"certain", certain},
	}
}

// profileFileFields describes a profile for go tool pprof.
func profileFileFields(p *ProfileFile) reports.Object {
	return reports.Object{
		{"profile", &p.Kind}, // cpu or allocs
		{"side", &p.Side},
		{"path", &p.Path},
	}
}

// Read reads the JSON of a [Report] on one benchmark. The result has no Labels, because the JSON
// does not contain them.
func Read(text []byte) (*Explanation, error) {
	var all []*Explanation
	if err := reports.ReadDocument(text, "explanation", document(&all)); err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("read explanation: it has %d benchmarks instead of 1", len(all))
	}
	e := all[0]
	if t := e.Time; t != nil {
		openEnds(&t.Base.Lo, &t.Base.Hi)
		openEnds(&t.Head.Lo, &t.Head.Hi)
		openEnds(&t.Shift.Lo, &t.Shift.Hi)
	}
	for _, c := range e.Parts {
		openEnds(&c.Change.Lo, &c.Change.Hi)
		for i := range c.Parts {
			p := &c.Parts[i]
			p.Difference.Absolute = true
			openEnds(&p.Difference.Lo, &p.Difference.Hi)
			if p.Cumulative != nil {
				p.Cumulative.Difference.Absolute = true
				openEnds(&p.Cumulative.Difference.Lo, &p.Cumulative.Difference.Hi)
			}
		}
	}
	return e, nil
}

// openEnds restores the infinite ends of an interval (null in JSON).
func openEnds(lo, hi *float64) {
	if math.IsNaN(*lo) {
		*lo = math.Inf(-1)
	}
	if math.IsNaN(*hi) {
		*hi = math.Inf(1)
	}
}

// Attach returns the report with explanations added to its JSON. For other formats, make a separate
// [Report] of the explanations.
func Attach(r reports.Report, explained ...*Explanation) reports.Report {
	return r.With("explanations", reports.Optional(reports.Objects(&explained, reports.Pointed(explanationFields))))
}
