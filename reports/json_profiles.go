package reports

import "github.com/perftrack/perftrack/compare"

// A ProfilesDocument is what two profiles, or two runs of one of the engine's
// suites, say as a whole. Times are in seconds, sizes in bytes.
type ProfilesDocument struct {
	Target       string           `json:"target"`
	Kind         string           `json:"benchmark_kind"` // scope: of all calls; bench: of one operation
	Package      string           `json:"package"`
	Suite        string           `json:"suite"`
	SingleSample bool             `json:"single_sample"`      // no row has a second sample: nothing could be tested
	Total        PairDocument     `json:"total"`              // sum of all rows; what is nested counts with each row around it
	Outer        PairDocument     `json:"total_outer"`        // of rows that lie in no other
	Shared       PairDocument     `json:"total_shared"`       // of rows that both sides have
	OuterShared  PairDocument     `json:"total_outer_shared"` // of rows that both sides have and that lie in no other of these
	Bytes        PairDocument     `json:"allocated"`          // sum of all rows
	OuterBytes   PairDocument     `json:"allocated_outer"`    // of rows that lie in no other
	CallPaths    bool             `json:"call_paths"`         // rows are call paths: the run is total_outer
	Methods      CountDocument    `json:"methods"`            // how many
	Changes      []ChangeDocument `json:"changes"`            // nested rows as one, the largest first
	Undecided    []ChangeDocument `json:"undecided"`          // differ by the threshold or more, but could be noise; as changes
	Open         int              `json:"undecided_rows"`     // how many rows were tested in vain, small differences included
	Models       []ModelDocument  `json:"models"`             // of the engine
	Scaling      *ScalingDocument `json:"scaling,omitempty"`  // of the larger model against the smaller
	Kernels      []KernelDocument `json:"kernels"`
	Repeats      []RepeatDocument `json:"kernel_repeats"` // kernels that a call runs more than once, so that gflops is too low
	Rows         []MethodDocument `json:"rows"`           // the hottest first
	Caveats      []CaveatDocument `json:"caveats"`
}

// A PairDocument is a quantity on both sides; change is head/base - 1.
type PairDocument struct {
	Base   Number `json:"base"`
	Head   Number `json:"head"`
	Change Number `json:"change"`
}

// A CountDocument is a number of methods.
type CountDocument struct {
	Base int `json:"base"`
	Head int `json:"head"`
	Both int `json:"both"`
}

// A ChangeDocument is one change: the deepest row that explains it, and the rows
// that show it because one contains the other. Its change is of all calls, or of
// one call where the sides differ in calls.
type ChangeDocument struct {
	Name   string   `json:"name"`
	With   []string `json:"with,omitempty"`
	Change Number   `json:"change"`
}

// A ModelDocument is one model: its inference, what it does a token, and the
// time to the first one.
type ModelDocument struct {
	Name           string       `json:"name"`
	Parameters     int          `json:"parameters"`
	Inference      PairDocument `json:"inference"`
	TokensASecond  PairDocument `json:"tokens_per_second"`
	SecondsAToken  PairDocument `json:"seconds_per_token"`
	FirstToken     PairDocument `json:"seconds_to_first_token"`
	BytesAllocated PairDocument `json:"bytes_per_token"`
}

// A ScalingDocument sets models against each other: efficiency is
// parameter_ratio / time_ratio, and time_ratio that of seconds_per_token.
type ScalingDocument struct {
	Small          string       `json:"small"`
	Large          string       `json:"large"`
	TimeRatio      PairDocument `json:"time_ratio"`
	ParameterRatio Number       `json:"parameter_ratio"`
	Efficiency     PairDocument `json:"efficiency"`
}

// A KernelDocument is a kernel's rate: as reported, or flops, which the name
// tells, over the time of a call; then flops is not 0.
type KernelDocument struct {
	Name   string       `json:"name"`
	FLOPs  Number       `json:"flops"`
	GFLOPS PairDocument `json:"gflops"`
}

