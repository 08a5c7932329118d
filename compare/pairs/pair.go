package pairs

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// Fixed reports whether an environment key is independent of the code. Runs that differ in a fixed
// key were not measured on the same machine in the same way, even if they have the same trial id.
func Fixed(key string) bool {
	k, _ := record.Lookup(key)
	return k.Fixed
}

// Of matches the runs of both sides, first by target, in order of first appearance, and then
// by environment. It joins the environments of a spread trial.
func Of(baseRuns, headRuns []*record.Run) []*Pairing {
	var targets []string
	for _, r := range slices.Concat(baseRuns, headRuns) {
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
	}
	var out []*Pairing
	for _, target := range targets {
		of := func(runs []*record.Run) []*record.Run {
			return slices.DeleteFunc(slices.Clone(runs), func(r *record.Run) bool { return r.Target != target })
		}
		b, h := of(baseRuns), of(headRuns)
		trial := SameTrial(b, h)
		found := pairEnvironments(byEnvironment(b), byEnvironment(h))
		for _, p := range found {
			p.Target, p.Trial = target, trial
			p.compareEnvironments()
		}
		if trial && isSpread(b, h) {
			found = join(found)
		}
		out = append(out, found...)
	}
	return out
}

// SameTrial reports whether all runs belong to one trial and are on the right side.
func SameTrial(b, h []*record.Run) bool {
	if len(b) == 0 || len(h) == 0 || b[0].Trial == "" {
		return false
	}
	of := func(runs []*record.Run, side record.Side) bool {
		return !slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Trial != b[0].Trial || r.Side != side })
	}
	return of(b, record.Base) && of(h, record.Head)
}

// byEnvironment splits runs by environment, in order of first appearance. A run without samples is
// put into the most similar environment, because it lacks the settings that benchmarks print.
func byEnvironment(runs []*record.Run) [][]*record.Run {
	var environments []record.Settings
	add := func(r *record.Run) {
		if !slices.ContainsFunc(environments, func(e record.Settings) bool { return len(e.Differences(r.Env)) == 0 }) {
			environments = append(environments, r.Env)
		}
	}
	for _, r := range runs {
		if len(r.Benchmarks) > 0 {
			add(r)
		}
	}
	if environments == nil {
		for _, r := range runs {
			add(r)
		}
	}
	out := make([][]*record.Run, len(environments))
	for _, r := range runs {
		nearest, least := 0, len(record.EnvironmentKeys)+1
		for i, e := range environments {
			if n := len(e.Differences(r.Env)); n < least {
				nearest, least = i, n
			}
		}
		out[nearest] = append(out[nearest], r)
	}
	return out
}

// environment returns the environment of runs that belong together, taken from a run with samples
// if there is one.
func environment(runs []*record.Run) record.Settings {
	for _, r := range runs {
		if len(r.Benchmarks) > 0 {
			return r.Env
		}
	}
	return runs[0].Env
}

// pairEnvironments first pairs equal environments (`go test -cpu 1,2` gives two per side) and then
// the remaining ones, those with the fewest differences first, to show readers what prevents a
// comparison. An environment without a partner gets a Pairing with one side.
func pairEnvironments(bases, heads [][]*record.Run) []*Pairing {
	var out []*Pairing
	free := slices.Clone(heads)
	left := slices.Clone(bases)
	for limit := 0; limit <= len(record.EnvironmentKeys); limit++ {
		left = slices.DeleteFunc(left, func(b []*record.Run) bool {
			i := slices.IndexFunc(free, func(h []*record.Run) bool {
				return len(environment(b).Differences(environment(h))) <= limit
			})
			if i < 0 {
				return false
			}
			out = append(out, &Pairing{Runs: [2][]*record.Run{b, free[i]}})
			free = slices.Delete(free, i, i+1)
			return true
		})
	}
	for _, b := range left {
		out = append(out, &Pairing{Runs: [2][]*record.Run{b, nil}})
	}
	for _, h := range free {
		out = append(out, &Pairing{Runs: [2][]*record.Run{nil, h}})
	}
	return out
}

func (p *Pairing) compareEnvironments() {
	for side, runs := range p.Runs {
		if len(runs) > 0 {
			p.Env[side] = environment(runs)
		}
	}
	if len(p.Runs[base]) == 0 || len(p.Runs[head]) == 0 {
		return
	}
	p.Comparable = true
	for _, key := range p.Env[base].Differences(p.Env[head]) {
		if p.Env[base].Get(key) == "" && !p.sampled(base) || p.Env[head].Get(key) == "" && !p.sampled(head) {
			continue // benchmarks print this setting, and none ran
		}
		p.Different = append(p.Different, Difference{key, p.Env[base].Get(key), p.Env[head].Get(key)})
		if !p.Trial || Fixed(key) {
			p.Comparable = false
		}
	}
	p.Trial = p.Trial && p.Comparable
}

// sampled reports whether a side has runs with samples.
func (p *Pairing) sampled(side int) bool {
	return slices.ContainsFunc(p.Runs[side], func(r *record.Run) bool { return len(r.Benchmarks) > 0 })
}
