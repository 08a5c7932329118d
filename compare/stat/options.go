package stat

// Options sets the error rates of a trial and how it is decided. A field of 0 means its default.
type Options struct {
	// Alpha bounds the probability of any false regression in a trial, over all its looks and
	// continuations. It separately bounds the probability of any false improvement and, for each
	// single series, the probability of calling a change as large as the threshold unchanged. The
	// default is 0.01.
	Alpha float64
	// Part is the fraction of Alpha available for flags in this trial; the rest belongs to other
	// targets measured with it. Intervals use all of Alpha. The default is 1.
	Part float64
	// Plan sets when decisions are made. The default is [CheckPlan].
	Plan Plan
	// Floor returns the effect floor for a threshold and a noise floor. The default is [FloorFor].
	Floor func(threshold, noise float64) EffectFloor
}

func (o Options) withDefaults() Options {
	if o.Alpha <= 0 {
		o.Alpha = 0.01
	}
	if len(o.Plan.Looks) == 0 {
		o.Plan = CheckPlan()
	}
	if o.Floor == nil {
		o.Floor = FloorFor
	}
	if !(o.Part > 0) || o.Part > 1 {
		o.Part = 1
	}
	return o
}
