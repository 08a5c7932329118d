package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
)

// samples draws continuous, tied or zero values.
func samples(minN int) *rapid.Generator[[]float64] {
	value := rapid.OneOf(
		rapid.Float64Range(1, 1000),
		rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }),
		rapid.Map(rapid.IntRange(100, 104), func(i int) float64 { return float64(i) }),
	)
	return rapid.SliceOfN(value, minN, 14)
}

// trialOf returns a trial with one series for each pair of slices, in the given unit.
func trialOf(unit string, base, head [][]float64) (b, h Side) {
	side := func(s record.Side, all [][]float64) Side {
		r := &record.Run{Trial: "t", Side: s, Status: record.Complete}
		byPairs(r)
		for i, values := range all {
			r.Benchmarks = append(r.Benchmarks, record.Benchmark{
				BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: fmt.Sprintf("B%03d", i)},
				Rounds:      numbered(len(values)),
				Samples:     []record.Samples{{Unit: unit, Values: values}},
			})
		}
		return Side{Runs: []*record.Run{r}}
	}
	return side(record.Base, base), side(record.Head, head)
}

// numbered returns n rounds, numbered from 1.
func numbered(n int) (rounds []record.Round) {
	for i := range n {
		rounds = append(rounds, record.Round{N: i + 1, Iters: 1})
	}
	return rounds
}

func drawTrial(t *rapid.T) (unit string, base, head [][]float64) {
	unit = rapid.SampledFrom([]string{"ns/op", "B/op", "allocs/op", "score", "GFLOPS"}).Draw(t, "unit")
	for range rapid.IntRange(1, 6).Draw(t, "rows") {
		base = append(base, samples(1).Draw(t, "base"))
		head = append(head, samples(1).Draw(t, "head"))
	}
	return unit, base, head
}

func TestRowProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit, base, head := drawTrial(t)
		b, h := trialOf(unit, base, head)
		c := Compare(b, h, Options{})
		i := 0
		for r := range c.Rows() {
			if r.P > 1 || r.Tested && r.AdjustedP > 1 {
				t.Fatalf("p %v, adjusted %v", r.P, r.AdjustedP)
			}
			th := &benchmath.Thresholds{CompareAlpha: 0.05}
			rb, rh := r.Samples()
			want := benchmath.AssumeNothing.Compare(benchmath.NewSample(rb, th), benchmath.NewSample(rh, th)).P
			if math.Abs(r.P-min(1, want)) > 1e-12 {
				t.Fatalf("p %v, benchmath says %v", r.P, want)
			}
			if s := r.Shift; s.Center == s.Center && !(s.Lo <= s.Center && s.Center <= s.Hi) {
				t.Fatalf("shift %+v outside its interval", s)
			}
			if r.Verdict == Regressed || r.Verdict == Improved {
				if large := r.Shift.Absolute || math.Abs(math.Log1p(r.Shift.Center)) >= math.Log(1.025)-1e-12; !r.Exact && (r.AdjustedP > 0.01 || !large) {
					t.Fatalf("%s with adjusted p %v, shift %+v", r.Verdict, r.AdjustedP, r.Shift)
				}
			}
			i++
		}
		if i != len(base) {
			t.Fatalf("%d rows of %d", i, len(base))
		}
	})
}

// If the sides are swapped, a change for the worse becomes a change for the better by the same
// amount.
func TestSwapMirrors(t *testing.T) {
	mirror := map[Verdict]Verdict{Regressed: Improved, Improved: Regressed}
	rapid.Check(t, func(t *rapid.T) {
		unit, base, head := drawTrial(t)
		b, h := trialOf(unit, base, head)
		there := Compare(b, h, Options{})
		b, h = trialOf(unit, head, base)
		back := Compare(b, h, Options{})
		rows := slices.Collect(back.Rows())
		i := 0
		for r := range there.Rows() {
			m := rows[i]
			i++
			want := r.Verdict
			if v, ok := mirror[want]; ok {
				want = v
			}
			if m.Verdict != want || r.Base.N == r.Head.N && math.Abs(m.P-r.P) > 1e-9 {
				t.Fatalf("%s %q p %v, swapped %q p %v", r.Name, r.Verdict, r.P, m.Verdict, m.P)
			}
			if s := r.Shift; s.Center == s.Center && !s.Absolute && !m.Shift.Absolute {
				for _, pair := range [][2]float64{{s.Center, m.Shift.Center}, {s.Lo, m.Shift.Hi}, {s.Hi, m.Shift.Lo}} {
					sum := math.Log1p(pair[0]) + math.Log1p(pair[1])
					if sum == sum && !math.IsInf(sum, 0) && math.Abs(sum) > 1e-9 {
						t.Fatalf("shift %+v, swapped %+v", s, m.Shift)
					}
				}
			}
		}
	})
}

