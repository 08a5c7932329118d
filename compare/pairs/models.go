package pairs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Model is a group of machines of a spread trial with the same CPU.
type Model struct {
	Name   string // external text
	rounds map[int]bool
}

// Models are the models of a spread trial, in the order of their first rounds. If all CPUs are the
// same, machines differ by their other settings.
type Models struct {
	Kind string // "CPU models" or "environments"
	List []Model
}

// Models returns the models of a spread trial, or none if all machines are alike.
func (p *Pairing) Models() (found Models) {
	keys := []string{record.KeyCPU}
	found.Kind = "CPU models"
	if !p.differ(record.KeyCPU) {
		found.Kind = "environments"
		keys = slices.DeleteFunc(slices.Clone(record.EnvironmentKeys), func(key string) bool {
			k, _ := record.Lookup(key)
			return k.Common || !p.differ(key)
		})
	}
	if !p.differ(keys...) {
		return Models{}
	}
	for _, m := range p.Machines {
		name := modelName(m.Env, keys)
		i := slices.IndexFunc(found.List, func(x Model) bool { return x.Name == name })
		if i < 0 {
			i = len(found.List)
			found.List = append(found.List, Model{Name: name, rounds: map[int]bool{}})
		}
		for _, n := range m.Rounds {
			found.List[i].rounds[n] = true
		}
	}
	return found
}

// differ reports whether any of the settings differs between the machines of a spread trial.
func (p *Pairing) differ(keys ...string) bool {
	return slices.ContainsFunc(p.Machines, func(m MachineRounds) bool {
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

// Change returns the change of a benchmark on the model, as the logarithm of a ratio, and its number
// of rounds. all has the pairs of all rounds.
func (m Model) Change(all []stat.Pair) (change stat.Shift, rounds int) {
	var own []stat.Pair
	for i, p := range all {
		if m.rounds[i+1] && p.Base > 0 && p.Head > 0 {
			own = append(own, stat.Pair{Base: math.Log(p.Base), Head: math.Log(p.Head)})
		}
	}
	if len(own) > 0 {
		var test stat.SignedRank
		test.Load(own)
		change = test.Interval(modelTail)
	}
	return change, len(own)
}

// Missing returns the number of rounds of a spread trial that do not count, because they are lost,
// and the number of its last round.
func (p *Pairing) Missing() (missing, last int) {
	counted := map[int]bool{}
	for _, m := range p.Machines {
		for _, n := range m.Rounds {
			counted[n] = true
		}
	}
	for _, end := range p.Sessions() {
		last = max(last, end)
	}
	return max(0, last-len(counted)), last
}
