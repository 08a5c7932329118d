// Package inference says how fast the models and kernels of one run are: tokens a second,
// memory a token, where a forward pass spends its time, and the rates of kernels. The figures
// are those that a comparison of two profiles shows, of one side; whoever shows them takes them
// from here. It is pure: a run in, numbers out. Begin with Of; forward.go takes forward passes
// apart, kernels.go has the kernels.
package inference

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Figures are those of one suite of a run. What is not known is NaN.
type Figures struct {
	Run     *record.Run
	Kind    record.Kind // of the rows that they come from
	Package string
	Suite   string
	Models  []Model // the smallest first
	Kernels []Kernel
	Scaling []Scaling // of each model against the one before it
	// Repeats say of which kernels a call ran the kernel several times, so that rates that
	// count one operation a call are too low by as much.
	Repeats []profiles.Repeat
	// Peak is the rate that can be reached, in GFLOPS, and PeakSource who says so: the
	// program by its line peak-gflops, which is of one core, or whoever called Reach. NaN where
	// nobody did.
	Peak       float64
	PeakSource string
}

// Reach sets the rate that the machine can reach, where the program did not say it.
func (f *Figures) Reach(peak float64, source string) {
	if f.Peak > 0 || !(peak > 0) {
		return
	}
	f.Peak, f.PeakSource = peak, source
	for i := range f.Kernels {
		f.Kernels[i].OfPeak = f.Kernels[i].GFLOPS / peak
	}
}

// A Model is one model. Times are in seconds, sizes in bytes.
type Model struct {
	Name       string
	Parameters int // 0 where unknown
	Time       float64
	Generated  float64 // tokens of an inference
	Tokens     float64 // a second
	Latency    float64 // a token: 1 / Tokens
	FirstToken float64 // until the first token
	Bytes      float64 // a token
	Allocs     float64 // a token
	Forward    Forward
}

// A Scaling says what a larger model costs: time and memory a token, and parameters, each
// large over small. Efficiency is Parameters / Time: above 1, the time grows more slowly than
// the number of parameters.
type Scaling struct {
	From, To                            string
	Parameters, Time, Bytes, Efficiency float64
}

// Formula is how efficiency is calculated, for people.
const Formula = "efficiency = (parameters, large / small) / (time per token, large / small); above 1.00x the time grows more slowly than the parameters"

// Of returns the figures of a run, suite by suite; nothing of suites without a model and
// without a kernel.
func Of(run *record.Run) []Figures {
	alone := *run
	alone.Trial, alone.Side = "", record.NoSide // a run against itself is no trial
	side := compare.Side{Runs: []*record.Run{&alone}}
	c := compare.Compare(side, side, compare.Options{})
	trees := tree.Of(run)
	var out []Figures
	for _, d := range profiles.Of(c) {
		f := Figures{Run: run, Kind: d.Table.Kind, Package: d.Table.Package, Suite: d.Table.Suite, Repeats: d.Repeats, Peak: PeakOf(run)}
		if f.Peak > 0 {
			f.PeakSource = "the program"
		}
		var calls *tree.Tree
		for _, t := range trees {
			if d.Table.Kind == record.Scope && t.Package == f.Package && t.Suite == f.Suite {
				calls = t
			}
		}
		for _, m := range d.Models {
			f.Models = append(f.Models, model(m, beside(c, d), forwardOf(calls, "Model_"+m.Name+"_Forward")))
		}
		if len(f.Models) == 0 {
			f.Models = unnamed(calls, f.Suite)
		}
		f.Scaling = scaling(f.Models)
		f.Kernels = kernels(d, f.Peak)
		if len(f.Models)+len(f.Kernels) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// beside returns the centers of the tables of other units beside a profile's table, by unit
// and name.
func beside(c *compare.Comparison, d *profiles.Diff) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, t := range c.Tables {
		if t.Pairing != d.Table.Pairing || t.Kind != d.Table.Kind || t.Package != d.Table.Package || t.Suite != d.Table.Suite {
			continue
		}
		out[t.Unit] = map[string]float64{}
		for _, r := range t.Rows {
			out[t.Unit][r.Name] = r.Head.Center
		}
	}
	return out
}

// center looks a value up; NaN where there is none.
func center(units map[string]map[string]float64, unit, name string) float64 {
	if v, ok := units[unit][name]; ok {
		return v
	}
	return math.NaN()
}

func model(m *profiles.Model, units map[string]map[string]float64, f Forward) Model {
	out := Model{
		Name: m.Name, Parameters: m.Parameters, Time: m.Inference.Time.Head,
		Tokens: m.Tokens.Head, Latency: m.Latency.Head, FirstToken: m.FirstToken.Head, Bytes: m.Memory.Head, Forward: f,
	}
	out.Generated = positive(out.Tokens * out.Time)
	calls := 1.0
	if m.Inference.Kind == record.Scope {
		calls = m.Inference.Calls[1]
	}
	out.Allocs = center(units, "allocs/op", m.Inference.Name) * calls / out.Generated
	if out.Generated != out.Generated {
		out.Allocs = math.NaN()
	}
	return out
}

func scaling(models []Model) (out []Scaling) {
	for i := 1; i < len(models); i++ {
		small, large := models[i-1], models[i]
		s := Scaling{From: small.Name, To: large.Name, Time: large.Latency / small.Latency, Bytes: large.Bytes / small.Bytes}
		if s.Parameters = float64(large.Parameters) / float64(small.Parameters); small.Parameters == 0 || large.Parameters == 0 {
			s.Parameters = math.NaN()
		}
		s.Time, s.Bytes = positive(s.Time), positive(s.Bytes)
		s.Efficiency = s.Parameters / s.Time
		if s.Time == s.Time {
			out = append(out, s)
		}
	}
	return out
}

// positive returns x, or NaN if it is not finite and above 0.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 1) {
		return x
	}
	return math.NaN()
}

// IsPart reports whether a benchmark's name is that of a model or of a kernel, whose run
// Of may have figures of.
func IsPart(id record.BenchmarkID, e naming.Engine) bool {
	if id.Kind != record.Scope && !naming.EngineSuite(id.Suite) {
		return false
	}
	switch leaf := naming.Leaf(id.Name); {
	case leaf == generate, e.IsKernel(leaf):
		return true
	default:
		return modelName.MatchString(leaf)
	}
}
