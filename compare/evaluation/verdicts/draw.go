package verdicts

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
	"github.com/perftrack/perftrack/compare/stat"
)

// Layouts describes how the memory layouts of builds affect the benchmarks.
type Layouts int

const (
	NoLayout Layouts = iota // no effect
	Fixed                   // one layout per side for the whole trial
	Rotated                 // both sides are relinked for each round
)

// A Scenario describes the pull requests in a campaign.
type Scenario struct {
	Benchmarks int     // in each pull request; default 29
	Effect     float64 // how much slower head is in the first benchmark; 0.05 means 5 %
	Threshold  float64 // default 0.05

	// Term is the noise of the interleaved trial. If it is nil, Family provides the noise, as it
	// always does for the other designs.
	Term       noise.Term
	Family     noise.Family
	CV         []float64 // coefficients of variation, assigned to benchmarks in turn, if Family provides the noise
	Drift, Tau float64   // as in Family.New; Tau defaults to 120
	Quantum    float64   // if not 0, values are multiples of this

	// AllSlices describes how much the mean of all slices of a round differs from the typical
	// slice. If it is nil, rounds have no means.
	AllSlices noise.Term

	Layout   Layouts
	LayoutCV float64 // standard deviation of a layout's effect on a benchmark
	Noise    float64 // noise floor known from the history; 0 if unknown

	Rounds int // rounds of the interleaved trial; the default is the number of a check
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

// A PullRequest is the input of all rules: the same change, measured in several designs. The values
// are times. Each of them would be 1 without noise and without the change.
type PullRequest struct {
	Scenario
	// Interleaved contains one value per benchmark, side and round. Each value comes from a fresh
	// process. The two sides run back to back in random order, one benchmark after the other.
	Interleaved [][2][]float64
	// Means contains the means of the same rounds, or is nil.
	Means [][2][]float64
	// Blocks maps a number of samples (6, 10 or 20) to values measured as by `go test -count`: for
	// each benchmark, one process per side takes all samples in succession, base first.
	Blocks map[int][][2][]float64
	// History contains, for each benchmark, single values from earlier sessions, all measured with
	// the base's code. Single contains one value for base and one for head, each from a separate
	// session.
	History [][]float64
	Single  [][2]float64

	machine noise.Machine
	r       *rand.Rand
	layout  [][2]float64
	pcg     rand.PCG
	names   []string
}

// blockSizes are the numbers of samples in PullRequest.Blocks.
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

// draw draws the pull request with the given number in a campaign. If others is false, it draws
// only the interleaved trial.
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

// link draws the effects of the layouts when both sides are rebuilt.
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

// time returns the time of one sample of benchmark b. deviation is the noise of the sample, on the
// logarithmic scale.
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

// noise starts the interleaved trial and returns a function that yields the noise of its samples.
func (p *PullRequest) noise() func(noise.Place) float64 {
	if p.Term != nil {
		return p.Term(p.r, p.Benchmarks)
	}
	p.machine.Boot(p.r)
	return func(at noise.Place) float64 { return p.fresh(at.Benchmark) }
}

// fresh starts a new process and returns the noise of its first sample. sample returns the noise of
// a later sample.
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
