package stat

// Options are the error rates, and how a trial is decided. A field of 0 stands for its
// default.
type Options struct {
	// Procedure is by which rules: Pairs of what is measured now.
	Procedure Procedure
	// Alpha is the chance that a trial in which nothing changed has any series
	// flagged as regressed, over all its looks and continuations. The same
	// chance, each of its own, bounds any false improvement, and for one series
	// that a change of the threshold is called unchanged. Default 0.01.
	Alpha float64
	// Part is which part of Alpha bounds the flags of this trial: the rest is of other
	// targets that are measured with it. What is said of one series has all of Alpha.
	// Default 1. Not in Blocks.
	Part float64
	// CompareAlpha is benchstat's alpha: what benchstat would show as ~ is
	// never flagged. Default 0.05. Only in Blocks.
	CompareAlpha float64
	// Plan is when decisions are made. Default that of a check by the procedure.
	Plan Plan
	// Floor is the effect floor for a threshold and a noise floor. Default
	// PairFloor, of Blocks FloorFor.
	Floor func(threshold, noise float64) EffectFloor

	variant variant // of Procedure, if it is by pairs
}

func (o Options) withDefaults() Options {
	if o.Alpha <= 0 {
		o.Alpha = 0.01
	}
	if o.CompareAlpha <= 0 {
		o.CompareAlpha = 0.05
	}
	plan, floor := BlocksPlan(), FloorFor
	if o.Procedure.ByPairs() {
		o.variant = o.Procedure.variant()
		plan, floor = o.variant.plan, PairFloor
	}
	if len(o.Plan.Looks) == 0 {
		o.Plan = plan
	}
	if o.Floor == nil {
		o.Floor = floor
	}
	if !(o.Part > 0) || o.Part > 1 {
		o.Part = 1
	}
	return o
}
