package site

import "github.com/perftrack/perftrack/reports/inference"

// Models are the models of the engine's suites and its kernels, as the newest run has them.
type Models struct {
	Run     int          `json:"run"` // -1 without one
	Suites  []ModelSuite `json:"suites"`
	Formula string       `json:"formula"` // of the efficiency of Scaling
}

// A ModelSuite is one suite of the run.
type ModelSuite struct {
	Suite   string    `json:"suite"`
	Package string    `json:"package"`
	Profile bool      `json:"profile"` // it is of a profile, not of benchmarks
	Peak    Number    `json:"peak"`    // GFLOPS that the machine can reach, null where nobody says so
	Source  string    `json:"source"`  // who does: the program, or reference.toml with its source
	Models  []Model   `json:"models"`
	Kernels []Kernel  `json:"kernels"`
	Scaling []Scaling `json:"scaling"`
	Repeats []Repeat  `json:"repeats"`
}

// A Model is one model. Layers and Operations are two ways to divide a forward pass.
type Model struct {
	Name       string  `json:"name"`
	Parameters int     `json:"parameters"` // 0 where unknown
	Time       Number  `json:"time"`       // of an inference
	Generated  Number  `json:"generated"`  // tokens of it
	Tokens     Number  `json:"tokens"`     // tok/s
	Latency    Number  `json:"latency"`    // sec a token
	FirstToken Number  `json:"firstToken"` // sec
	Bytes      Number  `json:"bytes"`      // B a token
	Allocs     Number  `json:"allocs"`
	Forward    Number  `json:"forward"` // sec of a forward pass
	Layers     []Share `json:"layers"`
	Operations []Share `json:"operations"`
}

// A Share is a part of a whole.
type Share struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Time  float64 `json:"time"` // sec
}

// A Kernel is one kernel at one size.
type Kernel struct {
	Name     string `json:"name"`
	Family   string `json:"family"`
	Time     Number `json:"time"`
	GFLOPS   Number `json:"gflops"`
	Peak     Number `json:"peak"`     // fraction of the measured peak
	Elements Number `json:"elements"` // a second
}

// A Scaling says how time grows from one model to another: large over small, and the ratio of
// the parameters over that of the time.
type Scaling struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Parameters Number `json:"parameters"`
	Time       Number `json:"time"`
	Bytes      Number `json:"bytes"`
	Efficiency Number `json:"efficiency"`
}

// A Repeat says that a call ran a kernel so many times, on average.
type Repeat struct {
	Kernel string  `json:"kernel"`
	Times  float64 `json:"times"`
}

// NewModels shows the figures of a run, which has this place; of none, that there is none.
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
