package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// A recorder turns a measurement's rounds into one run a side.
type recorder struct {
	headers []record.Run // one a side, without samples
	samples [][]*benchfmt.Result
	counts  map[string]int // samples taken, by side and benchmark
	values  int            // in all
	outcome runner.Outcome
	end     time.Time
	// pairs says that a side without samples is a run, too, which says why: the other
	// side has some, nothing had to be measured, or all of it failed.
	pairs bool
	known bool // that nothing had to be measured is stored already
}

func newRecorder(m *measuring) *recorder {
	rec := &recorder{samples: make([][]*benchfmt.Result, len(m.sides)), counts: map[string]int{}, pairs: m.pairs}
	start := m.session.Now()
	for i, s := range m.sides {
		h := record.Run{Facts: s.facts(), Target: m.target.Name, Commit: s.commit, Start: start, Tool: m.session.Version, Trial: m.trial}
		if m.opt.Profile {
			h.Facts = h.Facts.Set(record.KeyMeasured, measuredScopes+" "+m.plan.Profile)
		}
		if m.checking != nil {
			h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureCheck)
			compare.SetShare(&h, m.checking.check.share)
		}
		if m.pairs {
			compare.SetSelection(&h, m.opt.selection(m.target))
		}
		if m.opt.Anchor != "" {
			h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureAnchor)
		}
		if m.trial != "" {
			h.Side = []record.Side{record.Base, record.Head}[i]
		}
		rec.headers = append(rec.headers, h)
	}
	return rec
}

// measuredScopes is what [record.KeyMeasured] says of a profile's run, before the
// profiled suite: it tells one, whose rows are all scopes, from one of benchmarks.
const measuredScopes = "scopes"

// facts are what a checkout left out of the source.
func (s side) facts() record.Settings {
	if s.worktree == nil || len(s.worktree.Caveats) == 0 {
		return nil
	}
	text := strings.Join(s.worktree.Caveats, "; ")
	return record.Settings{{Key: record.KeyCheckout, Value: strings.ToValidUTF8(text[:min(len(text), record.MaxSettingLen)], "")}}
}

// take adds a round and returns it as runs of its own, for the journal. A
// round that could not be stored is refused whole: those before it still can.
func (rec *recorder) take(r runner.Round, sofar runner.Outcome, now time.Time) ([]*record.Run, error) {
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
	runs, err := rec.build(round, func(int) record.Status { return record.Partial })
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

func (rec *recorder) any() bool {
	return slices.ContainsFunc(rec.samples, func(s []*benchfmt.Result) bool { return len(s) > 0 })
}

// runs returns the runs of all sides that have samples, and with pairs that of the
// other side. Whole says that the measurement came to its end.
func (rec *recorder) runs(whole bool) ([]*record.Run, error) {
	status := func(i int) record.Status {
		failed := slices.ContainsFunc(rec.outcome.Failures, func(f runner.Failure) bool {
			return f.Side == i && f.Reason != runner.Skipped
		})
		unbuilt := slices.ContainsFunc(rec.outcome.Unbuilt, func(u runner.Unbuilt) bool { return u.Side == i })
		switch {
		case len(rec.outcome.Failures) > 0 && !rec.any(): // of either side: neither was interrupted
			return record.Failed
		case !whole:
			return record.Partial
		case failed, unbuilt:
			return record.Failed
		}
		return record.Complete
	}
	runs, err := rec.build(rec.samples, status)
	if err == nil && rec.pairs && (rec.any() || whole && !rec.known || len(rec.outcome.Failures)+len(rec.outcome.Unbuilt) > 0) {
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
		i := sideIndex(r.Side)
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
	return runs, err
}

// unsampled is the run of a side without samples.
func (rec *recorder) unsampled(side int) *record.Run {
	r := rec.headers[side]
	r.Facts = slices.Clone(r.Facts)
	for _, s := range slices.Concat(rec.outcome.Facts[side], rec.outcome.Environments[side]) {
		r.Set(s.Key, s.Value)
	}
	return &r
}

// sideIndex is the number of a side in a measurement; a run alone is side 0.
func sideIndex(s record.Side) int {
	if s == record.Head {
		return 1
	}
	return 0
}

// build assembles one run for each side that has samples.
func (rec *recorder) build(samples [][]*benchfmt.Result, status func(side int) record.Status) ([]*record.Run, error) {
	var runs []*record.Run
	for i, results := range samples {
		if len(results) == 0 {
			continue
		}
		b := record.Builder{Default: rec.headers[i]}
		b.Default.Status = status(i)
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
