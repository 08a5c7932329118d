package measure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// A Recording turns the rounds of a measurement into one run a side.
type Recording struct {
	spec    *Spec
	sides   []Side
	headers []record.Run // one a side, without samples
	samples [][]*benchfmt.Result
	counts  map[string]int // samples taken, by side and benchmark
	values  int            // in all
	outcome runner.Outcome
	end     time.Time
	known   bool // that nothing had to be measured is stored already
}

func newRecording(spec *Spec, sides []Side) *Recording {
	rec := &Recording{spec: spec, sides: sides, samples: make([][]*benchfmt.Result, len(sides)), counts: map[string]int{}}
	rec.begin()
	return rec
}

// begin heads the runs.
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
			compare.SetDecision(&h)
		}
		rec.headers = append(rec.headers, h)
	}
	rec.noteEdited(rec.outcome)
}

// noteEdited notes which benchmarks were edited, and by which test files they are measured. The
// warm-up may find another answer than the build did.
func (rec *Recording) noteEdited(out runner.Outcome) {
	rec.outcome = out
	var rewritten []compare.Rewritten
	for _, s := range out.Rewritten {
		if w := (compare.Rewritten{Target: rec.spec.Target.Name, Package: s.Package, Name: s.Bench}); !slices.Contains(rewritten, w) {
			rewritten = append(rewritten, w)
		}
	}
	var shared []compare.Shared
	for _, s := range out.Shared {
		w := compare.Shared{Target: rec.spec.Target.Name, Package: s.Slot.Package, Name: s.Slot.Bench, Of: []record.Side{record.Base, record.Head}[s.Tests], New: s.New}
		if !slices.Contains(shared, w) { // once for all values of GOMAXPROCS
			shared = append(shared, w)
		}
	}
	rec.Note(func(h *record.Run) {
		compare.SetShared(h, shared)
		compare.SetRewritten(h, rewritten)
	})
}

// Join puts the runs into another trial, before anything is measured.
func (rec *Recording) Join(trial string) {
	if rec.spec.Trial != trial {
		rec.spec.Trial = trial
		rec.begin()
	}
}

// Note notes facts on the run of each side.
func (rec *Recording) Note(note func(*record.Run)) {
	for i := range rec.headers {
		note(&rec.headers[i])
	}
}

// SetKnown says whether it is stored already that nothing had to be measured: such a run
// is not stored again.
func (rec *Recording) SetKnown(known bool) { rec.known = known }

// facts are what a checkout left out of the source.
func (s Side) facts() record.Settings {
	if s.checkout == nil || len(s.checkout.Caveats) == 0 {
		return nil
	}
	text := strings.Join(s.checkout.Caveats, "; ")
	return record.Settings{{Key: record.KeyCheckout, Value: strings.ToValidUTF8(text[:min(len(text), record.MaxSettingLen)], "")}}
}

// add adds a round and returns it as runs of its own, for the journal. A
// round that could not be stored is refused whole: those before it still can.
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
	// Rounds with the same facts are found to be of one run again.
	var ways []record.Way
	for _, w := range sofar.Ways {
		ways = append(ways, w.Chosen())
	}
	note := func(r *record.Run, _ int) {
		r.Status = record.Partial
		record.SetWays(r, ways)
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

// Any reports whether anything was measured yet.
func (rec *Recording) Any() bool {
	return slices.ContainsFunc(rec.samples, func(s []*benchfmt.Result) bool { return len(s) > 0 })
}

// Runs returns the runs as they are now, as partial ones.
func (rec *Recording) Runs() ([]*record.Run, error) { return rec.runs(false) }

// runs returns the runs of all sides that have samples. Where one side of a plan may be
// missing, it returns that of the other side, too, if that says something: that the one
// has samples, that nothing had to be measured, or that all of it failed, once both were built. Whole says that
// the measurement came to its end.
func (rec *Recording) runs(whole bool) ([]*record.Run, error) {
	status := func(i int) record.Status {
		failed := slices.ContainsFunc(rec.outcome.Failures, func(f runner.Failure) bool {
			return f.Side == i && f.Reason != runner.Skipped
		})
		unbuilt := slices.ContainsFunc(rec.outcome.Unbuilt, func(u runner.Unbuilt) bool { return u.Side == i })
		switch {
		case len(rec.outcome.Failures) > 0 && !rec.Any(): // of either side: neither was interrupted
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
		record.SetWays(r, rec.outcome.Ways)
		if all := rec.outcome.Processes; len(all) > 0 { // none where nothing came to be measured
			record.SetProcesses(r, all[side])
		}
	})
	built := len(rec.outcome.Environments) == len(rec.sides)
	if err == nil && rec.spec.Plan.OneSided && built && (rec.Any() || whole && !rec.known || len(rec.outcome.Failures)+len(rec.outcome.Unbuilt) > 0) {
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

// addFailures notes on a run what of its side was not built, or failed.
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

// unsampled is the run of a side without samples.
func (rec *Recording) unsampled(side int) *record.Run {
	r := rec.headers[side]
	r.Facts = slices.Clone(r.Facts)
	for _, s := range slices.Concat(rec.outcome.Facts[side], rec.outcome.Environments[side]) {
		r.Set(s.Key, s.Value)
	}
	return &r
}

// SideIndex returns the index of a side in a measurement; a run alone is side 0.
func SideIndex(s record.Side) int {
	if s == record.Head {
		return 1
	}
	return 0
}

// build assembles one run for each side that has samples, on which note has noted what there is
// to say of it.
func (rec *Recording) build(samples [][]*benchfmt.Result, note func(r *record.Run, side int)) ([]*record.Run, error) {
	var runs []*record.Run
	for i, results := range samples {
		if len(results) == 0 {
			continue
		}
		b := record.Builder{Default: rec.headers[i]}
		note(&b.Default, i)
		for _, u := range rec.outcome.Units {
			if err := b.Add(u); err != nil {
				return nil, err
			}
		}
		for _, res := range results {
			// As configuration of the results, facts pass the same checks as in an import.
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
