package reports

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// An ExplanationDocument has kind "explanation": where the difference of
// benchmarks comes from.
type ExplanationDocument struct {
	Head
	Explanations []ExplainedDocument `json:"explanations"`
}

// An ExplainedDocument is one benchmark, or the scopes of one target's profile.
type ExplainedDocument struct {
	Target string `json:"target"`
	NamedBenchmark
	Base          string                  `json:"base_commit"`
	HeadCommit    string                  `json:"head_commit"`
	Trial         string                  `json:"trial,omitempty"`
	Verdict       string                  `json:"verdict,omitempty"` // of the time
	Time          *ComparedRow            `json:"time,omitempty"`    // none of scopes, nor of allocations alone
	Contributions []ContributionsDocument `json:"contributions"`
	Profiles      []ProfileFileDocument   `json:"profiles"`
}

// A ContributionsDocument is one kind of cost: sec/op, B/op, allocs/op of
// functions, or sec of a suite's scopes. Parts are ordered: those that are
// certain first, then by the size of the difference.
type ContributionsDocument struct {
	Unit      string         `json:"unit"`
	Suite     string         `json:"suite,omitempty"`
	Base      Number         `json:"base"`
	HeadValue Number         `json:"head"`
	Change    ShiftDocument  `json:"change"`    // in the unit, of head less base
	Samples   [2]Number      `json:"samples"`   // base, head; 0 where costs are not sampled
	Processes [2]int         `json:"processes"` // or rounds, of scopes
	Spread    [2]Number      `json:"spread"`    // of samples: by how much more they vary than those of one distribution
	Parts     []PartDocument `json:"parts"`
	Caveats   []PartCaveat   `json:"caveats"`
}

// A PartDocument is one function or call path. Certain says that the interval
// of the difference leaves 0 out; share is the part of the whole change,
// null where that may be chance.
type PartDocument struct {
	Name       string    `json:"name"`
	Base       Number    `json:"base"`
	Head       Number    `json:"head"`
	Samples    [2]Number `json:"samples"`
	Difference Number    `json:"difference"`
	Lo         Number    `json:"difference_lo"`
	Hi         Number    `json:"difference_hi"`
	Certain    bool      `json:"certain"`
	Share      Number    `json:"share"`
	// Cumulative is of the function with all that it calls; absent where it is not known.
	Cumulative *CumulativeDocument `json:"cumulative,omitempty"`
	Changed    bool                `json:"changed"` // the commits between the sides change it
}

// A CumulativeDocument is what a function takes with all that it calls.
type CumulativeDocument struct {
	Base       Number    `json:"base"`
	Head       Number    `json:"head"`
	Samples    [2]Number `json:"samples"`
	Difference Number    `json:"difference"`
	Lo         Number    `json:"difference_lo"`
	Hi         Number    `json:"difference_hi"`
	Certain    bool      `json:"certain"`
}

// A PartCaveat is what the reader must know of contributions.
type PartCaveat struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
}

// A ProfileFileDocument is a file that go tool pprof opens.
type ProfileFileDocument struct {
	Kind string `json:"profile"` // cpu or allocs
	Side string `json:"side"`
	Path string `json:"path"`
}

func newExplanationDocument(explained []*Explained) ExplanationDocument {
	return ExplanationDocument{Head{SchemaVersion, "explanation"}, explainedDocuments(explained)}
}

func explainedDocuments(explained []*Explained) []ExplainedDocument {
	all := []ExplainedDocument{}
	for _, e := range explained {
		out := ExplainedDocument{
			Target: e.Target, NamedBenchmark: named(e.BenchmarkID), Base: e.Base.SHA, HeadCommit: e.Head.SHA, Trial: e.Trial,
			Contributions: []ContributionsDocument{}, Profiles: []ProfileFileDocument{},
		}
		if e.Time != nil {
			row := comparedRow(e.Time)
			out.Verdict, out.Time = string(e.Time.Verdict), &row
		}
		for _, c := range e.Parts {
			out.Contributions = append(out.Contributions, contributionsDocument(c))
		}
		for _, p := range e.Profiles {
			out.Profiles = append(out.Profiles, ProfileFileDocument{p.Kind, string(p.Side), p.Path})
		}
		all = append(all, out)
	}
	return all
}

