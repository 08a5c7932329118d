package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// sliced draws a series of rounds with slicesOf slices per side. On the head side, the fraction
// part of the slices is slower by the factor times; typical rounds exclude these slices.
func sliced(r *rand.Rand, rounds, slicesOf int, effect, part, times float64) Series {
	s := Series{Better: -1, Threshold: 0.05}
	for range rounds {
		var typical, mean [2]float64
		for side := range 2 {
			typical[side] = 100 * math.Exp(0.01*r.NormFloat64())
			if side == 1 {
				typical[side] *= 1 + effect
			}
			slow := 0.0
			for range slicesOf {
				if side == 1 && r.Float64() < part {
					slow++
				}
			}
			mean[side] = typical[side] * math.Exp(0.005*r.NormFloat64()) * (1 + (times-1)*slow/float64(slicesOf))
		}
		s.Pairs = append(s.Pairs, Pair{Base: typical[0], Head: typical[1]})
		s.Means = append(s.Means, Pair{Base: mean[0], Head: mean[1]})
	}
	return s
}

// A series with an event in a few slices of head alone is not called the same: the mean proves the
// change, or its estimate keeps the series open. Only an event that looks like a single hiccup may
// go unnoticed.
func TestMeanIsNeverThrownAway(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	for _, tt := range []struct {
		name        string
		slices      int
		part, times float64
		found, same float64 // fractions of the trials: found at least, the same at most
	}{
		{"2 % of slices take 100 times as long", 200, 0.02, 100, 0.98, 0},
		{"the same, a fifth of the slices", 40, 0.02, 100, 0.8, 0},
		// One slow slice within nine rounds, or none, looks like a hiccup. This happens in 3 % and
		// in 46 % of the trials.
		{"0.3 % take 100 times as long", 200, 0.003, 100, 0.4, 0.08},
		{"0.02 % take 1000 times as long", 1000, 0.0002, 1000, 0, 0.6},
		{"each tenth takes twice as long", 100, 0.1, 2, 0.98, 0},
	} {
		found, same := 0, 0
		const trials = 100
		opt := Options{}
		opt.Part = 1. / 8
		for range trials {
			d := Replay(Trial{Series: []Series{sliced(r, 48, tt.slices, 0, tt.part, tt.times)}, Sessions: []int{48}}, opt)[0]
			checkFinite(t, d)
			switch {
			case d.Outcome == Higher && d.ByMean:
				found++
			case d.Outcome == Same:
				same++
			case d.Outcome != Open || !d.ByMean:
				t.Errorf("%s: %+v", tt.name, d)
			}
		}
		t.Logf("%s: %d found, %d the same, of %d", tt.name, found, same, trials)
		if float64(found) < tt.found*trials || float64(same) > tt.same*trials {
			t.Errorf("%s: %d found, %d the same, of %d", tt.name, found, same, trials)
		}
	}
}

// A hiccup of the machine in one round, however long, does not keep a series open: if nothing
// changed, the series is the same at the first look.
func TestMeanForgivesOneHiccup(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	for range 50 {
		s := sliced(r, 48, 100, 0, 0, 1)
		s.Means[r.IntN(9)].Head *= 30
		if d := only(t, s, 48); d.Outcome != Same || d.Round != 9 || d.ByMean || d.Mean.Rounds != 9 || !(d.Mean.Bound < math.Inf(1)) {
			t.Errorf("%+v", d)
		}
	}
	s := sliced(r, 48, 100, 0, 0, 1)
	s.Means[3].Head *= 30
	s.Means[7].Head *= 30
	if d := only(t, s, 48); d.Outcome == Same || !d.ByMean {
		t.Errorf("two hiccups of one side: %+v", d)
	}
}

// The typical round and the mean of a series together determine its outcome.
func TestJoined(t *testing.T) {
	open, same := finding{}, finding{outcome: Same}
	up, down := finding{Higher, NoCause, worse}, finding{Lower, NoCause, better}
	for _, tt := range []struct {
		name          string
		typical, mean finding
		estimate      float64 // of the mean
		want          Outcome
		byMean        bool
	}{
		{"nothing", open, open, 0, Open, false},
		{"nothing typical, the mean leans", open, open, 0.2, Open, false},
		{"worse", up, open, 0, Higher, false},
		{"both worse", up, up, 0.2, Higher, false},
		{"worse, and better on average", up, down, -0.2, Higher, false},
		{"the mean alone", open, up, 0.2, Higher, true},
		{"the same, and worse on average", same, up, 0.2, Higher, true},
		{"better, and worse on average", down, up, 0.2, Higher, true},
		{"better, and the mean may be worse", down, open, 0.06, Open, true},
		{"better, and the mean hardly", down, open, 0.03, Lower, false},
		{"better", down, down, -0.2, Lower, false},
		{"better, and the mean may be far better", down, open, -0.2, Lower, false},
		{"the same, and better on average", same, down, -0.2, Lower, true},
		{"better on average", open, down, -0.2, Open, false},
		{"the same", same, open, 0.03, Same, false},
		{"the same, and the mean may be worse", same, open, 0.06, Open, true},
		{"the same, and the mean may be better", same, open, -0.06, Open, true},
	} {
		for _, which := range []string{"all", "sums"} {
			st := &state{Series: Series{Better: -1, Threshold: 0.05}}
			if which == "all" {
				st.mean.shift.Center = tt.estimate
			} else {
				st.sums = tt.estimate
			}
			if f, byMean := st.joined(tt.typical, tt.mean); f.outcome != tt.want || byMean != tt.byMean {
				t.Errorf("%s, %s: %+v, by mean %v", tt.name, which, f, byMean)
			}
		}
		st := &state{mean: measurement{cause: NoPairs}}
		if f, byMean := st.joined(tt.typical, finding{}); f != tt.typical || byMean {
			t.Errorf("%s, without a mean: %+v, by mean %v", tt.name, f, byMean)
		}
	}
	// If neither direction is better, each is as bad as the other.
	st := &state{Series: Series{Threshold: 0.05}}
	if f, byMean := st.joined(open, down); f.outcome != Lower || !byMean {
		t.Errorf("no direction: %+v", f)
	}
}

