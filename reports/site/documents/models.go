package documents

import "github.com/perftrack/perftrack/reports/inference"

// Models is the document with the models and kernels in the newest run of the engine's suites.
type Models struct {
	Run     int          `json:"run"` // -1 if there is no run
	Suites  []ModelSuite `json:"suites"`
	Formula string       `json:"formula"` // how the efficiency in Scaling is computed
}

// A ModelSuite holds the results of one suite in the run.
type ModelSuite struct {
	Suite   string    `json:"suite"`
	Package string    `json:"package"`
	Profile bool      `json:"profile"` // the results are from a profile, not from a suite of benchmarks
	Peak    Number    `json:"peak"`    // highest GFLOPS the machine can reach; null if unknown
	Source  string    `json:"source"`  // where the peak comes from: the program, or reference.toml with its source
	Models  []Model   `json:"models"`
	Kernels []Kernel  `json:"kernels"`
	Scaling []Scaling `json:"scaling"`
	Repeats []Repeat  `json:"repeats"`
}

// A Model holds the results of one model. Layers and Operations divide a forward pass in two
// different ways.
type Model struct {
	Name       string  `json:"name"`
	Parameters int     `json:"parameters"` // 0 if unknown
	Time       Number  `json:"time"`       // seconds per inference
	Generated  Number  `json:"generated"`  // tokens generated per inference
	Tokens     Number  `json:"tokens"`     // tokens per second
	Latency    Number  `json:"latency"`    // seconds per token
	FirstToken Number  `json:"firstToken"` // seconds until the first token
	Bytes      Number  `json:"bytes"`      // bytes per token
	Allocs     Number  `json:"allocs"`
	Forward    Number  `json:"forward"` // seconds per forward pass
	Layers     []Share `json:"layers"`
	Operations []Share `json:"operations"`
}

// A Share is a part's share of a whole.
type Share struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Time  float64 `json:"time"` // in seconds
}

// A Kernel holds the results of one kernel at one size.
type Kernel struct {
	Name     string `json:"name"`
	Family   string `json:"family"`
	Time     Number `json:"time"`
	GFLOPS   Number `json:"gflops"`
	Peak     Number `json:"peak"`     // fraction of the measured peak
	Elements Number `json:"elements"` // elements per second
}

// A Scaling compares a large model with a small one. Its Efficiency is the ratio of their
// parameters divided by the ratio of their times.
type Scaling struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Parameters Number `json:"parameters"`
	Time       Number `json:"time"`
	Bytes      Number `json:"bytes"`
	Efficiency Number `json:"efficiency"`
}

// A Repeat holds the average number of times a kernel runs in one call.
type Repeat struct {
	Kernel string  `json:"kernel"`
	Times  float64 `json:"times"`
}

// NewModels returns the document for the run with this index, or for no run if there are no
// figures.
func NewModels(run int, figures []inference.Figures) *Models {
	m := &Models{Run: -1, Suites: []ModelSuite{}, Formula: inference.Formula}
	if len(figures) > 0 {
		m.Run = run
	}
	for _, f := range figures {
		s := ModelSuite{Suite: f.Suite, Package: f.Package, Profile: f.Kind == "scope", Peak: Number(f.Peak), Source: f.PeakSource, Models: []Model{}, Kernels: []Kernel{}, Scaling: []Scaling{}, Repeats: []Repeat{}}
		for _, one := range f.Models {
			s.Models = append(s.Models, Model{
				Name: one.Name, Parameters: one.Parameters, Time: Number(one.Time), Generated: Number(one.Generated), Tokens: Number(one.Tokens), Latency: Number(one.Latency),
				FirstToken: Number(one.FirstToken), Bytes: Number(one.Bytes), Allocs: Number(one.Allocs), Forward: Number(one.Forward.Seconds),
				Layers: shares(one.Forward.Layers), Operations: shares(one.Forward.Operations),
			})
		}
		for _, k := range f.Kernels {
			s.Kernels = append(s.Kernels, Kernel{k.Name, k.Family, Number(k.Time), Number(k.GFLOPS), Number(k.OfPeak), Number(k.Elements)})
		}
		for _, c := range f.Scaling {
			s.Scaling = append(s.Scaling, Scaling{c.From, c.To, Number(c.Parameters), Number(c.Time), Number(c.Bytes), Number(c.Efficiency)})
		}
		for _, r := range f.Repeats {
			s.Repeats = append(s.Repeats, Repeat{r.Kernel, r.Times})
		}
		m.Suites = append(m.Suites, s)
	}
	return m
}

func shares(parts []inference.Part) []Share {
	out := []Share{}
	for _, p := range parts {
		out = append(out, Share{p.Name, p.Share, p.Seconds})
	}
	return out
}
