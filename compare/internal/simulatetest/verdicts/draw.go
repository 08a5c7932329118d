package verdicts

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
	"github.com/perftrack/perftrack/compare/stat"
)

// Layouts say what a build's layout does to its benchmarks.
type Layouts int

const (
	NoLayout Layouts = iota // nothing
	Fixed                   // one layout a side for the whole trial
	Rotated                 // both sides are linked anew for each round
)

// A Scenario is what is true of the pull requests of a campaign.
type Scenario struct {
	Benchmarks int     // in each pull request; default 29
	Effect     float64 // by how much head is slower in the first benchmark: 0.05
	Threshold  float64 // default 0.05

	// The noise of the interleaved trial is that of Term; without one, that of Family,
	// which makes the other designs, too.
	Term       noise.Term
	Family     noise.Family
	CV         []float64 // of the benchmarks, taken in turn, where Family makes the noise
	Drift, Tau float64   // as for Family.New; default of Tau 120
	Quantum    float64   // values are multiples of this; 0 any

	// AllSlices is by how much the mean of all slices of a round varies beside the typical one;
	// without it no round has a mean.
	AllSlices noise.Term

	Layout   Layouts
	LayoutCV float64 // of the effect of a layout on a benchmark
	Noise    float64 // noise floor that the history shows; 0 unknown

	Rounds int // of the interleaved trial; default those of a check
}

func (s Scenario) withDefaults() Scenario {
	if s.Family.New == nil {
		s.Family = noise.Normal
	}
	if s.Benchmarks == 0 {
		s.Benchmarks = 29
	}
	if s.Tau == 0 {
		s.Tau = 120
	}
	if s.Threshold == 0 {
		s.Threshold = 0.05
	}
	if s.Rounds == 0 {
		s.Rounds = planned()
	}
	return s
}

// A PullRequest is everything that any rule may look at: the same change
// measured in each of the designs. Values are times, 1 where nothing disturbs.
type PullRequest struct {
	Scenario
	// Interleaved has both sides of each benchmark, one value a round: fresh
	// processes back to back in random order, benchmark after benchmark.
	Interleaved [][2][]float64
	// Means has the means of the same rounds, nil without any.
	Means [][2][]float64
	// Blocks has, for 6, 10 and 20 samples, what `go test -count` gives: one
	// process a side, base first, with successive samples.
	Blocks map[int][][2][]float64
	// History has single values of earlier sessions, all of the base's code;
	// Single those of base and head, each of a session of its own.
	History [][]float64
	Single  [][2]float64

	machine noise.Machine
	r       *rand.Rand
	layout  [][2]float64
	pcg     rand.PCG
	names   []string
}

// blockSizes are those of PullRequest.Blocks.
var blockSizes = []int{6, 10, 20}

const historyLength = 31

func newPullRequest(s Scenario) *PullRequest {
	p := &PullRequest{Scenario: s.withDefaults(), Blocks: map[int][][2][]float64{}}
	p.machine = p.Family.New(p.Drift, p.Tau)
	p.r = rand.New(&p.pcg)
	table := func(n int) [][2][]float64 {
		out := make([][2][]float64, p.Benchmarks)
		for b := range out {
			out[b] = [2][]float64{make([]float64, n), make([]float64, n)}
		}
		return out
	}
	p.Interleaved = table(p.Rounds)
	if p.AllSlices != nil {
		p.Means = table(p.Rounds)
	}
	for _, n := range blockSizes {
		p.Blocks[n] = table(n)
	}
	p.History = make([][]float64, p.Benchmarks)
	for b := range p.History {
		p.History[b] = make([]float64, historyLength)
	}
	p.Single = make([][2]float64, p.Benchmarks)
	p.layout = make([][2]float64, p.Benchmarks)
	for b := range p.Benchmarks {
		p.names = append(p.names, strconv.Itoa(b))
	}
	return p
}

// draw draws the pull request with this number of a campaign. Without others
// only the interleaved trial is drawn.
func (p *PullRequest) draw(seed, number uint64, others bool) {
	p.pcg.Seed(seed, number)
	p.link()
	p.interleave()
	if others {
		for _, n := range blockSizes {
			p.block(n)
		}
		p.single()
	}
}

// link draws the effect of the layout of a build of both sides.
func (p *PullRequest) link() {
	if p.Layout == NoLayout {
		return
	}
	for b := range p.layout {
		for side := range 2 {
			p.layout[b][side] = p.LayoutCV * p.r.NormFloat64()
		}
	}
}

// time is what a benchmark takes at this deviation.
func (p *PullRequest) time(b, side int, deviation float64) float64 {
	x := deviation + p.layout[b][side]
	if b == 0 && side == 1 {
		x += math.Log1p(p.Effect)
	}
	return math.Exp(x)
}

func (p *PullRequest) interleave() {
	sample, seed := p.noise(), p.r.Uint64()
	var mean func(noise.Place) float64
	if p.AllSlices != nil {
		mean = p.AllSlices(p.r, p.Benchmarks)
	}
	for round := range p.Rounds {
		if p.Layout == Rotated && round > 0 {
			p.link()
		}
		for b := range p.Benchmarks {
			first := 0
			if !stat.Coin(seed, p.names[b], round+1) {
				first = 1
			}
			for _, side := range [2]int{first, 1 - first} {
				at := noise.Place{Round: round, Benchmark: b, Head: side == 1, Second: side != first}
				v := p.time(b, side, sample(at))
				if p.Quantum > 0 {
					v = math.Round(v/p.Quantum) * p.Quantum
				}
				p.Interleaved[b][side][round] = v
				if mean != nil {
					p.Means[b][side][round] = v * math.Exp(mean(at))
				}
			}
		}
	}
}

// noise starts the interleaved trial, and returns what makes its samples later.
func (p *PullRequest) noise() func(noise.Place) float64 {
	if p.Term != nil {
		return p.Term(p.r, p.Benchmarks)
	}
	p.machine.Boot(p.r)
	return func(at noise.Place) float64 { return p.fresh(at.Benchmark) }
}

// fresh is the first sample of a process, and sample another one: by how much it is late.
func (p *PullRequest) fresh(b int) float64 {
	p.machine.Start()
	return p.sample(b)
}

func (p *PullRequest) sample(b int) float64 { return p.CV[b%len(p.CV)] * p.machine.Sample() }

func (p *PullRequest) block(n int) {
	p.machine.Boot(p.r)
	for b, sides := range p.Blocks[n] {
		for side, values := range sides {
			p.machine.Start()
			for i := range values {
				values[i] = p.time(b, side, p.sample(b))
			}
		}
	}
}

func (p *PullRequest) single() {
	for i := range historyLength {
		p.session(0, func(b int, v float64) { p.History[b][i] = v })
	}
	for side := range 2 {
		p.session(side, func(b int, v float64) { p.Single[b][side] = v })
	}
}

func (p *PullRequest) session(side int, put func(b int, v float64)) {
	p.machine.Boot(p.r)
	for b := range p.Benchmarks {
		put(b, p.time(b, side, p.fresh(b)))
	}
}
