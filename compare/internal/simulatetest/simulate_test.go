package simulatetest

import (
	"math"
	"os"
	"strings"
	"testing"
)

// full asks for the tables of docs/evaluation.md, which take a quarter of an
// hour of one processor:
//
//	PERFTRACK_SIMULATE=full go test -run Simulate -timeout 60m -v ./compare/internal/simulatetest
const full = "PERFTRACK_SIMULATE"

// TestSimulateTables writes the tables where PERFTRACK_SIMULATE_OUT says, else to stdout.
func TestSimulateTables(t *testing.T) {
	n := Sizes{Goals: 3, Families: 2, Peers: 2}
	out := &strings.Builder{}
	if os.Getenv(full) == "full" {
		n = Full
	}
	Tables(out, n, 20260101)
	if n == Full {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.Contains(l, "NaN") || strings.HasPrefix(l, "|") && !strings.HasSuffix(l, "|\n") {
			t.Errorf("odd line in the tables: %s", l)
		}
	}
}

// The figures of the published table, with fewer pull requests: each must be
// shown to be reached by a one-sided 95 % bound, where the number drawn can
// show it, and else not be excluded.
func TestSimulateGoals(t *testing.T) {
	for _, f := range Families {
		for i, g := range Goals(f) {
			n, certain := 100, false
			switch {
			case f.Name == Normal.Name && g.Found > 0:
				n = 600
			case f.Name == Normal.Name && g.CV[0] < 0.1:
				n, certain = 320, true // none of 300 shows at most 1 %
			}
			if raceEnabled {
				n = 4 // says nothing of the figures, all of the goroutines
			}
			got := Run(g.Scenario, n, 7+uint64(i)<<32, Ours)[0]
			if raceEnabled {
				continue
			}
			for _, failure := range g.Failures(got, certain) {
				t.Errorf("%s, %s: %s", f.Name, g.Name, failure)
			}
		}
	}
}

// Without any one of its ingredients the procedure raises false alarms in more
// than 1 % of pull requests, certainly; with it, it does not.
func TestSimulateIngredients(t *testing.T) {
	for i, in := range Ingredients() {
		n := 400
		if raceEnabled {
			n = 4
		}
		with := Run(in.With, n, 3+uint64(i)<<32, Ours)[0]
		without := Run(in.Without, n, 3+uint64(i)<<32, in.Off)[0]
		t.Logf("%s: %d of %d pull requests with a false alarm, %d without it", in.Name, with.Alarms, n, without.Alarms)
		if raceEnabled {
			continue
		}
		if AtLeast(with.Alarms, n) > mostAlarms {
			t.Errorf("%s: %d of %d pull requests with a false alarm", in.Name, with.Alarms, n)
		}
		if AtLeast(without.Alarms, n) <= mostAlarms {
			t.Errorf("%s is of no use: %d of %d pull requests with a false alarm without it", in.Name, without.Alarms, n)
		}
	}
}

// The figures depend on the arguments only, not on the number of processors.
func TestRunIsDeterministic(t *testing.T) {
	s := Scenario{CV: []float64{0.03}, Drift: 0.25, Effect: 0.05}
	all := Run(s, 7, 1, append(Peers(), Ours)...)
	for i, r := range append(Peers(), Ours) {
		sum := Tally{Rule: r.Name}
		for first := range 7 {
			sum.add(&judge(s.withDefaults(), 7, 1, append(Peers(), Ours), first, 7)[i])
		}
		if sum != *all[i] {
			t.Errorf("%s:\n%+v\n%+v", r.Name, *all[i], sum)
		}
	}
}

// Machines make noise of the variance that they promise, and drift of its share.
func TestMachines(t *testing.T) {
	for _, f := range Families {
		for _, drift := range []float64{0, 0.7} {
			s := Scenario{Family: f, CV: []float64{1}, Drift: drift}.withDefaults()
			p := newPullRequest(s)
			var sum, squares, within float64
			const n = 4000
			for i := range n {
				p.pcg.Seed(5, uint64(i))
				p.machine.Boot(p.r)
				a := clipped(p.machine)
				b := clipped(p.machine)
				sum += a
				squares += a * a
				within += (a - b) * (a - b) / 2
			}
			mean := sum / n
			variance := squares/n - mean*mean
			t.Logf("%s, drift %v: variance %.2f, of a pair %.2f", f.Name, drift, variance, within/n)
			if variance < 0.6 || variance > 1.5 {
				t.Errorf("%s, drift %v: variance %.2f", f.Name, drift, variance)
			}
			if share := within / n / variance; math.Abs(share-(1-drift)) > 0.15 {
				t.Errorf("%s, drift %v: pairs have %.2f of the variance", f.Name, drift, share)
			}
		}
	}
}

// clipped is a sample of a new process without the spikes and the far tails.
func clipped(m Machine) float64 {
	m.Start()
	return min(4, max(-4, m.Sample()))
}

// At a bound the chance of what was seen, or of anything that speaks more
// against it, is 5 %.
func TestBinomialBounds(t *testing.T) {
	for _, tt := range []struct{ x, n int }{{0, 300}, {1, 300}, {12, 2000}, {16, 500}, {990, 1000}, {3, 10_000}} {
		sum, term := 0.0, 1.0
		p := AtMost(tt.x, tt.n)
		for k := range tt.x + 1 { // C(n,k) p^k (1-p)^(n-k)
			if k > 0 {
				term *= float64(tt.n-k+1) / float64(k) * p / (1 - p)
			} else {
				term = math.Pow(1-p, float64(tt.n))
			}
			sum += term
		}
		if math.Abs(sum-0.05) > 1e-9 && term > 0 {
			t.Errorf("%d of %d: a chance of %v at the bound %v", tt.x, tt.n, sum, p)
		}
		if lo := AtLeast(tt.n-tt.x, tt.n); math.Abs(lo-(1-p)) > 1e-12 {
			t.Errorf("%d of %d: bounds %v and %v", tt.x, tt.n, lo, p)
		}
	}
	if got, want := AtMost(0, 300), 1-math.Pow(0.05, 1.0/300); math.Abs(got-want) > 1e-12 {
		t.Errorf("none of 300: %v, want %v", got, want)
	}
	if AtMost(12, 2000) > 0.01 || AtMost(13, 2000) < 0.01 {
		t.Error("12 of 2,000 show at most 1 %, and 13 do not")
	}
}
