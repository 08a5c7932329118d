package measure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// A Recording collects the rounds of a measurement into one run for each side.
type Recording struct {
	spec    *Spec
	sides   []Side
	headers []record.Run // one for each side, without samples
	samples [][]*benchfmt.Result
	counts  map[string]int // number of samples by side and benchmark
	values  int            // number of values in all samples
	outcome runner.Outcome
	end     time.Time
	known   bool // whether an equal run, with nothing to measure, is already stored
}

func newRecording(spec *Spec, sides []Side) *Recording {
	rec := &Recording{spec: spec, sides: sides, samples: make([][]*benchfmt.Result, len(sides)), counts: map[string]int{}}
	rec.begin()
	return rec
}

// begin creates the headers of the runs.
func (rec *Recording) begin() {
	s := rec.spec
	start := s.Session.Now()
	rec.headers = nil
	for i, side := range rec.sides {
		h := record.Run{Facts: side.facts(), Target: s.Target.Name, Commit: side.Commit, Start: start, Tool: s.Session.Version, Trial: s.Trial}
		if s.Plan.Profile != "" {
			h.Facts = h.Facts.Set(record.KeyMeasured, workspace.MeasuredScopes+" "+s.Plan.Profile)
		}
		if s.Facts != nil {
			s.Facts(&h)
		}
		if s.Trial != "" {
			h.Side = []record.Side{record.Base, record.Head}[i]
			pairs.SetDecision(&h)
		}
		rec.headers = append(rec.headers, h)
	}
	rec.noteEdited(rec.outcome)
}

// noteEdited records which benchmarks were rewritten, and which benchmarks are measured with the
// test files of one side. It is called after each step, because the warm-up may change the outcome
// of the build.
func (rec *Recording) noteEdited(out runner.Outcome) {
	rec.outcome = out
	var rewritten []record.BenchmarkFunc
	for _, s := range out.Rewritten { // once for all values of GOMAXPROCS
		if f := (record.BenchmarkFunc{Package: s.Package, Name: s.Bench}); !slices.Contains(rewritten, f) {
			rewritten = append(rewritten, f)
		}
	}
	var tests []record.SharedTests
	for _, s := range out.Shared {
		tests = addShared(tests, s)
	}
	rec.Note(func(h *record.Run) { h.Protocol.Rewritten, h.Protocol.Tests = rewritten, tests })
}

// addShared adds a benchmark to the entry of its package, unless it is already there because of
// another GOMAXPROCS.
func addShared(all []record.SharedTests, s runner.Shared) []record.SharedTests {
	of := []record.Side{record.Base, record.Head}[s.Tests]
	i := slices.IndexFunc(all, func(t record.SharedTests) bool { return t.Package == s.Slot.Package && t.Of == of })
	if i < 0 {
		i = len(all)
		all = append(all, record.SharedTests{Package: s.Slot.Package, Of: of})
	}
	names := &all[i].Edited
	if s.New {
		names = &all[i].New
	}
	if !slices.Contains(*names, s.Slot.Bench) {
		*names = append(*names, s.Slot.Bench)
	}
	return all
}

// Join moves the runs to another trial. It must be called before the first sample.
func (rec *Recording) Join(trial string) {
	if rec.spec.Trial != trial {
		rec.spec.Trial = trial
		rec.begin()
	}
}

// Note calls note for the run of each side, to add facts to it.
func (rec *Recording) Note(note func(*record.Run)) {
	for i := range rec.headers {
		note(&rec.headers[i])
	}
}

// SetKnown sets whether a run with nothing to measure is already stored. If so, it is not stored
// again.
func (rec *Recording) SetKnown(known bool) { rec.known = known }

// facts returns a fact about missing parts of the source in the checkout, if any.
func (s Side) facts() record.Settings {
	if s.checkout == nil || len(s.checkout.Caveats) == 0 {
		return nil
	}
	text := strings.Join(s.checkout.Caveats, "; ")
	return record.Settings{{Key: record.KeyCheckout, Value: strings.ToValidUTF8(text[:min(len(text), record.MaxSettingLen)], "")}}
}

// add adds a round and returns the runs made of this round alone, for the journal. It returns an
// error for a round that would exceed the limits of a run, so the earlier rounds can still be
// stored.
func (rec *Recording) add(r runner.Round, sofar runner.Outcome, now time.Time) ([]*record.Run, error) {
	rec.outcome = sofar
	round := make([][]*benchfmt.Result, len(rec.samples))
	values, counts := rec.values, map[string]int{}
	for _, s := range r.Samples {
		round[s.Side] = append(round[s.Side], s.Result)
		values += len(s.Result.Values)
		key := fmt.Sprintf("%d %s %s", s.Side, s.Result.GetConfig(record.KeyPackage), s.Result.Name)
		if counts[key]++; rec.counts[key]+counts[key] > record.MaxSamples {
			return nil, fmt.Errorf("more than %d samples of %s: measure with fewer --rounds", record.MaxSamples, s.Result.Name)
		}
	}
	if values > record.MaxTotalSamples {
		return nil, fmt.Errorf("more than %d samples: measure with fewer --rounds, or select benchmarks with --bench", record.MaxTotalSamples)
	}
	// When the journal is read, rounds with the same facts become one run again.
	var ways []record.Method
	for _, w := range sofar.Methods {
		ways = append(ways, w.Chosen())
	}
	note := func(r *record.Run, _ int) {
		r.Status = record.Partial
		r.Protocol.Methods = slices.Clone(ways)
	}
	runs, err := rec.build(round, note)
	if err != nil {
		return nil, err
	}
	for i := range round {
		rec.samples[i] = append(rec.samples[i], round[i]...)
	}
	for key, n := range counts {
		rec.counts[key] += n
	}
	rec.values, rec.end = values, now
	return runs, nil
}

