package inference

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
)

// generate is the name of the scope that generates one token, in every suite of the engine.
const generate = "GenerateToken"

var modelName = regexp.MustCompile(`^Model_[A-Za-z0-9]+_Inference$`)

// A Forward describes the forward passes of a model in the median round.
type Forward struct {
	Seconds float64 // duration of one pass, or NaN if no scope measures it
	Calls   int
	// Layers lists the parts of a pass in order, followed by the time outside of all parts.
	// Together they add up to the whole pass. Layers is empty if the scopes inside a pass were not
	// measured.
	Layers []Part
	// Operations lists the self times in a pass by name, added up over the layers, largest first.
	Operations []Part
}

// A Part is a part of a forward pass.
type Part struct {
	Name    string
	Seconds float64 // time in one pass
	Share   float64 // share of the pass
}

// Rest is the name of the part with the time of a pass outside of its scopes.
const Rest = "(itself)"

// ForwardIn returns the forward passes of a model in the call tree of one round of its suite. model
// is the name of the model in the results of [Of].
func ForwardIn(t *tree.Tree, model string) Forward {
	if f := forwardOf(t, "Model_"+model+"_Forward"); f.Calls > 0 {
		return f
	}
	for _, m := range unnamed(t, model) {
		return m.Forward
	}
	return Forward{Seconds: math.NaN()}
}

// forwardOf returns the forward passes in all scopes with the given name.
func forwardOf(t *tree.Tree, name string) Forward {
	if t == nil {
		return Forward{Seconds: math.NaN()}
	}
	var passes []*tree.Call
	walk(t.Scopes, func(c *tree.Call) {
		if c.Name == name {
			passes = append(passes, c)
		}
	})
	return forward(passes)
}

func forward(passes []*tree.Call) Forward {
	f := Forward{Seconds: math.NaN()}
	total := 0.0
	for _, c := range passes {
		f.Calls += c.Calls
		total += c.Total
	}
	if f.Calls == 0 || !(total > 0) {
		return f
	}
	f.Seconds = total / float64(f.Calls) / 1e9
	part := func(name string, ns float64) Part {
		return Part{name, ns / float64(f.Calls) / 1e9, ns / total}
	}
	var layers, operations sums
	own := 0.0
	for _, c := range passes {
		inside := 0.0
		for _, child := range c.Children {
			layers.add(child.Name, child.Total)
			inside += child.Total
		}
		own += max(0, c.Total-inside)
		walk(c.Children, func(c *tree.Call) {
			if c.Self > 0 {
				operations.add(c.Name, c.Self)
			}
		})
	}
	if len(layers.names) == 0 {
		return f
	}
	for i, name := range layers.names {
		f.Layers = append(f.Layers, part(name, layers.ns[i]))
	}
	if own > 0 {
		f.Layers = append(f.Layers, part(Rest, own))
		operations.add(Rest, own)
	}
	for _, i := range operations.falling() {
		f.Operations = append(f.Operations, part(operations.names[i], operations.ns[i]))
	}
	return f
}

// unnamed returns the model of a suite whose scopes do not name a model, or nil if there is none.
// The model has the name of the suite.
func unnamed(t *tree.Tree, suite string) []Model {
	if t == nil || !t.Placed {
		return nil
	}
	m := Model{Name: suite, FirstToken: math.NaN(), Bytes: math.NaN(), Allocs: math.NaN()}
	var passes []*tree.Call
	tokens, bytes, objects, counted := 0, 0.0, 0.0, true
	walk(t.Scopes, func(c *tree.Call) {
		for _, child := range c.Children {
			if child.Name != generate {
				continue
			}
			tokens += child.Calls
			m.Time += c.Total / 1e9
			bytes, objects, counted = bytes+c.Bytes, objects+c.Objects, counted && c.Counted
			for _, pass := range child.Children {
				if strings.Contains(pass.Name, "Forward") {
					passes = append(passes, pass)
				}
			}
		}
	})
	if tokens == 0 || !(m.Time > 0) {
		return nil
	}
	m.Generated = float64(tokens)
	m.Tokens, m.Latency = m.Generated/m.Time, m.Time/m.Generated
	if counted {
		m.Bytes, m.Allocs = bytes/m.Generated, objects/m.Generated
	}
	m.Forward = forward(passes)
	return []Model{m}
}

// walk calls visit for all calls in a tree, parents before their children.
func walk(calls []*tree.Call, visit func(*tree.Call)) {
	for _, c := range calls {
		visit(c)
		walk(c.Children, visit)
	}
}

// number parses a number. It returns NaN if text is not a number.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
