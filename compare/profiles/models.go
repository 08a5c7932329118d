package profiles

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/record"
)

// A Model is one of the engine's models, represented by its row Model_M_Inference and the rows
// inside it.
type Model struct {
	Name       string // such as Small or Medium
	Parameters int
	Inference  *Method
	Tokens     tree.Pair // tokens per second
	Latency    tree.Pair // seconds per token: 1 / Tokens
	FirstToken tree.Pair // seconds until the first token
	Memory     tree.Pair // bytes per token
}

// A Scaling compares a larger model with a smaller one.
type Scaling struct {
	Small, Large *Model
	Time         tree.Pair // per token, large divided by small
	Parameters   float64   // large divided by small
	// Efficiency is Parameters / Time. If it is above 1, the time grows more slowly than the number
	// of parameters.
	Efficiency tree.Pair
}

// addModels adds the models that have an inference row, and describes how they scale.
func (p *Diff) addModels(units map[string]map[string]*compare.Row) {
	for _, known := range p.Engine.Models {
		inference := p.find("Model_" + known.Name + "_Inference")
		if inference == nil {
			continue
		}
		m := &Model{Name: known.Name, Parameters: known.Parameters, Inference: inference}
		m.measure(p.find("Model_"+known.Name+"_GenerateToken"), func(unit string) tree.Pair { return centers(units[unit][inference.Name]) })
		p.Models = append(p.Models, m)
	}
	if len(p.Models) < 2 {
		return
	}
	s := &Scaling{Small: p.Models[0], Large: p.Models[len(p.Models)-1]}
	s.Time = s.Large.Latency.Over(s.Small.Latency)
	s.Parameters = float64(s.Large.Parameters) / float64(s.Small.Parameters)
	s.Efficiency = tree.Pair{Base: s.Parameters, Head: s.Parameters}.Over(s.Time)
	if !math.IsNaN(s.Time.Base) || !math.IsNaN(s.Time.Head) {
		p.Scaling = s
	}
}

// measure fills in the figures per token. A benchmark reports them; in a profile, they are computed
// from the figures of the inference and the number of calls to GenerateToken in it.
func (m *Model) measure(generate *Method, reported func(unit string) tree.Pair) {
	tokens := tree.Unknown
	if generate != nil && generate.Kind == record.Scope {
		tokens = tree.Pair{Base: positive(generate.Calls[base]), Head: positive(generate.Calls[head])}
	}
	m.Tokens = either(reported("tok/s"), tokens.Over(m.Inference.Time))
	m.Latency = tree.Pair{Base: 1, Head: 1}.Over(m.Tokens)
	m.FirstToken = reported("ttft-sec")
	m.Memory = either(reported("B/tok"), m.Inference.Bytes.Over(tokens))
}

// positive returns x, or NaN if it is not above 0.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.NaN()
}

// either returns p with unknown sides replaced by those of q.
func either(p, q tree.Pair) tree.Pair {
	if math.IsNaN(p.Base) {
		p.Base = q.Base
	}
	if math.IsNaN(p.Head) {
		p.Head = q.Head
	}
	return p
}
