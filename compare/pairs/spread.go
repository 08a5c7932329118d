package pairs

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A trial is spread if several machines measure its rounds. The two sides of a round still run on
// one machine, and a coin still decides which of them goes first, so a round means the same wherever
// it runs. All rounds together are decided as one trial, in the order of their numbers.

// A MachineRounds lists the rounds that one machine measured in a spread trial.
type MachineRounds struct {
	Name   string          // as its runs state it, or "" if they do not
	Env    record.Settings // of base, or of head if it measured only that
	Rounds []int           // rounds with samples on both sides, sorted
}

// isSpread reports whether all runs state that their trial is spread, over machines of one class.
func isSpread(b, h []*record.Run) bool {
	all := slices.Concat(b, h)
	return len(all) > 0 && !slices.ContainsFunc(all, func(r *record.Run) bool {
		return r.Protocol.Spread == nil || r.Protocol.Spread.Class != cmp.Or(all[0].Protocol.Spread, &record.Spread{}).Class
	})
}

// join joins the environments of a spread trial into one pairing. It returns them unjoined, with the
// reason, if they cannot be decided together.
func join(parts []*Pairing) []*Pairing {
	if why := unfit(parts); why != "" {
		for _, p := range parts {
			p.NotJoined = why
		}
		return parts
	}
	joined := &Pairing{Target: parts[0].Target, machineOf: map[*record.Run]int{}}
	parts = oneSided(parts)
	for _, p := range parts {
		joined.add(p)
	}
	for side, runs := range joined.Runs {
		joined.Env[side] = common(parts, side)
		slices.SortStableFunc(runs, func(a, b *record.Run) int {
			return cmp.Or(cmp.Compare(firstRound(a), firstRound(b)), a.Start.Compare(b.Start))
		})
	}
	joined.Trial, joined.Comparable = true, true
	joined.countRounds()
	return []*Pairing{joined}
}

// unfit returns why the environments of a spread trial cannot be decided together, or "".
func unfit(parts []*Pairing) string {
	switch {
	case !slices.ContainsFunc(parts, func(p *Pairing) bool { return p.Comparable }):
		return "no machine measured both sides"
	case repeated(parts):
		return "a round was measured twice"
	}
	return ""
}

// oneSided splits pairs of environments that cannot be compared. They were paired only because each
// of them lost its other side.
func oneSided(parts []*Pairing) (out []*Pairing) {
	for _, p := range parts {
		if p.Comparable {
			out = append(out, p)
			continue
		}
		for side, runs := range p.Runs {
			one := &Pairing{}
			one.Runs[side], one.Env[side] = runs, p.Env[side]
			out = append(out, one)
		}
	}
	return out
}

// repeated reports whether a round of any benchmark is in two runs of one side. It is unknown which
// of the two counts.
func repeated(parts []*Pairing) bool {
	type key struct {
		side int
		id   record.BenchmarkID
		n    int
	}
	in := map[key]*record.Run{}
	for _, p := range parts {
		for side, runs := range p.Runs {
			for _, r := range runs {
				for _, b := range r.Benchmarks {
					for _, round := range b.Rounds {
						k := key{side, b.BenchmarkID, round.N}
						if other := in[k]; other != nil && other != r {
							return true
						}
						in[k] = r
					}
				}
			}
		}
	}
	return false
}

// add adds the runs of one environment, machine by machine.
func (p *Pairing) add(part *Pairing) {
	index := map[string]int{}
	for side, runs := range part.Runs {
		for _, r := range runs {
			name := r.Protocol.Spread.Machine
			i, ok := index[name]
			if !ok {
				i = len(p.Machines)
				index[name] = i
				p.Machines = append(p.Machines, MachineRounds{Name: name, Env: part.Env[side]})
			}
			p.machineOf[r] = i
		}
		p.Runs[side] = append(p.Runs[side], runs...)
	}
	for _, d := range part.Different {
		if !slices.Contains(p.Different, d) {
			p.Different = append(p.Different, d)
		}
	}
}

// common returns the settings that all environments of a side have in common.
func common(parts []*Pairing, side int) (env record.Settings) {
	first := true
	for _, p := range parts {
		switch {
		case len(p.Runs[side]) == 0:
		case first:
			env, first = slices.Clone(p.Env[side]), false
		default:
			env = slices.DeleteFunc(env, func(s record.Setting) bool { return p.Env[side].Get(s.Key) != s.Value })
		}
	}
	return env
}

// countRounds lists the rounds of each machine, leaves out machines without any, and sorts the rest
// by their first round.
func (p *Pairing) countRounds() {
	measured := make([][2]map[int]bool, len(p.Machines))
	for side, runs := range p.Runs {
		for _, r := range runs {
			of := &measured[p.machineOf[r]]
			if of[side] == nil {
				of[side] = map[int]bool{}
			}
			for _, b := range r.Benchmarks {
				for _, round := range b.Rounds {
					of[side][round.N] = true
				}
			}
		}
	}
	for i := range p.Machines {
		for n := range measured[i][base] {
			if measured[i][head][n] {
				p.Machines[i].Rounds = append(p.Machines[i].Rounds, n)
			}
		}
		slices.Sort(p.Machines[i].Rounds)
	}
	p.Machines = slices.DeleteFunc(p.Machines, func(m MachineRounds) bool { return len(m.Rounds) == 0 })
	slices.SortFunc(p.Machines, func(a, b MachineRounds) int { return cmp.Compare(a.Rounds[0], b.Rounds[0]) })
}

// firstRound returns the number of a run's first round, or 0 if it has no samples.
func firstRound(r *record.Run) (first int) {
	for _, b := range r.Benchmarks {
		for _, round := range b.Rounds {
			if first == 0 || round.N < first {
				first = round.N
			}
		}
	}
	return first
}

// Spread returns the class of a spread trial and its number of machines, as stated or as seen in its
// runs. It returns nil for other trials, and for those that could not be joined.
func (p *Pairing) Spread() *record.Spread {
	if p.machineOf == nil {
		return nil
	}
	s := record.Spread{Class: p.Runs[head][0].Protocol.Spread.Class}
	seen := map[string]bool{}
	for _, m := range p.Machines {
		if m.Name == "" || !seen[m.Name] {
			s.Machines++
		}
		seen[m.Name] = true // a machine has two environments if, for example, its governor changed
	}
	for r := range p.machineOf {
		s.Machines = max(s.Machines, r.Protocol.Spread.Machines)
	}
	return &s
}

// PerMachine returns how many of the given rounds follow each other on one machine.
func (p *Pairing) PerMachine(rounds int) int {
	machines := 1
	if s := p.Spread(); s != nil {
		machines = max(1, s.Machines)
	}
	return (rounds + machines - 1) / machines
}

// spreadSessions returns the last round of each session. The runs of a session can be in any order,
// because each of them says which session it belongs to.
func spreadSessions(runs []*record.Run) (ends []int) {
	last := map[int]int{}
	for _, r := range runs {
		n := max(1, r.Protocol.Spread.Session)
		last[n] = max(last[n], r.LastRound())
	}
	for _, end := range last {
		if end > 0 {
			ends = append(ends, end)
		}
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}
