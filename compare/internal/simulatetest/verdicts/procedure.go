package verdicts

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Procedure is perftrack's own, whose parts can be switched off one by one, to
// show what each is for.
type Procedure struct {
	// Blocks decides as trials were before they believed their pairs: by blocks of five.
	Blocks bool
	// Capped caps the ranks.
	Capped bool
	// Apart takes samples as `go test -count` gives them, base first.
	Apart bool
	// Alone judges each benchmark as if it were the only one: no Holm.
	Alone bool
	// NoFloor tests against a shift of 0 and reports changes of any size.
	NoFloor bool
	// Fixed decides once, after this many rounds; 0 is the plan of check.
	Fixed int
	// Targets are as many as the benchmarks are of, which share the error rate; 0 is one.
	Targets int
	// Reruns are the rounds after which the trial ended each time but the last.
	Reruns []int

	seq     stat.Sequence
	trial   stat.Trial
	blocked [][2][]float64
}

var _ Rule = (*Procedure)(nil)

// Judge replays the shipped code on one pull request.
func (r *Procedure) Judge(p *PullRequest, out []Outcome) {
	samples := p.Interleaved
	if r.Apart {
		samples = r.apart(p)
	}
	opt := stat.Options{Procedure: stat.Pairs}
	if r.Blocks {
		opt.Procedure = stat.Blocks
	}
	rounds := p.Rounds
	if r.Blocks && len(r.Reruns) == 0 {
		rounds = min(rounds, stat.BlocksPlan().Last())
	}
	if r.Fixed > 0 {
		opt.Plan, rounds = stat.FixedPlan(r.Fixed), r.Fixed
	}
	if r.NoFloor {
		opt.Floor = func(float64, float64) stat.EffectFloor { return stat.EffectFloor{} }
	}
	r.trial.Series = r.trial.Series[:0]
	for b, sides := range samples {
		one := stat.Series{Better: -1, Threshold: p.Threshold, Noise: p.Noise, Capped: r.Capped, Pairs: pairs(sides)}
		if p.Means != nil && !r.Apart {
			one.Means = pairs(p.Means[b])
		}
		r.trial.Series = append(r.trial.Series, one)
	}
	r.trial.Sessions = append(append(r.trial.Sessions[:0], r.Reruns...), rounds)
	all := r.trial
	each := len(all.Series)
	switch {
	case r.Alone:
		each = 1
	case r.Targets > 0:
		each = (each + r.Targets - 1) / r.Targets
	}
	for lo := 0; lo < len(all.Series); lo += each {
		hi := min(lo+each, len(all.Series))
		if r.Targets > 0 {
			opt.Part = float64(hi-lo) / float64(len(all.Series))
		}
		r.replay(stat.Trial{Series: all.Series[lo:hi], Sessions: all.Sessions}, opt, out[lo:hi])
	}
}

func (r *Procedure) replay(t stat.Trial, opt stat.Options, out []Outcome) {
	r.seq.Reset(t, opt)
	for b, d := range r.seq.Decisions() {
		out[b] = Outcome{
			Verdict:   compare.DecisionOf(d, -1).Verdict,
			Rounds:    d.Rounds,
			Estimated: d.Rounds > 0,
			Shift:     d.Shift,
			Need:      d.Need,
		}
	}
}

func pairs(sides [2][]float64) []stat.Pair {
	out := make([]stat.Pair, len(sides[0]))
	for i := range out {
		out[i] = stat.Pair{Base: sides[0][i], Head: sides[1][i]}
	}
	return out
}

// apart draws a trial whose sides were measured one after the other.
func (r *Procedure) apart(p *PullRequest) [][2][]float64 {
	if len(r.blocked) != p.Benchmarks || len(r.blocked[0][0]) != p.Rounds {
		r.blocked = make([][2][]float64, p.Benchmarks)
		for b := range r.blocked {
			r.blocked[b] = [2][]float64{make([]float64, p.Rounds), make([]float64, p.Rounds)}
		}
	}
	p.machine.Boot(p.r)
	for b, sides := range r.blocked {
		for side, values := range sides {
			p.machine.Start()
			for i := range values {
				values[i] = p.time(b, side, p.machine.Sample())
			}
		}
	}
	return r.blocked
}
