package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// onWorkers reports whether the search measures on workers. Waiting for them takes no turn to
// measure.
func (b *bisection) onWorkers() bool {
	if b.Opt.Workers.Class != "" {
		return true
	}
	s := b.continued()
	return s != nil && s.Workers != ""
}

// classSettings returns the environment of a class, whose machines count as equal.
func classSettings(class string) record.Settings {
	return record.Settings{{Key: record.KeyMachine, Value: "any worker of class " + class}}
}

// maxJobRounds is the largest number of rounds in a job. It is small, because the search may want
// another commit after each batch of pairs.
const maxJobRounds = 2

// measureOnWorkers lets workers measure the rounds of the pair while more returns true. It stores
// the samples under the id of the trial.
func (p *commitPair) measureOnWorkers(ctx context.Context, flags measure.Flags, trial string) (err error) {
	b := p.bisection
	if b.fleet == nil {
		if b.fleet, err = b.Opt.Workers.Open(ctx, b.Session, b.Where); err != nil {
			return err
		}
	}
	first := b.log.lastRound(p.base.SHA, p.head.SHA) + 1
	r := &remote.Rounds{
		Fleet: b.fleet, Trial: trial, First: first, Last: first + p.limit - 1, Most: maxJobRounds, Batch: search.Batch,
		Pair: remote.Pair{Target: b.Target, Flags: flags, Base: p.base.SHA, Head: p.head.SHA, Priority: fleet.Nightly},
	}
	err = r.Measure(ctx, func(part remote.Part) (more bool, err error) {
		if err := p.logPart(part, first); err != nil {
			return false, err
		}
		return p.more(), p.failedIn(part.Runs)
	})
	status := record.Complete
	if ctx.Err() != nil {
		status = record.Partial
	}
	for _, run := range r.Runs(status, func(run *record.Run) { run.Protocol.Selection = flags.Selection(b.Target) }) {
		if _, _, e := b.DB.Put(context.WithoutCancel(ctx), run); e != nil {
			err = errors.Join(err, fault.IO(e))
		}
	}
	return p.blameWorkers(err)
}

// logPart logs the pairs of a part, from the given round on. Only rounds with a value of both sides
// are pairs.
func (p *commitPair) logPart(part remote.Part, first int) error {
	var values [2]map[int]float64
	for side, commit := range []string{p.base.SHA, p.head.SHA} {
		found := p.find(part.Runs, []record.Side{record.Base, record.Head}[side])
		if len(found) == 0 && p.failedIn(part.Runs) != nil {
			return nil // the caller reports the failure
		}
		if err := p.one(commit, len(found)); err != nil {
			return err
		}
		for _, results := range found {
			var err error
			if values[side], err = p.valuesOf(results); err != nil {
				return err
			}
		}
	}
	for n := max(first, part.First); n <= part.Last; n++ {
		base, okBase := values[0][n]
		head, okHead := values[1][n]
		if !okBase || !okHead {
			continue
		}
		if err := p.logPair(n, [2]float64{base, head}); err != nil {
			return err
		}
	}
	return nil
}

// find returns the results of the benchmark on a side. Benchmarks of different packages may share the
// name. The results of one may be in several runs, if a setting of the machine has changed.
func (p *commitPair) find(runs []*record.Run, side record.Side) map[record.BenchmarkID][]record.Benchmark {
	found := map[record.BenchmarkID][]record.Benchmark{}
	for _, run := range runs {
		for _, b := range run.Benchmarks {
			if run.Side == side && b.Kind == record.Bench && b.Name == p.bisection.Subject.Bench {
				found[b.BenchmarkID] = append(found[b.BenchmarkID], b)
			}
		}
	}
	return found
}

// valuesOf returns the values of a benchmark in the unit of the search, by round.
func (p *commitPair) valuesOf(results []record.Benchmark) (map[int]float64, error) {
	var names []string
	values := map[int]float64{}
	for _, b := range results {
		s, factor := p.inUnit(b)
		for i, v := range s.Values {
			if !math.IsNaN(v) {
				values[b.Rounds[i].N] = v * factor
			}
		}
		for _, s := range b.Series() {
			names = append(names, s.Unit)
		}
	}
	if len(values) == 0 {
		return nil, p.noUnit(names)
	}
	return values, nil
}

// inUnit returns a benchmark's samples in the unit of the search, given by its original or its tidied
// name, and the factor that converts them.
func (p *commitPair) inUnit(b record.Benchmark) (record.Samples, float64) {
	if s, ok := b.Unit(p.bisection.Subject.Unit); ok {
		return s, 1
	}
	for _, s := range b.Series() {
		if factor, unit := units.Tidied(record.Samples{Unit: s.Unit, Values: []float64{1}}); unit == p.bisection.Subject.Unit {
			return s, factor[0]
		}
	}
	return record.Samples{}, 0
}

// failedIn returns an error blaming the commit with a failed benchmark, unless there are enough
// pairs.
func (p *commitPair) failedIn(runs []*record.Run) error {
	if !p.more() {
		return nil
	}
	i := slices.IndexFunc(runs, func(r *record.Run) bool { return len(r.Failures) > 0 })
	if i < 0 {
		return nil
	}
	first := runs[i].Failures[0]
	return &unmeasurableError{runs[i].Commit.SHA, fmt.Errorf("%s: %s", first.Benchmark, first.Reason)}
}

// blameWorkers returns err as an unmeasurableError for the commit at fault if workers could not
// measure a commit.
func (p *commitPair) blameWorkers(err error) error {
	failed := new(remote.FailedError)
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.Side == record.Base:
		return &unmeasurableError{p.base.SHA, failed}
	case failed.Side == record.Head:
		return &unmeasurableError{p.head.SHA, failed}
	}
	return &fault.Error{Kind: failed.Kind, Err: err}
}
