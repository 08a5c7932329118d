package app

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/store"
)

// A recorder turns a measurement's rounds into one run a side.
type recorder struct {
	headers []store.Run // one a side, without samples
	samples [][]*benchfmt.Result
	outcome runner.Outcome
	status  store.Status
	end     time.Time
	now     func() time.Time
}

func newRecorder(m *measuring) *recorder {
	rec := &recorder{status: store.Complete, now: m.Now, samples: make([][]*benchfmt.Result, len(m.sides))}
	start := m.Now()
	for i, s := range m.sides {
		h := store.Run{Facts: s.facts(), Target: m.target.Name, Commit: s.commit, Start: start, Tool: m.Version, Trial: m.trial}
		if m.trial != "" {
			h.Side = []store.Side{store.Base, store.Head}[i]
		}
		rec.headers = append(rec.headers, h)
	}
	return rec
}

// facts are what a checkout left out of the source.
func (s side) facts() store.Settings {
	if s.worktree == nil || len(s.worktree.Caveats) == 0 {
		return nil
	}
	text := strings.Join(s.worktree.Caveats, "; ")
	return store.Settings{{Key: "checkout", Value: strings.ToValidUTF8(text[:min(len(text), store.MaxSettingLen)], "")}}
}

func (rec *recorder) take(r runner.Round, sofar runner.Outcome) {
	rec.outcome = sofar
	for _, s := range r.Samples {
		rec.samples[s.Side] = append(rec.samples[s.Side], s.Result)
	}
	rec.end = rec.now()
}

func (rec *recorder) any() bool {
	for _, s := range rec.samples {
		if len(s) > 0 {
			return true
		}
	}
	return false
}

// runs returns the runs of all sides that have samples.
func (rec *recorder) runs(status store.Status) ([]*store.Run, error) {
	var runs []*store.Run
	for i, results := range rec.samples {
		if len(results) == 0 {
			continue
		}
		b := store.Builder{Default: rec.header(i, status)}
		for _, u := range rec.outcome.Units {
			if err := b.Add(u); err != nil {
				return nil, err
			}
		}
		for _, res := range results {
			// As configuration of the results, what a program prints of itself
			// passes the same checks as in an import.
			for _, s := range slices.Concat(rec.outcome.Environments[i], rec.outcome.Facts[i]) {
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

func (rec *recorder) header(i int, status store.Status) store.Run {
	h := rec.headers[i]
	h.Status, h.End = status, rec.end
	h.Failures = nil
	for _, f := range rec.outcome.Failures {
		if f.Side == i && f.Reason != runner.Skipped {
			h.AddFailure(f.Slot.String(), f.Reason)
		}
	}
	return h
}