// A RepeatDocument says how often a call runs its kernel, on average.
type RepeatDocument struct {
	Kernel string `json:"kernel"`
	Times  Number `json:"times"`
}

// A MethodDocument is one method: its time and self time in all calls, or in one
// operation of a benchmark.
type MethodDocument struct {
	Name   string         `json:"name"`
	Within []string       `json:"within,omitempty"`
	Calls  []Number       `json:"calls,omitempty"` // of base and head, of a scope
	Time   PairDocument   `json:"time"`
	Self   PairDocument   `json:"self"`
	Bytes  BytesDocuments `json:"allocated"`
}

// BytesDocuments are sizes with what must be known of them.
type BytesDocuments struct {
	PairDocument
	Notes []CaveatDocument `json:"notes,omitempty"`
}

func pairDocument(p compare.Pair) PairDocument {
	return PairDocument{Number(p.Base), Number(p.Head), Number(p.Ratio())}
}

func rowNames(rows []*compare.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func profilesDocument(p *compare.Profiles) ProfilesDocument {
	t := p.Table
	d := ProfilesDocument{
		Target: t.Target, Kind: string(t.Kind), Package: t.Package, Suite: t.Suite, SingleSample: p.Single,
		Total: pairDocument(p.Time), Outer: pairDocument(p.Outer), Shared: pairDocument(p.Shared), OuterShared: pairDocument(p.OuterShared),
		Bytes: pairDocument(p.Bytes), OuterBytes: pairDocument(p.OuterBytes), CallPaths: p.Paths,
		Methods: CountDocument{p.Count[0], p.Count[1], p.Both},
		Changes: changeDocuments(p.Changes), Undecided: changeDocuments(p.Undecided), Open: p.UndecidedRows,
		Models: []ModelDocument{}, Kernels: []KernelDocument{}, Repeats: []RepeatDocument{}, Rows: []MethodDocument{},
		Caveats: caveatDocuments(p.Caveats),
	}
	for _, m := range p.Models {
		d.Models = append(d.Models, ModelDocument{m.Name, m.Parameters, pairDocument(m.Inference.Time),
			pairDocument(m.Tokens), pairDocument(m.Latency), pairDocument(m.FirstToken), pairDocument(m.Memory)})
	}
	if s := p.Scaling; s != nil {
		d.Scaling = &ScalingDocument{s.Small.Name, s.Large.Name, pairDocument(s.Time), Number(s.Parameters), pairDocument(s.Efficiency)}
	}
	for _, k := range p.Kernels {
		d.Kernels = append(d.Kernels, KernelDocument{k.Name, Number(k.FLOPs), pairDocument(k.GFLOPS)})
	}
	for _, r := range p.Repeats {
		d.Repeats = append(d.Repeats, RepeatDocument{r.Kernel, Number(r.Times)})
	}
	for _, m := range p.Methods {
		d.Rows = append(d.Rows, methodDocument(m))
	}
	return d
}

func changeDocuments(changes []compare.MethodChange) []ChangeDocument {
	out := []ChangeDocument{}
	for _, c := range changes {
		change := ChangeDocument{Name: c.Name, Change: Number(c.Change())}
		for _, with := range c.With {
			change.With = append(change.With, with.Name)
		}
		out = append(out, change)
	}
	return out
}

func methodDocument(m *compare.Method) MethodDocument {
	d := MethodDocument{Name: m.Name, Within: rowNames(m.Within), Time: pairDocument(m.Time), Self: pairDocument(m.Self)}
	d.Bytes = BytesDocuments{PairDocument: pairDocument(m.Bytes)}
	if notes := caveatDocuments(m.Notes[0], m.Notes[1]); len(notes) > 0 {
		d.Bytes.Notes = notes
	}
	if m.Calls != [2]float64{} {
		d.Calls = numbers(m.Calls[:])
	}
	return d
}
