package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A change may be larger on one CPU model than on another. A spread trial decides on the rounds of
// all of them together, and a note on the row shows the change for each model.

// A model is a group of machines of a spread trial with the same CPU.
type model struct {
	name   string // external text
	rounds map[int]bool
}

// models are the models of a spread trial, in the order of their first rounds. If all CPUs are the
// same, machines differ by their other settings.
type models struct {
	kind string // "CPU models" or "environments"
	list []model
}

// modelsOf returns the models of a spread trial, or none if all machines are alike.
func modelsOf(p *pairs.Pairing) (found models) {
	keys := []string{record.KeyCPU}
	found.kind = "CPU models"
	if !differ(p, record.KeyCPU) {
		found.kind = "environments"
		keys = slices.DeleteFunc(slices.Clone(record.EnvironmentKeys), func(key string) bool {
			k, _ := record.Lookup(key)
			return k.Common || !differ(p, key)
		})
	}
	if !differ(p, keys...) {
		return models{}
	}
	for _, m := range p.Machines {
		name := modelName(m.Env, keys)
		i := slices.IndexFunc(found.list, func(x model) bool { return x.name == name })
		if i < 0 {
			i = len(found.list)
			found.list = append(found.list, model{name: name, rounds: map[int]bool{}})
		}
		for _, n := range m.Rounds {
			found.list[i].rounds[n] = true
		}
	}
	return found
}

// differ reports whether any of the settings differs between the machines of a spread trial.
func differ(p *pairs.Pairing, keys ...string) bool {
	return slices.ContainsFunc(p.Machines, func(m pairs.MachineRounds) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return m.Env.Get(key) != p.Machines[0].Env.Get(key) })
	})
}

// modelName names a model by its CPU or, if all CPUs are the same, by the settings that differ.
func modelName(env record.Settings, keys []string) string {
	if slices.Equal(keys, []string{record.KeyCPU}) {
		return cmp.Or(env.Get(record.KeyCPU), "an unknown CPU")
	}
	var parts []string
	for _, key := range keys {
		parts = append(parts, key+" "+cmp.Or(env.Get(key), "unknown"))
	}
	return strings.Join(parts, " and ")
}

// modelTail is the error of each end of a model's interval. Two models without a difference have
// intervals side by side about once in a thousand rows.
const modelTail = 0.01

// noteModels shows the change on each CPU model if the row is flagged, or if the models differ
// clearly: the intervals of two models have no change in common.
func (r *Row) noteModels(of models, all []stat.Pair) {
	if r.Exact || r.Shift.Absolute {
		return
	}
	var shown []string
	least, most := math.Inf(1), math.Inf(-1) // the lowest upper end and the highest lower end
	for _, m := range of.list {
		var own []stat.Pair
		for i, p := range all {
			if m.rounds[i+1] && p.Base > 0 && p.Head > 0 {
				own = append(own, stat.Pair{Base: math.Log(p.Base), Head: math.Log(p.Head)})
			}
		}
		if len(own) == 0 {
			continue
		}
		var test stat.SignedRank
		test.Load(own)
		change := test.Interval(modelTail)
		least, most = min(least, change.Hi), max(most, change.Lo)
		rounds := "1 round"
		if len(own) > 1 {
			rounds = fmt.Sprint(len(own), " rounds")
		}
		shown = append(shown, signed(change.Center)+" on "+m.name+" ("+rounds+")")
	}
	flagged := slices.Contains([]Verdict{Regressed, Improved, Changed}, r.Verdict)
	text := "the change on each of the " + of.kind + "; the verdict is about all of them together"
	switch {
	case len(shown) < 2:
		return
	case least < most:
		text = "the change differs between the " + of.kind + "; the verdict is about all of them together"
	case !flagged:
		return
	}
	r.Notes = append(r.Notes, Caveat{CodeModels, text, strings.Join(shown, ", ")})
}

// signed formats the logarithm of a ratio as a change in percent.
func signed(log float64) string {
	text := fmt.Sprintf("%+.1f %%", 100*math.Expm1(log))
	if text == "-0.0 %" {
		return "+0.0 %"
	}
	return text
}

// noteSpread adds a caveat that names the machines of a spread trial, or says why they were decided
// separately.
func (c *Comparison) noteSpread(p *pairs.Pairing) {
	if p.NotJoined != "" {
		c.addCaveat(Caveat{CodeSpread, "the rounds were spread over machines, but each environment is decided on its own: " + p.NotJoined, p.Target})
	}
	s := p.Spread()
	if s == nil {
		return
	}
	text := "the rounds were measured by one machine"
	if s.Machines > 1 {
		text = fmt.Sprintf("the rounds were spread over %d machines", s.Machines)
	}
	found := modelsOf(p)
	if len(found.list) > 0 {
		text += fmt.Sprintf(", %d %s", len(found.list), found.kind)
	}
	counted, last := map[int]bool{}, 0
	for _, m := range p.Machines {
		for _, n := range m.Rounds {
			counted[n] = true
		}
	}
	for _, end := range p.Sessions() {
		last = max(last, end)
	}
	if missing := last - len(counted); missing > 0 {
		text += fmt.Sprintf("; %d of %d rounds are missing", missing, last)
	}
	var of []string
	if s.Class != "" {
		of = append(of, "class "+s.Class)
	}
	for _, m := range found.list {
		of = append(of, m.name)
	}
	c.addCaveat(Caveat{CodeSpread, text, strings.Join(of, ", ")})
}
