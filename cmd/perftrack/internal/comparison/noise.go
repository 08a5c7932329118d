package comparison

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A SeriesKey names a row across trials.
type SeriesKey struct {
	record.BenchmarkID
	Unit string
}

// SeriesKeyOf returns the key of a row.
func SeriesKeyOf(r *compare.Row) SeriesKey { return SeriesKey{r.BenchmarkID, r.OrigUnit} }

// ReadCalibrations returns the shifts of all stored calibrations of a run's target in its
// environment. Its noise floors are computed from them.
func ReadCalibrations(ctx context.Context, db *store.DB, like *record.Run) (map[SeriesKey][]stat.HistoryShift, error) {
	infos, err := db.Runs(ctx, store.Filter{Target: like.Target, Environment: like.Env.EnvironmentID(), Statuses: []record.Status{record.Complete}})
	if err != nil {
		return nil, err
	}
	trials, order := map[string][]*record.Run{}, []string(nil)
	for _, info := range infos {
		if info.Facts.Get(record.KeyProcedure) != compare.ProcedureCalibrate {
			continue
		}
		run, err := db.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if trials[info.Trial] == nil {
			order = append(order, info.Trial)
		}
		trials[info.Trial] = append(trials[info.Trial], run)
	}
	history := map[SeriesKey][]stat.HistoryShift{}
	for _, id := range order {
		base, head := SplitSides(trials[id])
		for _, r := range compare.Calibrate(compare.Compare(base, head, compare.Options{})) {
			key := SeriesKeyOf(r.Row)
			history[key] = append(history[key], r.History)
		}
	}
	return history, nil
}

// NoiseFloors are the noise floors of targets, as stored calibrations show them: by how much
// a benchmark differs between builds and moments of this machine though nothing was changed.
type NoiseFloors struct {
	history func(like *record.Run) (map[SeriesKey][]stat.HistoryShift, error)
	Known   map[string]map[SeriesKey]float64 // by target
}

// NewNoiseFloors returns noise floors that are read from the database when they are needed.
func NewNoiseFloors(ctx context.Context, db *store.DB) *NoiseFloors {
	return &NoiseFloors{
		history: func(like *record.Run) (map[SeriesKey][]stat.HistoryShift, error) {
			return ReadCalibrations(ctx, db, like)
		},
		Known: map[string]map[SeriesKey]float64{},
	}
}

// Learn reads the calibrations of the runs' targets in their environments, once a
// target.
func (n *NoiseFloors) Learn(runs []*record.Run) error {
	for _, r := range runs {
		if n.Known[r.Target] != nil || len(r.Benchmarks) == 0 {
			continue // of what was not measured it is not known whose noise that would be
		}
		history, err := n.history(r)
		if err != nil {
			return err
		}
		n.Known[r.Target] = map[SeriesKey]float64{}
		for key, shifts := range history {
			if noise, ok := stat.NoiseFloor(shifts); ok {
				n.Known[r.Target][key] = noise
			}
		}
	}
	return nil
}

// Adopt uses the floors that are stored in the terms of a run, if it was measured. Of several
// runs of a target the first counts.
func (n *NoiseFloors) Adopt(r *record.Run, t Terms) {
	if n.Known[r.Target] == nil && len(r.Benchmarks) > 0 {
		n.Known[r.Target] = t.FloorsByKey()
	}
}

// Floor returns the noise floor of a row, for [compare.Options].
func (n *NoiseFloors) Floor(target string, id record.BenchmarkID, unit string) float64 {
	return n.Known[target][SeriesKey{id, unit}]
}
