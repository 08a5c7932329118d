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

// A recorder turns a measurement's rounds into one run a side.
type recorder struct {
	Headers []record.Run // one a side, without samples
	samples [][]*benchfmt.Result
	counts  map[string]int // samples taken, by side and benchmark
	values  int            // in all
	Outcome runner.Outcome
	end     time.Time
	// pairs says that a side without samples is a run, too, which says why: the other
	// side has some, nothing had to be measured, or all of it failed.
	pairs bool
	Known bool // that nothing had to be measured is stored already
}

func NewRecorder(m *Measurement) *recorder {
	rec := &recorder{samples: make([][]*benchfmt.Result, len(m.Sides)), counts: map[string]int{}, pairs: m.Pairs}
	start := m.Session.Now()
	for i, s := range m.Sides {
		h := record.Run{Facts: s.facts(), Target: m.Target.Name, Commit: s.Commit, Start: start, Tool: m.Session.Version, Trial: m.Trial}
		if m.Opt.Profile {
			h.Facts = h.Facts.Set(record.KeyMeasured, workspace.MeasuredScopes+" "+m.Plan.Profile)
		}
		if m.Course != nil {
			h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureCheck)
			compare.SetShare(&h, m.Course.Share())
		}
		if m.Pairs {
			compare.SetSelection(&h, m.Opt.Selection(m.Target))
		}
		if m.Opt.Anchor != "" {
			h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureAnchor)
		}
		if m.Trial != "" {
			h.Side = []record.Side{record.Base, record.Head}[i]
		}
		rec.Headers = append(rec.Headers, h)
	}
	return rec
}

// facts are what a checkout left out of the source.
func (s Side) facts() record.Settings {
	if s.Worktree == nil || len(s.Worktree.Caveats) == 0 {
		return nil
	}
	text := strings.Join(s.Worktree.Caveats, "; ")
	return record.Settings{{Key: record.KeyCheckout, Value: strings.ToValidUTF8(text[:min(len(text), record.MaxSettingLen)], "")}}
}

// take adds a round and returns it as runs of its own, for the journal. A
// round that could not be stored is refused whole: those before it still can.
func (rec *recorder) take(r runner.Round, sofar runner.Outcome, now time.Time) ([]*record.Run, error) {
	rec.Outcome = sofar
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

func (rec *recorder) Any() bool {
	return slices.ContainsFunc(rec.samples, func(s []*benchfmt.Result) bool { return len(s) > 0 })
}

// Runs returns the runs of all sides that have samples, and with pairs that of the
// other side. Whole says that the measurement came to its end.
func (rec *recorder) Runs(whole bool) ([]*record.Run, error) {
	status := func(i int) record.Status {
		failed := slices.ContainsFunc(rec.Outcome.Failures, func(f runner.Failure) bool {
			return f.Side == i && f.Reason != runner.Skipped
		})
		unbuilt := slices.ContainsFunc(rec.Outcome.Unbuilt, func(u runner.Unbuilt) bool { return u.Side == i })
		switch {
		case len(rec.Outcome.Failures) > 0 && !rec.Any(): // of either side: neither was interrupted
			return record.Failed
		case !whole:
			return record.Partial
		case failed, unbuilt:
			return record.Failed
		}
		return record.Complete
	}
	runs, err := rec.build(rec.samples, status)
	if err == nil && rec.pairs && (rec.Any() || whole && !rec.Known || len(rec.Outcome.Failures)+len(rec.Outcome.Unbuilt) > 0) {
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
		i := SideIndex(r.Side)
		for _, u := range rec.Outcome.Unbuilt {
			if u.Side == i {
				r.AddFailure(u.Package, record.NotBuilt+u.Reason())
			}
		}
		for _, f := range rec.Outcome.Failures {
			if f.Side == i && f.Reason != runner.Skipped {
				r.AddFailure(f.Slot.String(), f.Reason)
			}
		}
	}
	return runs, err
}

// unsampled is the run of a side without samples.
func (rec *recorder) unsampled(side int) *record.Run {
	r := rec.Headers[side]
	r.Facts = slices.Clone(r.Facts)
	for _, s := range slices.Concat(rec.Outcome.Facts[side], rec.Outcome.Environments[side]) {
		r.Set(s.Key, s.Value)
	}
	return &r
}

// SideIndex is the number of a side in a measurement; a run alone is side 0.
func SideIndex(s record.Side) int {
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
		b := record.Builder{Default: rec.Headers[i]}
		b.Default.Status = status(i)
		for _, u := range rec.Outcome.Units {
			if err := b.Add(u); err != nil {
				return nil, err
			}
		}
		for _, res := range results {
			// As configuration of the results, facts pass the same checks as in an import.
			for _, s := range slices.Concat(rec.Outcome.Facts[i], rec.Outcome.Environments[i]) {
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
