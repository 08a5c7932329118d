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

// document describes the document of kind "explanation": where the difference of
// benchmarks comes from. The contributions are those of the functions of a benchmark, in
// sec/op, B/op and allocs/op; those that name a suite are of the scopes of its profile,
// in sec.
func document(explained *[]*Explanation) reports.Object {
	return reports.Object{{"explanations", reports.Objects(explained, reports.Pointed(explanationFields))}}
}

// explanationFields are one benchmark, or the scopes of one target's profile.
func explanationFields(e *Explanation) reports.Object {
	var verdict compare.Verdict
	if e.Time != nil {
		verdict = e.Time.Verdict
	}
	return slices.Concat(reports.Object{{"target", &e.Target}}, reports.BenchmarkFields(&e.BenchmarkID), reports.Object{
		{"base_commit", &e.Base.SHA},
		{"head_commit", &e.Head.SHA},
		{"trial", reports.Optional(&e.Trial)},
		{"verdict", reports.Optional(verdict)},                // of the time
		{"time", reports.Part(&e.Time, comparison.RowFields)}, // none of scopes, nor of allocations alone
		{"contributions", reports.Objects(&e.Parts, reports.Pointed(contributionsFields))},
		{"profiles", reports.Objects(&e.Profiles, profileFileFields)},
	})
}

// contributionsFields are one kind of cost: sec/op, B/op, allocs/op of functions, or
// sec of a suite's scopes. Parts are ordered: those that are certain first, then by
// the size of the difference.
func contributionsFields(c *tree.Contributions) reports.Object {
	return reports.Object{
		{"unit", &c.Unit},
		{"suite", reports.Optional(&c.Suite)},
		{"base", &c.Total.Base},
		{"head", &c.Total.Head},
		{"change", reports.ShiftFields(&c.Change)}, // in the unit, of head less base
		{"samples", &c.Samples},                    // base, head; 0 where costs are not sampled
		{"processes", &c.Processes},                // or rounds, of scopes
		{"spread", &c.Spread},                      // of samples: by how much more they vary than those of one distribution
		{"parts", reports.Objects(&c.Parts, func(p *tree.Contributor) reports.Object { return partFields(p, c.Share(*p)) })},
		{"caveats", reports.Objects(&c.Caveats, reports.CaveatFields)},
	}
}

// partFields are one function or call path. It is certain if the interval of the
// difference does not contain 0; share is its part of the whole change, null if that may
// be chance.
func partFields(p *tree.Contributor, share float64) reports.Object {
	return slices.Concat(reports.Object{
		{"name", &p.Function}},
		costFields(&p.Pair, &p.Samples, &p.Difference, p.Certain()), reports.Object{
			{"share", share},
			{"cumulative", reports.Part(&p.Cumulative, cumulativeFields)}, // of the function with all that it calls; absent where it is not known
			{"changed", &p.Changed}, // the commits between the sides change it
		})
}

// cumulativeFields are what a function takes with all that it calls.
func cumulativeFields(c *tree.Cumulative) reports.Object {
	return costFields(&c.Pair, &c.Samples, &c.Difference, c.Certain())
}

// costFields are what one function costs on both sides, and the difference with its
// interval.
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

// profileFileFields are a file that go tool pprof opens.
func profileFileFields(p *ProfileFile) reports.Object {
	return reports.Object{
		{"profile", &p.Kind}, // cpu or allocs
		{"side", &p.Side},
		{"path", &p.Path},
	}
}

// Read reads what [reports.JSON] wrote of the [Report] of one benchmark: all that is
// shown of it except what the user called the sides.
func Read(text []byte) (*Explanation, error) {
	var all []*Explanation
	if err := reports.ReadDocument(text, "explanation", document(&all)); err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("read explanation: it is of %d benchmarks, not of one", len(all))
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

// openEnds gives an interval that was read the infinite ends that JSON has as null.
func openEnds(lo, hi *float64) {
	if math.IsNaN(*lo) {
		*lo = math.Inf(-1)
	}
	if math.IsNaN(*hi) {
		*hi = math.Inf(1)
	}
}

// Attach returns the report with explanations in its JSON. The other formats show them as
// a report of their own, see [Report].
func Attach(r reports.Report, explained ...*Explanation) reports.Report {
	return r.With("explanations", reports.Optional(reports.Objects(&explained, reports.Pointed(explanationFields))))
}
