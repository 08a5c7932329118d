package verdicts

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Procedure is perftrack's own procedure. Its parts can be switched off individually to show
// their purpose.
type Procedure struct {
	// Capped caps the ranks.
	Capped bool
	// Unpaired takes the samples in the order of `go test -count`, base first.
	Unpaired bool
	// Alone judges each benchmark as if it were the only one, without Holm's correction.
	Alone bool
	// NoFloor tests against a shift of 0 and reports changes of any size.
	NoFloor bool
	// Fixed is the number of rounds after which to decide once; 0 means the plan of a check.
	Fixed int
	// Targets is the number of targets sharing the error rate; 0 means one.
	Targets int
	// Reruns holds the last round of each session of the trial except the last.
	Reruns []int

	seq     stat.Sequence
	trial   stat.Trial
	blocked [][2][]float64
}

var _ Rule = (*Procedure)(nil)

// Judge replays the shipped code for one pull request.
func (r *Procedure) Judge(p *PullRequest, out []Outcome) {
	samples := p.Interleaved
	if r.Unpaired {
		samples = r.unpaired(p)
	}
	opt, rounds := stat.Options{}, p.Rounds
	if r.Fixed > 0 {
		opt.Plan, rounds = stat.FixedPlan(r.Fixed), r.Fixed
	}
	if r.NoFloor {
		opt.Floor = func(float64, float64) stat.EffectFloor { return stat.EffectFloor{} }
	}
	r.trial.Series = r.trial.Series[:0]
	for b, sides := range samples {
		one := stat.Series{Better: -1, Threshold: p.Threshold, Noise: p.Noise, Capped: r.Capped, Pairs: pairsOf(sides)}
		if p.Means != nil && !r.Unpaired {
			one.Means = pairsOf(p.Means[b])
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
	outcomes(&r.seq, out)
}

// outcomes stores the decisions of a sequence in out.
func outcomes(seq *stat.Sequence, out []Outcome) {
	for b, d := range seq.Decisions() {
		out[b] = Outcome{
			Verdict:   compare.DecisionOf(d, -1).Verdict,
			Rounds:    d.Rounds,
			Estimated: d.Rounds > 0,
			Shift:     d.Shift,
			Need:      d.Need,
		}
	}
}

func pairsOf(sides [2][]float64) []stat.Pair {
	out := make([]stat.Pair, len(sides[0]))
	for i := range out {
		out[i] = stat.Pair{Base: sides[0][i], Head: sides[1][i]}
	}
	return out
}

// unpaired draws a trial with the sides measured one after the other.
func (r *Procedure) unpaired(p *PullRequest) [][2][]float64 {
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
				values[i] = p.time(b, side, p.sample(b))
			}
		}
	}
	return r.blocked
}
