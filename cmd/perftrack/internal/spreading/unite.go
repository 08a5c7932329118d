package spreading

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// Rounds collects the rounds of one target that several workers measured. There is one run for each
// side and environment, so workers of equal machines contribute to the same run.
type Rounds struct {
	runs []*record.Run
	seen map[place]bool
}

// A place is a round of a benchmark.
type place struct {
	id record.BenchmarkID
	n  int
}

// Runs returns the runs so far, the base's first. Callers must not modify them.
func (r *Rounds) Runs() []*record.Run { return r.runs }

// Add adds the runs of one part, with rounds from first to last. It returns an error, and adds
// nothing, if they are not what the part must contain: both sides of one trial at the given commits,
// and no sample of any other round. Workers run the code of strangers, so parts are not trusted. If
// a benchmark has a round already, the first one counts, on both sides.
func (r *Rounds) Add(part []*record.Run, want record.Run, first, last int, heads [2]string) error {
	if r.seen == nil {
		r.seen = map[place]bool{}
	}
	added := map[place]bool{}
	for _, run := range part {
		commit := heads[0]
		if run.Side == record.Head {
			commit = heads[1]
		}
		switch {
		case run.Side == record.NoSide || run.Trial != want.Trial || run.Target != want.Target:
			return errors.New("it has a run of another trial or target")
		case run.Commit.SHA != commit || run.Commit.Dirty:
			return fmt.Errorf("its %s side is not commit %s", run.Side, record.ShortHash(commit))
		case run.Protocol.Decision != want.Protocol.Decision:
			return errors.New("its worker measures for another decision procedure")
		}
		for i := range run.Benchmarks {
			b := &run.Benchmarks[i]
			for _, round := range b.Rounds {
				if round.N < first || round.N > last {
					return fmt.Errorf("%s has a sample of round %d, which is not among rounds %d to %d", b.Name, round.N, first, last)
				}
				added[place{b.BenchmarkID, round.N}] = true
			}
		}
	}
	for _, run := range part {
		r.add(r.unseen(run))
	}
	for at := range added {
		r.seen[at] = true
	}
	return nil
}

// unseen returns the run without the rounds that are here already.
func (r *Rounds) unseen(run *record.Run) *record.Run {
	old := func(b record.Benchmark) bool {
		return slices.ContainsFunc(b.Rounds, func(round record.Round) bool { return r.seen[place{b.BenchmarkID, round.N}] })
	}
	if !slices.ContainsFunc(run.Benchmarks, old) {
		return run
	}
	own := *run
	own.Benchmarks = nil
	for _, b := range run.Benchmarks {
		if b = kept(b, func(n int) bool { return !r.seen[place{b.BenchmarkID, n}] }); len(b.Rounds) > 0 {
			own.Benchmarks = append(own.Benchmarks, b)
		}
	}
	return &own
}

func (r *Rounds) add(run *record.Run) {
	i := slices.IndexFunc(r.runs, func(o *record.Run) bool {
		return o.Side == run.Side && len(o.Env.Differences(run.Env)) == 0
	})
	if i < 0 {
		own := *run
		r.runs = append(r.runs, &own)
		slices.SortStableFunc(r.runs, func(a, b *record.Run) int { return sideOf(a) - sideOf(b) })
		return
	}
	r.runs[i] = united(r.runs[i], run)
}

func sideOf(r *record.Run) int {
	if r.Side == record.Head {
		return 1
	}
	return 0
}

// united returns a run with the rounds of both. Its facts are those of the first.
func united(a, b *record.Run) *record.Run {
	u := *a
	if b.Start.Before(u.Start) {
		u.Start = b.Start
	}
	if b.End.After(u.End) {
		u.End = b.End
	}
	if b.Status == record.Failed {
		u.Status = record.Failed
	}
	u.Failures = slices.Clone(u.Failures)
	for _, f := range b.Failures {
		if !slices.Contains(u.Failures, f) {
			u.AddFailure(f.Benchmark, f.Reason)
		}
	}
	u.Units = slices.Clone(u.Units)
	for _, unit := range b.Units {
		if !slices.ContainsFunc(u.Units, func(o record.Unit) bool { return o.Name == unit.Name }) {
			u.Units = append(u.Units, unit)
		}
	}
	u.Protocol.Methods = unitedMethods(a.Protocol.Methods, b.Protocol.Methods)
	u.Benchmarks = unitedBenchmarks(a.Benchmarks, b.Benchmarks)
	u.Normalize()
	return &u
}

// unitedMethods returns the methods of the first list, and those that only the second has, with the
// rounds of both.
func unitedMethods(a, b []record.Method) []record.Method {
	all := slices.Clone(a)
	for _, m := range b {
		i := slices.IndexFunc(all, func(o record.Method) bool { return o.Package == m.Package && o.Name == m.Name })
		if i < 0 {
			all = append(all, m)
			continue
		}
		all[i].Sliced += m.Sliced
		all[i].Fresh += m.Fresh
	}
	return all
}

func unitedBenchmarks(a, b []record.Benchmark) []record.Benchmark {
	all := slices.Clone(a)
	index := map[record.BenchmarkID]int{}
	for i := range all {
		index[all[i].BenchmarkID] = i
	}
	for _, more := range b {
		i, ok := index[more.BenchmarkID]
		if !ok {
			all = append(all, more)
			continue
		}
		all[i] = appended(all[i], more)
	}
	return all
}

// appended returns a benchmark with the rounds of both.
func appended(a, b record.Benchmark) record.Benchmark {
	u := record.Benchmark{BenchmarkID: a.BenchmarkID, Rounds: slices.Concat(a.Rounds, b.Rounds)}
	add := func(unit string) {
		values := func(of record.Benchmark) []float64 {
			if s, ok := of.Unit(unit); ok {
				return s.Values
			}
			return slices.Repeat([]float64{math.NaN()}, len(of.Rounds))
		}
		u.Samples = append(u.Samples, record.Samples{Unit: unit, Values: slices.Concat(values(a), values(b))})
	}
	for _, s := range a.Samples {
		add(s.Unit)
	}
	for _, s := range b.Samples {
		if _, had := a.Unit(s.Unit); !had {
			add(s.Unit)
		}
	}
	return u
}

// UpTo returns copies of the runs with the rounds up to the given one.
func UpTo(runs []*record.Run, last int) (out []*record.Run) {
	for _, r := range runs {
		own := *r
		own.Benchmarks = nil
		for _, b := range r.Benchmarks {
			if b = kept(b, func(n int) bool { return n <= last }); len(b.Rounds) > 0 {
				own.Benchmarks = append(own.Benchmarks, b)
			}
		}
		out = append(out, &own)
	}
	return out
}

// kept returns a benchmark with the rounds that keep selects.
func kept(b record.Benchmark, keep func(round int) bool) record.Benchmark {
	own := record.Benchmark{BenchmarkID: b.BenchmarkID, Samples: make([]record.Samples, len(b.Samples))}
	for i, s := range b.Samples {
		own.Samples[i].Unit = s.Unit
	}
	for k, round := range b.Rounds {
		if !keep(round.N) {
			continue
		}
		own.Rounds = append(own.Rounds, round)
		for i, s := range b.Samples {
			own.Samples[i].Values = append(own.Samples[i].Values, s.Values[k])
		}
	}
	return own
}
