package reports

import (
	"github.com/perftrack/perftrack/compare"
)

// A ComparisonDocument has kind "comparison".
type ComparisonDocument struct {
	Head
	// Trial is whether the sides were measured together; without, no row has
	// a verdict but suspect. In a trial that is one where the code was not laid out
	// anew each round.
	Trial        bool               `json:"trial"`
	Alpha        Number             `json:"alpha"`             // family-wise error rate of the verdicts
	Confidence   Number             `json:"confidence"`        // of the interval of each center
	CompareAlpha Number             `json:"compare_alpha"`     // benchstat's, for one row
	Tested       int                `json:"tested"`            // rows tested: the family of adjusted_p
	Verdicts     map[string]int     `json:"verdicts"`          // how many rows have each; all verdicts are listed
	Command      string             `json:"command,omitempty"` // decides what is suspect
	Base         SideDocument       `json:"base"`
	HeadSide     SideDocument       `json:"head"`
	Tables       []ComparedTable    `json:"tables"`
	Missing      []UnpairedDocument `json:"missing"`
	New          []UnpairedDocument `json:"new"`
	Failures     []FailureDocument  `json:"failures"`
	// SameCode was not measured, Rewritten could not be compared: of checks only.
	SameCode  []SameCodeDocument  `json:"same_code,omitempty"`
	Rewritten []RewrittenDocument `json:"rewritten,omitempty"`
	Caveats   []CaveatDocument    `json:"caveats"`
	// NotChecked is there where benchmarks ended before any look could have flagged
	// them; Error, too, where that made a check or a gate fail.
	NotChecked *NotCheckedDocument `json:"not_checked,omitempty"`
	Error      *ErrorDocument      `json:"error,omitempty"`
	// Profiles are there where both sides are profiles or runs of the engine's
	// suites: one a target, suite and environment.
	Profiles []ProfilesDocument `json:"profiles,omitempty"`
	// Explanations say where regressions come from, if that was asked for.
	Explanations []ExplainedDocument `json:"explanations,omitempty"`
}

// A SameCodeDocument is a package that is the same code on both sides.
type SameCodeDocument struct {
	Target     string `json:"target"`
	Package    string `json:"package"`
	Benchmarks int    `json:"benchmarks"`
}

// A RewrittenDocument is a benchmark whose own function changed.
type RewrittenDocument struct {
	Target  string `json:"target"`
	Package string `json:"package"`
	Name    string `json:"name"`
}

// A NotCheckedDocument counts what a trial left out for want of rounds.
type NotCheckedDocument struct {
	Benchmarks int    `json:"benchmarks"`
	Rounds     int    `json:"rounds"`                   // that the last of them needs
	Budget     Number `json:"budget_seconds,omitempty"` // that would do, where it is known
}

// An ErrorDocument is what made a command fail, as kind and message.
type ErrorDocument struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// A SideDocument is one side with its runs.
type SideDocument struct {
	Label string           `json:"label"`
	Runs  []HeaderDocument `json:"runs"`
}

// A ComparedTable holds the rows of one target, kind, package, suite,
// environment and unit. Geomean ratios are over the rows of the table.
type ComparedTable struct {
	Target     string               `json:"target"`
	Kind       string               `json:"benchmark_kind"`
	Package    string               `json:"package"`
	Suite      string               `json:"suite"`
	Unit       string               `json:"unit"`
	Trial      bool                 `json:"trial"`
	OfTrial    string               `json:"of_trial,omitempty"` // which one, where several were compared
	Comparable bool                 `json:"comparable"`
	Different  []DifferenceDocument `json:"environment_differences"`
	Rows       []ComparedRow        `json:"rows"`
	Geomean    GeomeanDocument      `json:"geomean"`
}

// A DifferenceDocument is a fact on which the environments differ.
type DifferenceDocument struct {
	Key  string `json:"key"`
	Base string `json:"base"`
	Head string `json:"head"`
}

// A ComparedRow is one benchmark. delta and p are benchstat's; adjusted_p,
// shift, bound, need and verdict are perftrack's decision, null, 0 or "" where
// none was made.
type ComparedRow struct {
	NamedBenchmark
	Unit       string           `json:"unit"`
	UnitStored string           `json:"unit_stored"`
	Better     int              `json:"better"` // +1 higher, -1 lower, 0 unknown
	Base       SummaryDocument  `json:"base"`
	Head       SummaryDocument  `json:"head"`
	Delta      Number           `json:"delta"`
	P          Number           `json:"p"`
	Derived    bool             `json:"derived"`
	Exact      bool             `json:"exact"`
	Tested     bool             `json:"tested"`
	Threshold  Number           `json:"threshold"`
	Noise      Number           `json:"noise,omitempty"` // known noise floor
	AdjustedP  Number           `json:"adjusted_p"`
	Shift      ShiftDocument    `json:"shift"`
	Bound      Number           `json:"bound"` // largest relative change that the interval leaves possible
	Verdict    string           `json:"verdict"`
	Reason     string           `json:"reason,omitempty"`
	Need       int              `json:"need,omitempty"` // samples a side needed at least for a verdict
	Notes      []CaveatDocument `json:"notes,omitempty"`
	// Within are the rows of the table that directly contain this one; one_with
	// is the row whose change this row shows too, so that it is counted once.
	Within  []string `json:"within,omitempty"`
	OneWith string   `json:"one_with,omitempty"`
}

// A ShiftDocument is the estimated change of head over base: a fraction, or in
// the row's unit where absolute.
type ShiftDocument struct {
	Center   Number `json:"center"`
	Lo       Number `json:"lo"`
	Hi       Number `json:"hi"`
	Absolute bool   `json:"absolute"`
}

