package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// fixed reports whether an environment key is independent of the code. Runs that differ in a fixed
// key were not measured on the same machine in the same way, whatever their trial id says.
func fixed(key string) bool {
	k, _ := record.Lookup(key)
	return k.Fixed
}

// pairRuns matches the runs of both sides, first by target, in order of first appearance, and then
// by environment.
func pairRuns(baseRuns, headRuns []*record.Run) []*Pairing {
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
		trial := sameTrial(b, h)
		for _, p := range pairEnvironments(byEnvironment(b), byEnvironment(h)) {
			p.Target, p.Trial = target, trial
			p.compareEnvironments()
			out = append(out, p)
		}
	}
	return out
}

// sameTrial reports whether all runs belong to one trial and are on the right side.
func sameTrial(b, h []*record.Run) bool {
	if len(b) == 0 || len(h) == 0 || b[0].Trial == "" {
		return false
	}
	of := func(runs []*record.Run, side record.Side) bool {
		return !slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Trial != b[0].Trial || r.Side != side })
	}
	return of(b, record.Base) && of(h, record.Head)
}

// byEnvironment splits runs by environment, in order of first appearance. A run without samples is
// put into the environment from which it differs least, because it lacks the settings that
// benchmarks print.
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
// the remaining ones, starting with those that have the fewest differences, so that readers see
// what prevents a comparison. Environments without a partner stay alone.
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
			out = append(out, &Pairing{runs: [2][]*record.Run{b, free[i]}})
			free = slices.Delete(free, i, i+1)
			return true
		})
	}
	for _, b := range left {
		out = append(out, &Pairing{runs: [2][]*record.Run{b, nil}})
	}
	for _, h := range free {
		out = append(out, &Pairing{runs: [2][]*record.Run{nil, h}})
	}
	return out
}

func (p *Pairing) compareEnvironments() {
	for side, runs := range p.runs {
		if len(runs) > 0 {
			p.Env[side] = environment(runs)
		}
	}
	if len(p.runs[base]) == 0 || len(p.runs[head]) == 0 {
		return
	}
	p.Comparable = true
	for _, key := range p.Env[base].Differences(p.Env[head]) {
		if p.Env[base].Get(key) == "" && !p.sampled(base) || p.Env[head].Get(key) == "" && !p.sampled(head) {
			continue // benchmarks print this setting, and no benchmark ran
		}
		p.Different = append(p.Different, Difference{key, p.Env[base].Get(key), p.Env[head].Get(key)})
		if !p.Trial || fixed(key) {
			p.Comparable = false
		}
	}
	p.Trial = p.Trial && p.Comparable
}

// sampled reports whether a side has runs with samples.
func (p *Pairing) sampled(side int) bool {
	return slices.ContainsFunc(p.runs[side], func(r *record.Run) bool { return len(r.Benchmarks) > 0 })
}

// differences describes the differing settings, such as "cpu: A vs B, goversion: ...".
func (p *Pairing) differences() string {
	var parts []string
	for _, d := range p.Different {
		parts = append(parts, fmt.Sprintf("%s: %s vs %s", d.Key, cmp.Or(d.Base, "unknown"), cmp.Or(d.Head, "unknown")))
	}
	return strings.Join(parts, ", ")
}

// caveat describes how the environments relate to each other. ok is false if they are equal.
func (p *Pairing) caveat() (c Caveat, ok bool) {
	side, other := base, "head"
	switch {
	case len(p.runs[base]) == 0:
		side, other = head, "base"
	case len(p.runs[head]) > 0 && len(p.Different) == 0:
		return c, false
	case len(p.runs[head]) > 0 && p.Comparable:
		return Caveat{CodeEnvironment, "the environments differ as part of the change", p.differences()}, true
	case len(p.runs[head]) > 0:
		return Caveat{CodeEnvironment, "the environments differ, so their numbers are not compared", p.differences()}, true
	}
	of := "environment " + p.Env[side].EnvironmentID()
	if p.Target != "" {
		of = "target " + p.Target + ", " + of
	}
	return Caveat{CodeEnvironment, "the " + other + " side has no matching run", of}, true
}

// A series holds the tidied samples of both sides for one row.
type series struct {
	id     record.BenchmarkID
	unit   string // the tidied unit
	orig   string // as the benchmark program printed it, on the base side if it has the series
	values [2][]float64
	place  [3]int     // run, round and order of its first sample
	iters  [2]float64 // the sum of all iterations
	rounds [2]int
}

// calls returns the mean number of calls to a scope per sample, for each side.
func (s *series) calls() (calls [2]float64) {
	for side, n := range s.rounds {
		if n > 0 && s.id.Kind == record.Scope {
			calls[side] = s.iters[side] / float64(n)
		}
	}
	return calls
}

// series collects the series of a pairing. They are sorted by kind, package, suite and unit, and
// then in the order of measurement: first those of base, then those only in head.
func (p *Pairing) series() []*series {
	type key struct {
		id   record.BenchmarkID
		unit string
	}
	index := map[key]*series{}
	var out []*series
	for side := range p.runs {
		for n, run := range p.runs[side] {
			for i := range run.Benchmarks {
				b := &run.Benchmarks[i]
				for _, s := range b.Samples {
					values, unit := tidied(s)
					if len(values) == 0 {
						continue
					}
					k := key{b.BenchmarkID, unit}
					of := index[k]
					if of == nil {
						of = &series{id: k.id, unit: unit, orig: s.Unit, place: place(side*len(p.runs[base])+n, b)}
						index[k] = of
						out = append(out, of)
					}
					if of.values[side] == nil {
						of.values[side] = values
					} else {
						of.values[side] = append(of.values[side], values...)
					}
					for _, round := range b.Rounds {
						of.iters[side] += float64(round.Iters)
						of.rounds[side]++
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *series) int {
		return cmp.Or(
			cmp.Compare(a.id.Kind, b.id.Kind),
			cmp.Compare(a.id.Package, b.id.Package),
			cmp.Compare(a.id.Suite, b.id.Suite),
			compareUnits(a.unit, b.unit),
			slices.Compare(a.place[:], b.place[:]),
			cmp.Compare(a.id.Name, b.id.Name),
		)
	})
	return out
}

// compareUnits orders tidied units in the same way as record.CompareUnits orders the units of go
// test.
func compareUnits(a, b string) int {
	untidied := func(u string) string {
		switch u {
		case "sec/op":
			return "ns/op"
		case "B/s":
			return "MB/s"
		}
		return u
	}
	return cmp.Or(record.CompareUnits(untidied(a), untidied(b)), cmp.Compare(a, b))
}

// place returns when a benchmark was first measured: the run, the round, and the order within the
// round.
func place(run int, b *record.Benchmark) [3]int {
	p := [3]int{run, 0, 0}
	for i, r := range b.Rounds {
		if i == 0 || r.N < p[1] || r.N == p[1] && r.Order < p[2] {
			p[1], p[2] = r.N, r.Order
		}
	}
	return p
}
