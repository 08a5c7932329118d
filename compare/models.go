package compare

import (
	"math"

	"github.com/perftrack/perftrack/runner/record"
)

// A Model is one of the engine's models, as its Model_M_Inference row and those
// in it say.
type Model struct {
	Name       string // Small, Medium
	Parameters int
	Inference  *Method
	Tokens     Pair // a second
	Latency    Pair // seconds per token: 1 / Tokens
	FirstToken Pair // seconds until the first token
	Memory     Pair // bytes per token
}

// Scaling sets a larger model against a smaller one.
type Scaling struct {
	Small, Large *Model
	Time         Pair    // per token: large / small
	Parameters   float64 // large / small
	// Efficiency is Parameters / Time: above 1 the time grows more slowly than
	// the number of parameters.
	Efficiency Pair
}

// models are the engine's, the smallest first. The counts belong to the names,
// which are history: another size would be another name.
var models = []struct {
	name       string
	parameters int
}{{"Small", 470_528}, {"Medium", 3_454_464}}

// ModelParameters returns the number of parameters of one of the engine's
// models, 0 of any other.
func ModelParameters(name string) int {
	for _, m := range models {
		if m.name == name {
			return m.parameters
		}
	}
	return 0
}

func (p *Profiles) addModels(units map[string]map[string]*Row) {
	for _, known := range models {
		inference := p.find("Model_" + known.name + "_Inference")
		if inference == nil {
			continue
		}
		m := &Model{Name: known.name, Parameters: known.parameters, Inference: inference}
		m.measure(p.find("Model_"+known.name+"_GenerateToken"), func(unit string) Pair { return centers(units[unit][inference.Name]) })
		p.Models = append(p.Models, m)
	}
	if len(p.Models) < 2 {
		return
	}
	s := &Scaling{Small: p.Models[0], Large: p.Models[len(p.Models)-1]}
	s.Time = s.Large.Latency.over(s.Small.Latency)
	s.Parameters = float64(s.Large.Parameters) / float64(s.Small.Parameters)
	s.Efficiency = Pair{s.Parameters, s.Parameters}.over(s.Time)
	if s.Time.Base == s.Time.Base || s.Time.Head == s.Time.Head {
		p.Scaling = s
	}
}

// measure fills in what the model does a token: what a benchmark reported, or of
// a profile the inference divided by the calls of GenerateToken in it.
func (m *Model) measure(generate *Method, reported func(unit string) Pair) {
	tokens := none
	if generate != nil && generate.Kind == record.Scope {
		tokens = Pair{positive(generate.Calls[base]), positive(generate.Calls[head])}
	}
	m.Tokens = either(reported("tok/s"), tokens.over(m.Inference.Time))
	m.Latency = Pair{1, 1}.over(m.Tokens)
	m.FirstToken = reported("ttft-sec")
	m.Memory = either(reported("B/tok"), m.Inference.Bytes.over(tokens))
}

func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}

// either returns p, and of q what p does not know.
func either(p, q Pair) Pair {
	if p.Base != p.Base {
		p.Base = q.Base
	}
	if p.Head != p.Head {
		p.Head = q.Head
	}
	return p
}
