package bisections

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// A Scenario describes the lines of commits in a campaign of bisections.
type Scenario struct {
	Family     noise.Family
	Commits    int     // number of commits after the good one; default 64
	CV         float64 // coefficient of variation of a sample
	Drift, Tau float64 // as in Family.New
	Effect     float64 // of the culprit; 0.05 means 5 % slower
	LayoutCV   float64 // standard deviation of the differences between unchanged commits
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

// A Line is a linear history of commits. Commit 0 is the good end. The culprit and all commits
// after it are slower. The line counts the pairs and builds that a bisector uses.
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

// draw draws the line with the given number in a campaign.
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

// build counts the first build of a commit and reports whether the commit can be built.
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

// ratio measures one pair and returns the logarithm of head divided by base.
func (l *Line) ratio(base, head int) float64 {
	b, h := l.pair(base, head)
	return math.Log(h / b)
}
