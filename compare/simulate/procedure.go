package simulate

import "github.com/perftrack/perftrack/compare"

// A Procedure is perftrack's own, with each of its ingredients to be switched
// off: what that breaks is what the ingredient is for.
type Procedure struct {
	// Apart takes samples as `go test -count` gives them, base first.
	Apart bool
	// Alone judges each benchmark as if it were the only one: no Holm.
	Alone bool
	// NoFloor tests against a shift of 0 and reports changes of any size.
	NoFloor bool
	// Fixed decides once, after this many rounds; 0 is the plan of check.
	Fixed int

	seq     compare.Sequence
	trial   compare.SequentialTrial
	blocked [][2][]float64
}

var _ Rule = (*Procedure)(nil)

// Judge replays the shipped code on one pull request.
func (r *Procedure) Judge(p *PullRequest, out []Outcome) {
	samples := p.Interleaved
	if r.Apart {
		samples = r.apart(p)
	}
	opt := compare.SequentialOptions{}
	rounds := p.Rounds
	if r.Fixed > 0 {
		opt.Plan, rounds = compare.FixedPlan(r.Fixed), r.Fixed
	}
	if r.NoFloor {
		opt.Floor = func(float64, float64) compare.EffectFloor { return compare.EffectFloor{} }
	}
	r.trial.Series = r.trial.Series[:0]
	for _, sides := range samples {
		r.trial.Series = append(r.trial.Series, compare.SequentialSeries{
			Unit: "sec/op", Better: -1, Threshold: p.Threshold, Noise: p.Noise, Base: sides[0], Head: sides[1],
		})
	}
	r.trial.Sessions = append(r.trial.Sessions[:0], rounds)
	if !r.Alone {
		r.replay(r.trial, opt, out)
		return
	}
	for b := range r.trial.Series {
		one := compare.SequentialTrial{Series: r.trial.Series[b : b+1], Sessions: r.trial.Sessions}
		r.replay(one, opt, out[b:b+1])
	}
}

func (r *Procedure) replay(t compare.SequentialTrial, opt compare.SequentialOptions, out []Outcome) {
	r.seq.Reset(t, opt)
	for b, d := range r.seq.Decisions() {
		out[b] = Outcome{
			Flagged:   d.Verdict == compare.Regressed,
			Unchanged: d.Verdict == compare.Unchanged,
			Improved:  d.Verdict == compare.Improved,
			Rounds:    d.Rounds,
			Estimated: d.Rounds > 0,
			Shift:     d.Shift,
			Need:      d.Need,
		}
	}
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
