package slicing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// periodic describes a benchmark in which an event occurs after every period operations. The period
// begins anew with each slice, as it does for garbage collections, because one precedes each count.
type periodic struct {
	period float64 // operations between two events
	cost   float64 // of an event, in operations
}

// time returns the time per operation in a slice of n operations.
func (p periodic) time(n int) float64 {
	return 1 + p.cost*math.Floor(float64(n)/p.period)/float64(n)
}

// estimate returns the median of the averages of all pairs of rounds, like the estimate in a
// verdict.
func estimate(rounds []float64) float64 {
	var walsh []float64
	for i, x := range rounds {
		for _, y := range rounds[:i+1] {
			walsh = append(walsh, (x+y)/2)
		}
	}
	slices.Sort(walsh)
	return middleOf(walsh)
}

// A fifth of base's time is spent in collections, and head does 3 % more of everything. Because it
// allocates 3 % more, it also collects 3 % more often. If all rounds had the same number of
// operations per slice, then for some initial numbers one side would have an additional collection
// in every slice, and the bias would look like a proven change. If each round has a different
// number, the result is right.
func TestPhase(t *testing.T) {
	const rounds, truth, starts = 20, 0.03, 20
	const share = 0.2
	base := periodic{period: 50, cost: 50 * share / (1 - share)}
	head := periodic{period: base.period / (1 + truth), cost: base.cost}
	value := func(n int) float64 {
		return math.Log((1 + truth*(1-share)) * head.time(n) / base.time(n))
	}
	mean := math.Log((1 + truth*(1-share)) * (1 + head.cost/head.period) / (1 + base.cost/base.period))
	hold := 2 * share / usualThreshold // number of collections in a slice; see chooser.collections
	worst, sum := 0.0, 0.0
	for start := range starts {
		n := int(base.period * hold * (1 + float64(start)/starts))
		worst = max(worst, math.Abs(value(n)-mean))
		w, drawn := Method{N: n}, make([]float64, rounds)
		for i := range drawn {
			drawn[i] = value(w.iterations("Map", i))
		}
		e := estimate(drawn)
		sum += e
		if math.Abs(e-mean) > 0.01 {
			t.Errorf("%d operations: %.2f %%, in truth %.2f", n, 100*e, 100*mean)
		}
	}
	if off := sum/starts - mean; math.Abs(off) > 0.005 {
		t.Errorf("the mean of all starting values is off by %.2f %%", 100*off)
	}
	t.Logf("truth %.2f %%, drawn anew %.2f %% in the mean; with the same in each round off by up to %.2f %%", 100*mean, 100*sum/starts, 100*worst)
	if worst < 0.015 {
		t.Errorf("with the same operations in each round it is off by no more than %.2f %%: the test shows nothing", 100*worst)
	}
}

// A buffer is flushed after every 1,000 operations, and a flush takes as long as these operations.
// inPhases detects this in the times of slices, from any initial number. With the longer slices, a
// change of +3 %, including earlier flushes in head, is measured correctly. Noise from processes
// and the machine does not make slices longer.
func TestFlushIsNoticed(t *testing.T) {
	const rounds, truth, starts = 15, 0.03, 20
	base := periodic{period: 1000, cost: 1000}
	head := periodic{period: base.period / (1 + truth), cost: base.cost}
	read := func(n int) float64 {
		w, drawn := Method{N: n}, make([]float64, rounds)
		for i := range drawn {
			n := w.iterations("Flush", i)
			drawn[i] = math.Log((head.time(n) + truth) / base.time(n))
		}
		return 100 * estimate(drawn)
	}
	sum, worst, before, longer := 0.0, 0.0, 0.0, 0
	for start := range starts {
		n := 2000 + 100*start
		enough := longEnough(t, n, 0.003, base)
		off := read(enough) - 100*math.Log1p(truth)
		sum, worst = sum+off, max(worst, math.Abs(off))
		before = max(before, math.Abs(read(n)-100*math.Log1p(truth)))
		if longEnough(t, n, 0.02, periodic{period: 1}) > n {
			longer++
		}
	}
	t.Logf("off by %+.2f %% in the mean and by up to %.2f %%; by up to %.2f %% without asking; %d of %d longer by noise", sum/starts, worst, before, longer, starts)
	if math.Abs(sum/starts) > 0.5 || worst > 1 || longer > starts/10 || before < 1.2 {
		t.Error("it is to be off by less than 0.5 % in the mean and 1 % at the most, and not without asking")
	}
}

// longEnough returns the number of operations per slice chosen by inPhases, starting from n, if the
// times of processes differ by noise.
func longEnough(t *testing.T, n int, noise float64, p periodic) int {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	c := chooser{threshold: usualThreshold, benchtime: 100 * time.Millisecond, spec: turnstile.Spec{Name: "Flush"}}
	c.quickest = func(n, _ int) (quick [2]float64, err error) {
		for side := range quick {
			quick[side] = float64(n) * p.time(n) * math.Exp(noise*rng.NormFloat64())
		}
		return quick, nil
	}
	enough, err := c.inPhases(n, 250)
	if err != nil {
		t.Fatal(err)
	}
	return enough
}

// If the number of operations makes no difference, noise makes slices longer only once in 10,000
// times, even if processes differ a lot.
func TestNoiseIsNoPhase(t *testing.T) {
	for _, noise := range []float64{0.01, 0.06, 0.1} {
		const times = 1000
		longer := 0
		for i := range times {
			if n := 2000 + i; longEnough(t, n, noise, periodic{period: 1}) > n {
				longer++
			}
		}
		t.Logf("noise of %v: %d of %d are longer", noise, longer, times)
		if longer > times/200 {
			t.Errorf("noise of %v: %d of %d are longer", noise, longer, times)
		}
	}
}

// The numbers of iterations in a trial's rounds are spread over a range of half of N, evenly after
// any number of rounds, and are the same each time.
func TestIterations(t *testing.T) {
	w := Method{N: 1000}
	for _, rounds := range []int{10, 20, 40} {
		var n []int
		for i := range rounds {
			n = append(n, w.iterations("Parse/large", i))
			if n[i] != w.iterations("Parse/large", i) {
				t.Fatal("not the same again")
			}
		}
		slices.Sort(n)
		widest := max(n[0]-750, 1250-n[rounds-1])
		for i := range n[1:] {
			widest = max(widest, n[i+1]-n[i])
		}
		if n[0] < 750 || n[rounds-1] > 1250 || widest > 2*500/rounds+1 {
			t.Errorf("%d rounds: %v, the widest gap is %d", rounds, n, widest)
		}
	}
	if n := (Method{N: 1}).iterations("x", 3); n != 1 {
		t.Errorf("of one operation: %d", n)
	}
	if w.iterations("a", 0) == w.iterations("b", 0) {
		t.Error("all benchmarks begin alike")
	}
}