// WithExplanations is the report whose JSON has explanations, too. The other formats
// show them as a report of their own, see [Explanation].
func (r Report) WithExplanations(explained ...*Explained) Report {
	document := r.document
	r.document = func() any {
		switch d := document().(type) {
		case ComparisonDocument:
			d.Explanations = explainedDocuments(explained)
			return d
		case TableDocument:
			d.Explanations = explainedDocuments(explained)
			return d
		default:
			return d
		}
	}
	return r
}

// ReadExplanation reads what [JSON] wrote of an [Explanation] of one benchmark: all
// that is shown of it, but for what the user called the sides.
func ReadExplanation(text []byte) (*Explained, error) {
	var d ExplanationDocument
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read explanation: %w", err)
	}
	if d.SchemaVersion != SchemaVersion || d.Kind != "explanation" || len(d.Explanations) != 1 {
		return nil, fmt.Errorf("read explanation: %q of schema %d with %d parts is none of one benchmark", d.Kind, d.SchemaVersion, len(d.Explanations))
	}
	in := d.Explanations[0]
	e := &Explained{
		Target: in.Target, BenchmarkID: record.BenchmarkID{Kind: record.Kind(in.Kind), Package: in.Package, Suite: in.Suite, Name: in.Name},
		Base: record.Commit{SHA: in.Base}, Head: record.Commit{SHA: in.HeadCommit}, Trial: in.Trial,
	}
	if in.Time != nil {
		e.Time = in.Time.row()
	}
	for _, c := range in.Contributions {
		e.Parts = append(e.Parts, c.contributions())
	}
	for _, p := range in.Profiles {
		e.Profiles = append(e.Profiles, ExplainedProfile{p.Kind, record.Side(p.Side), p.Path})
	}
	return e, nil
}

func (d SummaryDocument) summary() compare.Summary {
	lo, hi := openEnds(d.Lo, d.Hi)
	return compare.Summary{Center: float64(d.Center), Lo: lo, Hi: hi, N: d.N}
}

func (d ShiftDocument) shift() compare.Shift {
	lo, hi := openEnds(d.Lo, d.Hi)
	return compare.Shift{Center: float64(d.Center), Lo: lo, Hi: hi, Absolute: d.Absolute}
}

// openEnds are those of an interval: null is an end that too few samples leave open.
func openEnds(lo, hi Number) (float64, float64) {
	l, h := float64(lo), float64(hi)
	if l != l {
		l = math.Inf(-1)
	}
	if h != h {
		h = math.Inf(1)
	}
	return l, h
}

// row has of the row what an explanation shows.
func (d *ComparedRow) row() *compare.Row {
	return &compare.Row{
		BenchmarkID: record.BenchmarkID{Kind: record.Kind(d.Kind), Package: d.Package, Suite: d.Suite, Name: d.Name},
		Unit:        d.Unit, OrigUnit: d.UnitStored, Better: d.Better, Base: d.Base.summary(), Head: d.Head.summary(),
		Delta: float64(d.Delta), P: float64(d.P), Derived: d.Derived, Exact: d.Exact,
		Decision: compare.Decision{
			Verdict: compare.Verdict(d.Verdict), Reason: d.Reason, Threshold: float64(d.Threshold), Tested: d.Tested,
			AdjustedP: float64(d.AdjustedP), Shift: d.Shift.shift(), Bound: float64(d.Bound), Need: d.Need,
		},
	}
}

