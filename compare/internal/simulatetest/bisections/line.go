package bisections

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
)

// A Scenario is what is true of the lines of commits of a campaign of
// bisections.
type Scenario struct {
	Family     noise.Family
	Commits    int     // behind the good one; default 64
	CV         float64 // of a sample
	Drift, Tau float64 // as for Family.New
	Effect     float64 // of the culprit: 0.05
	LayoutCV   float64 // by what commits that change nothing differ
	Broken     float64 // share of the commits that do not build
}

func (s Scenario) withDefaults() Scenario {
	if s.Family.New == nil {
		s.Family = noise.Normal
	}
	if s.Commits == 0 {
		s.Commits = 64
	}
	if s.Tau == 0 {
		s.Tau = 120
	}
	return s
}

// A Line is a line of commits, 0 the good end, of which one is slower than its
// parent. Whoever bisects it pays for pairs and builds.
type Line struct {
	Scenario
	Culprit int // 1..Commits

	Pairs  int // measured so far
	Builds int // of commits other than the two ends
	built  []bool
	broken []bool
	offset []float64

	machine noise.Machine
	r       *rand.Rand
	pcg     rand.PCG
}

func newLine(s Scenario) *Line {
	l := &Line{Scenario: s.withDefaults()}
	l.machine = l.Family.New(l.Drift, l.Tau)
	l.r = rand.New(&l.pcg)
	l.built, l.broken, l.offset = make([]bool, l.Commits+1), make([]bool, l.Commits+1), make([]float64, l.Commits+1)
	return l
}

// draw draws the line with this number of a campaign.
func (l *Line) draw(seed, number uint64) {
	l.pcg.Seed(seed, number)
	l.machine.Boot(l.r)
	l.Pairs, l.Builds = 0, 0
	l.Culprit = 1 + l.r.IntN(l.Commits)
	clear(l.built)
	l.built[0], l.built[l.Commits] = true, true
	for i := range l.offset {
		l.offset[i] = l.LayoutCV * l.r.NormFloat64()
		l.broken[i] = l.r.Float64() < l.Broken && !l.built[i] && i != l.Culprit && i != l.Culprit-1
	}
}

// build pays for the first build of a commit and reports whether it succeeded.
func (l *Line) build(commit int) bool {
	if !l.built[commit] {
		l.built[commit] = true
		l.Builds++
	}
	return !l.broken[commit]
}

// pair measures two commits back to back, in random order.
func (l *Line) pair(base, head int) (b, h float64) {
	l.Pairs++
	if l.r.Uint64()>>63 == 0 {
		b = l.sample(base)
		return b, l.sample(head)
	}
	h = l.sample(head)
	return l.sample(base), h
}

func (l *Line) sample(commit int) float64 {
	l.machine.Start()
	x := l.CV*l.machine.Sample() + l.offset[commit]
	if commit >= l.Culprit {
		x += math.Log1p(l.Effect)
	}
	return math.Exp(x)
}

// ratio is the logarithm of head over base of one pair.
func (l *Line) ratio(base, head int) float64 {
	b, h := l.pair(base, head)
	return math.Log(h / b)
}
