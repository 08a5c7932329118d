package reports

import (
	"github.com/perftrack/perftrack/compare"
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
	d := ExplanationDocument{Head: Head{SchemaVersion, "explanation"}, Explanations: []ExplainedDocument{}}
	for _, e := range explained {
		out := ExplainedDocument{
			Target: e.Target, NamedBenchmark: named(e.BenchmarkID), Base: e.Base.SHA, HeadCommit: e.Head.SHA, Trial: e.Trial,
			Contributions: []ContributionsDocument{}, Profiles: []ProfileFileDocument{},
		}
		if e.Time != nil {
			out.Verdict = string(e.Time.Verdict)
		}
		for _, c := range e.Parts {
			out.Contributions = append(out.Contributions, contributionsDocument(c))
		}
		for _, p := range e.Profiles {
			out.Profiles = append(out.Profiles, ProfileFileDocument{p.Kind, string(p.Side), p.Path})
		}
		d.Explanations = append(d.Explanations, out)
	}
	return d
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
		})
	}
	for _, v := range c.Caveats {
		d.Caveats = append(d.Caveats, PartCaveat{v.Code, v.Text, v.Detail})
	}
	return d
}

func pairOf(values [2]float64) [2]Number { return [2]Number{Number(values[0]), Number(values[1])} }

// explanationRecords has a line for each function or scope of each cost.
func explanationRecords(explained []*Explained) [][]record {
	out := [][]record{header(`target kind package suite name base_commit head_commit unit part base head
		base_samples head_samples difference difference_lo difference_hi certain share`)}
	for _, e := range explained {
		for _, c := range e.Parts {
			id := e.BenchmarkID
			if c.Suite != "" {
				id.Suite = c.Suite
			}
			for _, p := range c.Parts {
				s := p.Difference
				out = append(out, append(idRecords(e.Target, id), text(e.Base.SHA), text(e.Head.SHA), text(c.Unit), text(p.Function),
					num(p.Base), num(p.Head), num(p.Samples[0]), num(p.Samples[1]), num(s.Center), num(s.Lo), num(s.Hi), boolean(p.Certain()), num(c.Share(p))))
			}
		}
	}
	return out
}