// Any reports whether there are samples yet.
func (rec *Recording) Any() bool {
	return slices.ContainsFunc(rec.samples, func(s []*benchfmt.Result) bool { return len(s) > 0 })
}

// Runs returns the runs so far, as partial runs.
func (rec *Recording) Runs() ([]*record.Run, error) { return rec.runs(false) }

// runs returns the runs of all sides with samples. If the plan allows one side to be missing, it
// also returns the run of a side without samples, provided that it carries information: the other
// side has samples, nothing had to be measured, or everything failed after both sides were built.
// whole reports whether the measurement was finished.
func (rec *Recording) runs(whole bool) ([]*record.Run, error) {
	status := func(i int) record.Status {
		failed := slices.ContainsFunc(rec.outcome.Failures, func(f runner.Failure) bool {
			return f.Side == i && f.Reason != runner.Skipped
		})
		unbuilt := slices.ContainsFunc(rec.outcome.Unbuilt, func(u program.Unbuilt) bool { return u.Side == i })
		switch {
		case len(rec.outcome.Failures) > 0 && !rec.Any(): // everything failed, on either side, so nothing was interrupted
			return record.Failed
		case !whole:
			return record.Partial
		case failed, unbuilt:
			return record.Failed
		}
		return record.Complete
	}
	runs, err := rec.build(rec.samples, func(r *record.Run, side int) {
		r.Status = status(side)
		r.Protocol.Methods = slices.Clone(rec.outcome.Methods)
		if all := rec.outcome.Processes; len(all) > 0 { // empty if nothing was measured
			record.SetProcesses(r, all[side])
		}
	})
	built := len(rec.outcome.Environments) == len(rec.sides)
	if err == nil && (rec.spec.Plan.OneSided || rec.spec.BothSides) && built && (rec.Any() || whole && !rec.known || len(rec.outcome.Failures)+len(rec.outcome.Unbuilt) > 0) {
		for i, results := range rec.samples {
			if len(results) == 0 {
				r := rec.unsampled(i)
				r.Status = status(i)
				runs = slices.Insert(runs, min(i, len(runs)), r)
			}
		}
	}
	for _, r := range runs {
		r.End = rec.end
		rec.addFailures(r)
	}
	return runs, err
}

// addFailures adds the failures and build errors of the run's side.
func (rec *Recording) addFailures(r *record.Run) {
	i := SideIndex(r.Side)
	for _, u := range rec.outcome.Unbuilt {
		if u.Side == i {
			r.AddFailure(u.Package, record.NotBuilt+u.Reason())
		}
	}
	for _, f := range rec.outcome.Failures {
		if f.Side == i && f.Reason != runner.Skipped {
			r.AddFailure(f.Slot.String(), f.Reason)
		}
	}
}

// unsampled returns the run of a side without samples.
func (rec *Recording) unsampled(side int) *record.Run {
	r := rec.headers[side]
	r.Facts = slices.Clone(r.Facts)
	for _, s := range slices.Concat(rec.outcome.Facts[side], rec.outcome.Environments[side]) {
		r.Set(s.Key, s.Value)
	}
	return &r
}

// SideIndex returns the index of a side in a measurement. It returns 0 for a run outside a trial.
func SideIndex(s record.Side) int {
	if s == record.Head {
		return 1
	}
	return 0
}

// build returns one run for each side with samples. It calls note to add facts to each run first.
func (rec *Recording) build(samples [][]*benchfmt.Result, note func(r *record.Run, side int)) ([]*record.Run, error) {
	var runs []*record.Run
	for i, results := range samples {
		if len(results) == 0 {
			continue
		}
		b := decode.Builder{Default: rec.headers[i]}
		note(&b.Default, i)
		for _, u := range rec.outcome.Units {
			if err := b.Add(u); err != nil {
				return nil, err
			}
		}
		for _, res := range results {
			// Facts passed as the configuration of results are checked in the same way as those in
			// an import.
			for _, s := range slices.Concat(rec.outcome.Facts[i], rec.outcome.Environments[i]) {
				res.SetConfig(s.Key, s.Value)
			}
			if err := b.Add(res); err != nil {
				return nil, err
			}
		}
		side, err := b.Runs()
		if err != nil {
			return nil, err
		}
		runs = append(runs, side...)
	}
	return runs, nil
}