func (d ContributionsDocument) contributions() *compare.Contributions {
	c := &compare.Contributions{
		Unit: d.Unit, Suite: d.Suite, Total: compare.Pair{Base: float64(d.Base), Head: float64(d.HeadValue)}, Change: d.Change.shift(),
		Samples: [2]float64{float64(d.Samples[0]), float64(d.Samples[1])}, Processes: d.Processes, Spread: [2]float64{float64(d.Spread[0]), float64(d.Spread[1])},
	}
	for _, p := range d.Parts {
		c.Parts = append(c.Parts, compare.Contribution{
			Function: p.Name, Pair: compare.Pair{Base: float64(p.Base), Head: float64(p.Head)}, Samples: [2]float64{float64(p.Samples[0]), float64(p.Samples[1])},
			Difference: ShiftDocument{p.Difference, p.Lo, p.Hi, true}.shift(), Cumulative: p.Cumulative.cumulative(), Changed: p.Changed,
		})
	}
	for _, v := range d.Caveats {
		c.Caveats = append(c.Caveats, compare.Caveat{Code: v.Code, Text: v.Text, Detail: v.Detail})
	}
	return c
}

func contributionsDocument(c *compare.Contributions) ContributionsDocument {
	d := ContributionsDocument{
		Unit: c.Unit, Suite: c.Suite, Base: Number(c.Total.Base), HeadValue: Number(c.Total.Head),
		Change: ShiftDocument{Number(c.Change.Center), Number(c.Change.Lo), Number(c.Change.Hi), c.Change.Absolute}, Samples: pairOf(c.Samples),
		Processes: c.Processes, Spread: pairOf(c.Spread), Parts: []PartDocument{}, Caveats: []PartCaveat{},
	}
	for _, p := range c.Parts {
		s := p.Difference
		d.Parts = append(d.Parts, PartDocument{
			p.Function, Number(p.Base), Number(p.Head), pairOf(p.Samples), Number(s.Center), Number(s.Lo), Number(s.Hi), p.Certain(), Number(c.Share(p)),
			cumulativeDocument(p.Cumulative), p.Changed,
		})
	}
	for _, v := range c.Caveats {
		d.Caveats = append(d.Caveats, PartCaveat{v.Code, v.Text, v.Detail})
	}
	return d
}

func cumulativeDocument(c *compare.Cumulative) *CumulativeDocument {
	if c == nil {
		return nil
	}
	s := c.Difference
	return &CumulativeDocument{Number(c.Base), Number(c.Head), pairOf(c.Samples), Number(s.Center), Number(s.Lo), Number(s.Hi), c.Certain()}
}

func (d *CumulativeDocument) cumulative() *compare.Cumulative {
	if d == nil {
		return nil
	}
	return &compare.Cumulative{
		Pair: compare.Pair{Base: float64(d.Base), Head: float64(d.Head)}, Samples: [2]float64{float64(d.Samples[0]), float64(d.Samples[1])},
		Difference: ShiftDocument{d.Difference, d.Lo, d.Hi, true}.shift(),
	}
}

func pairOf(values [2]float64) [2]Number { return [2]Number{Number(values[0]), Number(values[1])} }

func cumulativeRecords(c *compare.Cumulative) []csvField {
	if c == nil {
		return []csvField{text(""), text(""), text(""), text(""), text(""), text("")}
	}
	d := c.Difference
	return []csvField{num(c.Base), num(c.Head), num(d.Center), num(d.Lo), num(d.Hi), boolean(c.Certain())}
}

// explanationRecords has a line for each function or scope of each cost.
func explanationRecords(explained []*Explained) [][]csvField {
	out := [][]csvField{header(`target kind package suite name base_commit head_commit unit part base head
		base_samples head_samples difference difference_lo difference_hi certain share
		cumulative_base cumulative_head cumulative_difference cumulative_lo cumulative_hi cumulative_certain changed`)}
	for _, e := range explained {
		for _, c := range e.Parts {
			id := e.BenchmarkID
			if c.Suite != "" {
				id.Suite = c.Suite
			}
			for _, p := range c.Parts {
				s := p.Difference
				line := append(idRecords(e.Target, id), text(e.Base.SHA), text(e.Head.SHA), text(c.Unit), text(p.Function),
					num(p.Base), num(p.Head), num(p.Samples[0]), num(p.Samples[1]), num(s.Center), num(s.Lo), num(s.Hi), boolean(p.Certain()), num(c.Share(p)))
				out = append(out, append(append(line, cumulativeRecords(p.Cumulative)...), boolean(p.Changed)))
			}
		}
	}
	return out
}