// The order in which samples are stored has no effect, neither in unpaired runs nor in a trial,
// whose rounds are numbered. Compare does not reorder the caller's samples.
func TestOrderOfSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit, base, head := drawTrial(t)
		b, h := trialOf(unit, base, head)
		unpaired := rapid.Bool().Draw(t, "unpaired")
		if unpaired {
			b.Runs[0].Trial, h.Runs[0].Trial = "", ""
		}
		clone := func(s Side) Side {
			r := *s.Runs[0]
			r.Benchmarks = slices.Clone(r.Benchmarks)
			for i := range r.Benchmarks {
				one := &r.Benchmarks[i]
				one.Rounds = slices.Clone(one.Rounds)
				one.Samples = []record.Samples{{Unit: unit, Values: slices.Clone(one.Samples[0].Values)}}
			}
			return Side{Runs: []*record.Run{&r}}
		}
		keptBase, keptHead := clone(b), clone(h)
		first := slices.Collect(Compare(b, h, Options{}).Rows())
		if !reflect.DeepEqual(b, keptBase) || !reflect.DeepEqual(h, keptHead) {
			t.Fatal("the caller's samples were reordered")
		}
		for _, s := range []Side{keptBase, keptHead} {
			for _, one := range s.Runs[0].Benchmarks {
				order := make([]int, len(one.Rounds))
				for i := range order {
					order[i] = i
				}
				rounds, values := slices.Clone(one.Rounds), slices.Clone(one.Samples[0].Values)
				for to, from := range rapid.Permutation(order).Draw(t, "order") {
					one.Samples[0].Values[to] = values[from]
					if !unpaired {
						one.Rounds[to] = rounds[from]
					}
				}
			}
		}
		for i, r := range slices.Collect(Compare(keptBase, keptHead, Options{}).Rows()) {
			f := first[i]
			r.values, f.values = [2][]float64{}, [2][]float64{}
			if got, want := fmt.Sprintf("%+v", r), fmt.Sprintf("%+v", f); got != want {
				t.Fatalf("another order gave\n%s\nin place of\n%s", got, want)
			}
		}
	})
}

// draw returns n log-normal times with the coefficient of variation cv.
func draw(r *rand.Rand, n int, mean, cv float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean * math.Exp(cv*r.NormFloat64())
	}
	return out
}

// If nothing changed, the fraction of comparisons with any flag does not exceed alpha. Of 300
// comparisons of 20 rows at alpha 0.05, at most 15 are expected to have a flag, and the chance that
// 28 or more have one is below 0.1 %. The threshold is 0, so a flag needs no minimum size.
func TestErrorRate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	flagged := 0
	for range 300 {
		var base, head [][]float64
		for range 20 {
			base, head = append(base, draw(r, 8, 1000, 0.1)), append(head, draw(r, 8, 1000, 0.1))
		}
		b, h := trialOf("ns/op", base, head)
		c := Compare(b, h, Options{Alpha: 0.05, Threshold: func(string) float64 { return 0 }})
		if c.Count(Regressed)+c.Count(Improved) > 0 {
			flagged++
		}
	}
	t.Logf("%d of 300 families flagged", flagged)
	if flagged >= 28 {
		t.Errorf("%d of 300 families flagged at alpha 5 %%", flagged)
	}
}

// In 15 rounds with 2 % noise, a slowdown of 10 % in one of 20 rows is found, and the unchanged
// times are proven to be unchanged.
func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found, proven, wrong := 0, 0, 0
	for range 100 {
		var base, head [][]float64
		for i := range 20 {
			mean := 1000.0
			if i == 0 {
				mean = 1100
			}
			base, head = append(base, draw(r, 15, 1000, 0.02)), append(head, draw(r, 15, mean, 0.02))
		}
		b, h := trialOf("ns/op", base, head)
		rows := slices.Collect(Compare(b, h, Options{}).Rows())
		if rows[0].Verdict == Regressed {
			found++
		}
		for _, row := range rows[1:] {
			switch row.Verdict {
			case Unchanged:
				proven++
			case Regressed, Improved:
				wrong++
			}
		}
	}
	t.Logf("found %d of 100, unchanged %d of 1900, wrong %d", found, proven, wrong)
	if found < 97 || proven < 1800 || wrong > 1 {
		t.Errorf("found %d of 100, unchanged %d of 1900, wrong %d", found, proven, wrong)
	}
}

// A true change of exactly the threshold is rarely called unchanged: with a probability of at most
// alpha, so at alpha 0.01 the chance of 14 or more in 500 trials is below 0.1 %.
func TestUnchangedRate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	unchanged := 0
	for range 500 {
		b, h := trialOf("ns/op", [][]float64{draw(r, 10, 1000, 0.02)}, [][]float64{draw(r, 10, 1050, 0.02)})
		if Compare(b, h, Options{}).Count(Unchanged) > 0 {
			unchanged++
		}
	}
	t.Logf("%d of 500 called unchanged", unchanged)
	if unchanged >= 14 {
		t.Errorf("%d of 500 changes of 5 %% called unchanged", unchanged)
	}
}
