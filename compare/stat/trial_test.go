package stat

import (
	"math"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"
)

// seq draws a series of n rounds with head slower than base by effect.
func seq(r *rand.Rand, n int, cv, effect float64) Series {
	return Series{Better: -1, Threshold: 0.05, Pairs: pairsOf(draw(r, n, 100, cv), draw(r, n, 100*(1+effect), cv))}
}

// draw returns n log-normal times with the coefficient of variation cv.
func draw(r *rand.Rand, n int, mean, cv float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean * math.Exp(cv*r.NormFloat64())
	}
	return out
}

// pairsOf pairs the values of base and head, up to the length of the shorter side.
func pairsOf(base, head []float64) []Pair {
	out := make([]Pair, min(len(base), len(head)))
	for i := range out {
		out[i] = Pair{Base: base[i], Head: head[i]}
	}
	return out
}

// counts returns a series of n rounds with the same two counts in each round.
func counts(n int, b, h float64) Series {
	s := constantly(n, b, h)
	s.Counts = true
	return s
}

// constantly returns a series of n rounds with the same two values in each round.
func constantly(n int, b, h float64) Series {
	return Series{Better: -1, Threshold: 0.05, Pairs: slices.Repeat([]Pair{{Base: b, Head: h}}, n)}
}

// checkFinite fails the test if a number in d is NaN, or if the shift is infinite or outside its
// interval.
func checkFinite(t interface{ Fatalf(string, ...any) }, d Decision) {
	for _, v := range []float64{
		d.Shift.Center, d.Shift.Lo, d.Shift.Hi, d.Bound, d.P, d.AdjustedP, d.Threshold,
		d.Mean.Shift.Center, d.Mean.Shift.Lo, d.Mean.Shift.Hi, d.Mean.Bound, d.Mean.AdjustedP,
	} {
		if v != v {
			t.Fatalf("NaN in %+v", d)
		}
	}
	if math.IsInf(d.Shift.Center, 0) || d.Shift.Lo > d.Shift.Center || d.Shift.Center > d.Shift.Hi {
		t.Fatalf("odd shift in %+v", d)
	}
}

// feed adds the rounds (from, to] of a trial, as a runner would: only those of open series.
func feed(s *Sequence, trial Trial, from, to int) {
	for round := from + 1; round <= to; round++ {
		for i, series := range trial.Series {
			if s.Open(i) && round <= len(series.Pairs) {
				s.Add(i, round, series.Pairs[round-1])
			}
			if s.Open(i) && round <= len(series.Means) {
				s.AddMean(i, round, series.Means[round-1])
			}
		}
		s.Complete(round)
	}
}

// drawSequential draws a trial with all kinds of values a store can contain.
func drawSequential(t *rapid.T) Trial {
	var trial Trial
	value := rapid.OneOf(
		rapid.Float64Range(90, 110),
		rapid.Map(rapid.IntRange(100, 104), func(i int) float64 { return float64(i) }),
		rapid.SampledFrom([]float64{math.NaN(), 0, -1, math.Inf(1), math.Inf(-1), 1e-320, math.MaxFloat64}),
	)
	usual := rapid.OneOf(rapid.Float64Range(99, 101), rapid.Float64Range(105, 107))
	for range rapid.IntRange(0, 4).Draw(t, "series") {
		v := rapid.SampledFrom([]*rapid.Generator[float64]{value, usual}).Draw(t, "kind")
		trial.Series = append(trial.Series, Series{
			Better:     rapid.IntRange(-1, 1).Draw(t, "better"),
			Counts:     rapid.Bool().Draw(t, "counts"),
			Declared:   rapid.Bool().Draw(t, "declared"),
			Negligible: rapid.SampledFrom([]Negligible{{}, {Size: 16, Part: 0.01}}).Draw(t, "negligible"),
			Threshold:  rapid.SampledFrom([]float64{0, 0.02, 0.05, 3}).Draw(t, "threshold"),
			Noise:      rapid.SampledFrom([]float64{0, 0.001, 0.02}).Draw(t, "noise"),
			Pairs:      pairsOf(rapid.SliceOfN(v, 0, 45).Draw(t, "base"), rapid.SliceOfN(v, 0, 45).Draw(t, "head")),
		})
	}
	end := 0
	for range rapid.IntRange(0, 3).Draw(t, "sessions") {
		end += rapid.IntRange(0, 25).Draw(t, "rounds")
		trial.Sessions = append(trial.Sessions, end)
	}
	return trial
}

func stripped(series []Series) []Series {
	out := slices.Clone(series)
	for i := range out {
		out[i].Pairs, out[i].Means = nil, nil
	}
	return out
}

// storedTrial draws a trial that a store may contain, and the options for deciding it.
func storedTrial(r *rand.Rand) (Trial, Options) {
	var trial Trial
	end := 0
	for range 1 + r.IntN(3) {
		end += r.IntN(30)
		trial.Sessions = append(trial.Sessions, end)
	}
	opt := Options{Alpha: []float64{0, 0.01, 0.05, 0.003}[r.IntN(4)]}
	if r.IntN(4) == 0 {
		trial.Sessions = []int{end}
		opt.Plan = FixedPlan(max(end, 1))
	}
	for range 1 + r.IntN(8) {
		effect := []float64{0, 0, 0, 0.03, 0.06, -0.06, 0.2}[r.IntN(7)]
		s := seq(r, end, []float64{0.003, 0.01, 0.03, 0.1}[r.IntN(4)], effect)
		s.Better, s.Unknown = r.IntN(3)-1, r.IntN(5) == 0
		s.Threshold = []float64{0, 0.02, 0.05, 0.05}[r.IntN(4)]
		s.Noise = []float64{0, 0, 0.001, 0.02}[r.IntN(4)]
		s.Counts, s.Declared = r.IntN(3) == 0, r.IntN(8) == 0
		if s.Counts && r.IntN(2) == 0 {
			s.Negligible = Negligible{Size: 16, Part: 0.01}
		}
		coarse, lacking, zeros := r.IntN(3) == 0, r.IntN(3) == 0, r.IntN(6) == 0
		for i := range s.Pairs {
			p := &s.Pairs[i]
			if coarse {
				p.Base, p.Head = math.Round(p.Base/4), math.Round(p.Head/4)
			}
			if lacking && r.IntN(5) == 0 {
				p.Head = math.NaN()
			}
			if zeros && r.IntN(4) == 0 {
				p.Base = 0
			}
		}
		if odd := r.IntN(30); odd < 3 && end > 0 {
			s.Pairs[r.IntN(end)].Base = []float64{-1, math.Inf(1), 0}[odd]
		}
		trial.Series = append(trial.Series, s)
	}
	return trial, opt
}
