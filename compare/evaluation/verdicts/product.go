package verdicts

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// A Product judges in the same way as the commands: it turns samples into runs and passes them to
// [compare.Compare]. It can yield every verdict of the commands, whereas [Procedure] only decides
// from the numbers.
type Product struct {
	// Fixed makes the trial one of fixed length instead of a check.
	Fixed bool
	// Unpaired compares two runs of 20 samples measured one after the other.
	Unpaired bool
	// Rounds is the number of rounds to use; by default, all drawn rounds.
	Rounds int
	// Unit is the unit of the benchmarks; by default sec/op, for which lower is better.
	Unit string
	// OneLayout uses a single build for each side, with an arbitrary layout.
	OneLayout bool
	// Parts is the number of machines sharing the benchmarks; 0 means one. Lost is the number,
	// starting at 1, of the machine with missing results; 0 means no machine.
	Parts, Lost int
}

var _ Rule = (*Product)(nil)

// unpairedSamples is the number of samples per side if Product.Unpaired is set.
const unpairedSamples = 20

// Judge compares the runs of one pull request.
func (r *Product) Judge(p *PullRequest, out []Outcome) {
	samples := p.Interleaved
	if r.Unpaired {
		samples = p.Blocks[unpairedSamples]
	}
	for row := range r.compare(p, samples).Rows() {
		rounds := row.Rounds
		if r.Unpaired {
			rounds = row.Base.N
		}
		out[slices.Index(p.names, row.Name)] = Outcome{Verdict: row.Verdict, Rounds: rounds, Estimated: row.Tested, Shift: row.Shift, Need: row.Need}
	}
}

// compare compares the runs from all machines.
func (r *Product) compare(p *PullRequest, samples [][2][]float64) *compare.Comparison {
	var b, h compare.Side
	for n := 1; n <= max(1, r.Parts); n++ {
		if n == r.Lost {
			continue
		}
		b.Runs = append(b.Runs, r.run(p, samples, record.Base, n))
		h.Runs = append(h.Runs, r.run(p, samples, record.Head, n))
	}
	return compare.Compare(b, h, compare.Options{Threshold: func(string) float64 { return p.Threshold }})
}

// run returns the run that the n-th machine measured for one side.
func (r *Product) run(p *PullRequest, samples [][2][]float64, side record.Side, n int) *record.Run {
	run := &record.Run{Target: "made-up", Side: side, Status: record.Complete}
	part := record.Part{N: n, Of: r.Parts, All: len(samples), Division: "round-robin"}
	if !r.Unpaired {
		run.Trial = "trial"
		pairs.SetDecision(run)
	}
	if !r.Unpaired && !r.Fixed {
		run.Protocol.Procedure = pairs.ProcedureCheck
	}
	if r.OneLayout {
		run.Env = run.Env.Set(record.KeyLayout, "default")
	}
	unit, of := r.Unit, 0
	if unit == "" {
		unit = "sec/op"
	}
	if side == record.Head {
		of = 1
	}
	for b, sides := range samples {
		if r.Parts > 0 && b%r.Parts+1 != n {
			continue
		}
		values := sides[of]
		if r.Rounds > 0 {
			values = values[:r.Rounds]
		}
		one := record.Benchmark{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: p.names[b]},
			Samples:     []record.Samples{{Unit: unit, Values: values}},
		}
		for n := range values {
			one.Rounds = append(one.Rounds, record.Round{N: n + 1, Order: b, Iters: 1})
		}
		run.Benchmarks = append(run.Benchmarks, one)
	}
	if part.Own = len(run.Benchmarks); r.Parts > 0 {
		run.Trial = fmt.Sprintf("trial-%d", n)
		run.Protocol.Part = &part
		if part.Of > 1 {
			run.Protocol.AlphaShare = part.Share()
		}
	}
	return run
}
