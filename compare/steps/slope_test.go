package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slopes returns, by name, histories of benchmarks becoming slower little by little.
func slopes() map[string][]float64 {
	of := func(n int, f func(i float64) float64) (v []float64) {
		for i := range n {
			v = append(v, f(float64(i)))
		}
		return v
	}
	up := func(n int, total float64) []float64 {
		return of(n, func(i float64) float64 { return 1 + total*(i+1)/float64(n) })
	}
	all := map[string][]float64{
		"flat, then up":     slices.Concat(flat(24, 1), up(24, 0.48)),
		"up, then flat":     slices.Concat(up(24, 0.48), flat(24, 1.48)),
		"up in the middle":  slices.Concat(flat(16, 1), up(16, 0.32), flat(16, 1.32)),
		"the last twelve":   slices.Concat(flat(36, 1), up(12, 0.22)),
		"1 % more each":     of(48, func(i float64) float64 { return math.Pow(1.01, i) }),
		"0.5 % more of 200": of(200, func(i float64) float64 { return math.Pow(1.005, i) }),
		"saturates":         of(48, func(i float64) float64 { return 1.5 - 0.5*math.Exp(-i/20) }),
		"a step in it": of(48, func(i float64) float64 {
			if i >= 30 {
				return (1 + 0.01*i) * 1.2
			}
			return 1 + 0.01*i
		}),
	}
	for _, percent := range []float64{0.5, 0.8, 1, 1.2, 1.5, 2, 3} {
		all[fmt.Sprintf("%g %% of the first each", percent)] = of(48, func(i float64) float64 { return 1 + percent/100*i })
	}
	// Most of these reach 60 % of their total rise within the first 6 commits.
	for _, rise := range []float64{0.2, 1, 1.5} {
		for _, tau := range []float64{4, 6, 8, 10} {
			for _, before := range []int{0, 12} {
				all[fmt.Sprintf("settles after %g, %+.0f %%, begins at %d", tau, 100*rise, before)] = slices.Concat(flat(before, 1),
					of(48, func(i float64) float64 { return 1 + rise*(1-math.Exp(-i/tau)) }))
			}
		}
	}
	return all
}

// noisyLine returns a line of the values with the given noise.
func noisyLine(values []float64, noise float64, seed uint64) *Line {
	r := rand.New(rand.NewPCG(seed, 7))
	l := NewLine(Options{Unit: "sec/op", Better: -1})
	for i, v := range values {
		l.Append(Point{Run: fmt.Sprint(i), Commit: fmt.Sprint("a", i), Value: v * math.Exp(noise*r.NormFloat64())})
	}
	return l
}

// A slope is found in all kinds of noise, and less noise shows more of the slope. When the
// correlation between a slope's own runs counted as noise, 76 of 210 slopes were called steady.
func TestNoSlopeIsSteady(t *testing.T) {
	for name, values := range slopes() {
		total := values[len(values)-1]/values[0] - 1
		for _, noise := range []float64{0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05} {
			for seed := range uint64(2) {
				c := noisyLine(values, noise, seed).Course()
				at := slices.IndexFunc(c.Steps, func(s Step) bool { return s.Unresolved })
				if at < 0 && noise == 0.05 && strings.HasPrefix(name, "settles after 4, +20 %") {
					continue // most of the rise is in two runs, off by four times the noise
				}
				if at < 0 {
					t.Errorf("%s, noise %g %%, draw %d: steady, of %+.0f %%", name, 100*noise, seed, 100*total)
					continue
				}
				// If noise hides where the slope began, at least a fifth of the slope is shown.
				least := 0.2
				if noise <= 0.003 {
					least = 0.7
				}
				if strings.HasPrefix(name, "settles after 10") {
					least = min(least, 0.35) // half of the rise may be a step within the wide first level
				}
				if noise > 0.003 && strings.HasPrefix(name, "settles") {
					continue // the steep start looks like a few outliers, and the rest may be shown as a step
				}
				if now := c.Steps[at].Now; math.Log1p(now) < least*math.Log1p(total) {
					t.Errorf("%s, noise %g %%, draw %d: now %+.0f %% of %+.0f %%: %s", name, 100*noise, seed, 100*now, 100*total, changesOf(c))
				}
			}
		}
	}
}

// A series of improvements of 1 % each is not called steady, either.
func TestNoDescentIsSteady(t *testing.T) {
	for _, noise := range []float64{0, 0.001, 0.005, 0.02} {
		values := make([]float64, 48)
		for i := range values {
			values[i] = math.Pow(0.99, float64(i))
		}
		if c := noisyLine(values, noise, 1).Course(); len(c.Steps) == 0 || c.Steps[0].Verdict != "improved" {
			t.Errorf("noise %g %%: %q", 100*noise, changesOf(c))
		}
	}
}

// Lasting noise, up to a random walk, is not a slide: at most 2 lines in 100 have one. Steps caused
// by the machine and smaller than a slide are another matter; see docs/evaluation.md.
func TestLastingNoiseIsNoSlide(t *testing.T) {
	for _, rho := range []float64{0, 0.7, 0.9, 1} {
		for _, n := range []int{48, 150} {
			found := 0
			const lines = 100
			for seed := range uint64(lines) {
				r, x := rand.New(rand.NewPCG(seed, 8)), 0.0
				l := NewLine(Options{Unit: "sec/op", Better: -1})
				for range n {
					x = rho*x + 0.02*r.NormFloat64()
					l.Append(Point{Value: math.Exp(x)})
				}
				if len(l.slides()) > 0 || l.settling() != nil {
					found++
				}
			}
			if found > lines/50 {
				t.Errorf("%d of %d lines of %d runs with correlation %g have a slide", found, lines, n, rho)
			}
		}
	}
}

// A staircase keeps its steps, even if it looks like a settling line.
func TestStairsDoNotSettle(t *testing.T) {
	alike, differ := 0, 0
	for seed := range uint64(100) {
		r, x := rand.New(rand.NewPCG(seed, 9)), 1.0
		at := []int{4 + r.IntN(8), 14 + r.IntN(6), 22 + r.IntN(8)}
		var values []float64
		for i := range 48 {
			if slices.Contains(at, i) {
				x *= 1.1 + 0.2*r.Float64()
			}
			values = append(values, x)
		}
		l := noisyLine(values, 0.02, seed)
		if l.settling() != nil {
			alike++
		}
		if with, without := len(l.spans()), len(l.merged(l.candidates())); with != without {
			differ++
		}
	}
	if alike == 0 || differ > 2 {
		t.Errorf("of 100 stairs %d look like lines that settle, and %d are told as one, want at most 2", alike, differ)
	}
}