// If nothing changed, the flags of typical rounds and means together stay within one error rate,
// whether or not the two are correlated.
func TestMeansShareTheErrorRate(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	opt := Options{Alpha: 0.2, Floor: func(float64, float64) EffectFloor { return EffectFloor{} }}
	trials := livetest.Few(150, 5000)
	for _, shared := range []float64{1, 0.95, 0.5, 0} {
		flagged, byMean := 0, 0
		var s Sequence
		for range trials {
			trial := Trial{Sessions: []int{27}}
			for range 4 {
				one := Series{Better: -1, Threshold: 0.05}
				for range 27 {
					x, y := r.NormFloat64(), r.NormFloat64()
					one.Pairs = append(one.Pairs, Pair{Base: 100, Head: 100 * math.Exp(0.05*x)})
					one.Means = append(one.Means, Pair{Base: 100, Head: 100 * math.Exp(0.1*(shared*x+math.Sqrt(1-shared*shared)*y))})
				}
				trial.Series = append(trial.Series, one)
			}
			s.Reset(trial, opt)
			if all := s.Decisions(); slices.ContainsFunc(all, func(d Decision) bool { return d.Outcome == Higher }) {
				flagged++
				if slices.ContainsFunc(all, func(d Decision) bool { return d.ByMean && d.Outcome == Higher }) {
					byMean++
				}
			}
		}
		t.Logf("shared %v: %d flagged of %d, %d by a mean", shared, flagged, trials, byMean)
		// Within 27 rounds, a trial can spend 0.63 of its error rate of 0.2.
		if most := 0.2*float64(trials) + 3*math.Sqrt(0.2*0.8*float64(trials)); float64(flagged) > most || shared == 0 && byMean == 0 {
			t.Errorf("shared %v: %d flagged of %d, %d by a mean", shared, flagged, trials, byMean)
		}
	}
}

// A series kept open by its mean needs more rounds than it had, and these usually decide it.
func TestNeedOfMean(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 4))
	for _, tt := range []struct {
		part, times float64
		hiccups     int
	}{{0.01, 10, 0}, {0.005, 20, 0}, {0, 1, 2}} {
		decided, asked := 0, 0
		var s Sequence
		for range 40 {
			series := sliced(r, 300, 100, 0, tt.part, tt.times)
			for i := range tt.hiccups {
				series.Means[3+i].Head *= 4
			}
			trial := Trial{Series: []Series{series}, Sessions: []int{9}}
			s.Reset(trial, Options{})
			d := s.Decisions()[0]
			if !d.ByMean || d.Outcome != Open || d.Need == 0 || d.Need > 300 {
				continue
			}
			asked++
			if d.Need <= 9 || d.Reach != 0 {
				t.Fatalf("%+v", d)
			}
			for at := 9; at < d.Need; {
				at = min(max(48, at+20), d.Need)
				trial.Sessions = append(trial.Sessions, at)
			}
			s.Reset(trial, Options{})
			if s.Decisions()[0].Outcome != Open {
				decided++
			}
		}
		t.Logf("%+v: %d of %d decided", tt, decided, asked)
		if asked < 10 || decided < asked*3/4 {
			t.Errorf("%+v: %d of %d decided", tt, decided, asked)
		}
	}
}

// A series without a valid mean in any round is decided like one without Means. Counts have no
// means, and neither have trials of earlier procedures.
func TestWithoutMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 5))
	plain := sliced(r, 48, 100, 0, 0.05, 100)
	plain.Means = nil
	want := only(t, plain, 48)
	none := plain
	none.Means = slices.Repeat([]Pair{missing, {Base: 0, Head: 3}, {Base: 1, Head: math.Inf(1)}}, 16)
	if got := only(t, none, 48); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	whole := sliced(r, 40, 100, 0, 0.05, 100)
	whole.Counts = true
	if d := only(t, whole, 40); d.Mean != (Mean{}) || d.ByMean {
		t.Errorf("counts: %+v", d)
	}
}