// A GeomeanDocument is the last row of a table.
type GeomeanDocument struct {
	Base  Number           `json:"base"`
	Head  Number           `json:"head"`
	Ratio Number           `json:"ratio"`
	Notes []CaveatDocument `json:"notes,omitempty"`
}

// An UnpairedDocument is a benchmark that one side lacks, or one unit of it.
type UnpairedDocument struct {
	Target string `json:"target"`
	NamedBenchmark
	Unit string `json:"unit,omitempty"`
}

// A FailureDocument is a benchmark that failed.
type FailureDocument struct {
	Side      string `json:"side"`
	Target    string `json:"target"`
	Benchmark string `json:"benchmark"`
	Reason    string `json:"reason"`
}

// A CaveatDocument is what the reader of a number must know. Codes are stable.
type CaveatDocument struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
}

func newComparisonDocument(c *compare.Comparison) ComparisonDocument {
	d := ComparisonDocument{
		Head: Head{SchemaVersion, "comparison"}, Trial: c.Trial(),
		Alpha: Number(c.Options.Alpha), Confidence: Number(c.Options.Confidence), CompareAlpha: Number(c.Options.CompareAlpha),
		Tested: c.Tested, Verdicts: map[string]int{},
		Base: sideDocument(c.Base), HeadSide: sideDocument(c.Head),
		Tables: []ComparedTable{}, Missing: unpaired(c.Missing), New: unpaired(c.New),
		Failures: []FailureDocument{}, Caveats: caveatDocuments(c.Caveats),
	}
	for _, v := range compare.Verdicts {
		d.Verdicts[string(v)] = c.Count(v)
	}
	if d.Verdicts[string(compare.Suspect)] > 0 && !c.Trial() {
		d.Command = c.DecideCommand()
	}
	for i := range c.Tables {
		d.Tables = append(d.Tables, comparedTable(&c.Tables[i]))
	}
	for _, p := range c.Profiles() {
		d.Profiles = append(d.Profiles, profilesDocument(p))
	}
	for _, s := range c.Same {
		d.SameCode = append(d.SameCode, SameCodeDocument(s))
	}
	for _, w := range c.Rewritten {
		d.Rewritten = append(d.Rewritten, RewrittenDocument(w))
	}
	if u := c.NotChecked(); u.Benchmarks > 0 {
		d.NotChecked = &NotCheckedDocument{u.Benchmarks, u.Rounds, Number(u.Budget.Seconds())}
	}
	for _, f := range c.Failures {
		d.Failures = append(d.Failures, FailureDocument{string(f.Side), f.Target, f.Benchmark, f.Reason})
	}
	return d
}

// WithError is the report whose JSON says that the command failed although the report
// could be made.
func (r Report) WithError(kind, message string) Report {
	document := r.document
	r.document = func() any {
		d := document()
		if c, ok := d.(ComparisonDocument); ok {
			c.Error = &ErrorDocument{kind, message}
			return c
		}
		return d
	}
	return r
}

func sideDocument(s compare.Side) SideDocument {
	d := SideDocument{Label: s.Label, Runs: []HeaderDocument{}}
	for _, r := range s.Runs {
		d.Runs = append(d.Runs, headerDocument(r, r.ID()))
	}
	return d
}

func comparedTable(t *compare.Table) ComparedTable {
	d := ComparedTable{
		Target: t.Target, Kind: string(t.Kind), Package: t.Package, Suite: t.Suite, Unit: t.Unit,
		Trial: t.Trial, OfTrial: t.OfTrial, Comparable: t.Comparable, Different: []DifferenceDocument{}, Rows: []ComparedRow{},
		Geomean: GeomeanDocument{Number(t.Geomean.Base), Number(t.Geomean.Head), Number(t.Geomean.Ratio), caveatDocuments(t.Geomean.Notes)},
	}
	for _, diff := range t.Different {
		d.Different = append(d.Different, DifferenceDocument(diff))
	}
	for _, r := range t.Rows {
		d.Rows = append(d.Rows, comparedRow(r))
	}
	return d
}

func comparedRow(r *compare.Row) ComparedRow {
	s := r.Shift
	d := ComparedRow{
		NamedBenchmark: named(r.BenchmarkID), Unit: r.Unit, UnitStored: r.OrigUnit, Better: r.Better,
		Base: summaryDocument(r.Base), Head: summaryDocument(r.Head), Delta: Number(r.Delta), P: Number(r.P),
		Derived: r.Derived, Exact: r.Exact, Tested: r.Tested, Threshold: Number(r.Threshold), Noise: Number(r.Noise), AdjustedP: Number(r.AdjustedP),
		Shift: ShiftDocument{Number(s.Center), Number(s.Lo), Number(s.Hi), s.Absolute}, Bound: Number(r.Bound),
		Verdict: string(r.Verdict), Reason: r.Reason, Need: r.Need,
		Notes: caveatDocuments(r.Base.Notes, r.Head.Notes, r.Notes), Within: rowNames(r.Within),
	}
	if r.OneWith != nil {
		d.OneWith = r.OneWith.Name
	}
	return d
}

func caveatDocuments(lists ...[]compare.Caveat) []CaveatDocument {
	out := []CaveatDocument{}
	seen := map[compare.Caveat]bool{}
	for _, list := range lists {
		for _, c := range list {
			if !seen[c] {
				seen[c] = true
				out = append(out, CaveatDocument(c))
			}
		}
	}
	return out
}

func unpaired(list []compare.Unpaired) []UnpairedDocument {
	out := []UnpairedDocument{}
	for _, u := range list {
		out = append(out, UnpairedDocument{u.Target, named(u.BenchmarkID), u.Unit})
	}
	return out
}
