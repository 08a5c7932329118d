package app

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A seriesKey names a row across trials.
type seriesKey struct {
	record.BenchmarkID
	unit string
}

func calibrationKey(r *compare.Row) seriesKey { return seriesKey{r.BenchmarkID, r.OrigUnit} }

// calibrationHistory returns the shifts that all stored calibrations of a
// run's target in its environment showed: what its noise floor is known from.
func calibrationHistory(ctx context.Context, db *store.DB, like *record.Run) (map[seriesKey][]compare.HistoryShift, error) {
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
	history := map[seriesKey][]compare.HistoryShift{}
	for _, id := range order {
		base, head := trialSides(trials[id])
		for _, r := range compare.Calibrate(compare.Compare(base, head, compare.Options{})) {
			key := calibrationKey(r.Row)
			history[key] = append(history[key], r.History)
		}
	}
	return history, nil
}

// noiseFloors are what the stored calibrations say of the targets of trials: by how
// much a benchmark differs between builds and moments of this machine though
// nothing was changed.
type noiseFloors struct {
	history func(like *record.Run) (map[seriesKey][]compare.HistoryShift, error)
	known   map[string]map[seriesKey]float64 // by target
}

func newNoiseFloors(ctx context.Context, db *store.DB) *noiseFloors {
	return &noiseFloors{
		history: func(like *record.Run) (map[seriesKey][]compare.HistoryShift, error) {
			return calibrationHistory(ctx, db, like)
		},
		known: map[string]map[seriesKey]float64{},
	}
}

// learn reads the calibrations of the runs' targets in their environments, once a
// target.
func (n *noiseFloors) learn(runs []*record.Run) error {
	for _, r := range runs {
		if n.known[r.Target] != nil || len(r.Benchmarks) == 0 {
			continue // of what was not measured it is not known whose noise that would be
		}
		history, err := n.history(r)
		if err != nil {
			return err
		}
		n.known[r.Target] = map[seriesKey]float64{}
		for key, shifts := range history {
			if noise, ok := compare.NoiseFloor(shifts); ok {
				n.known[r.Target][key] = noise
			}
		}
	}
	return nil
}

// adopt takes the floors over that are stored with a run, if it was measured: before
// that none are looked for. Of several runs the first counts.
func (n *noiseFloors) adopt(r *record.Run, t terms) {
	if n.known[r.Target] == nil && len(r.Benchmarks) > 0 {
		n.known[r.Target] = t.floors()
	}
}

// floor is the Noise of [compare.Options].
func (n *noiseFloors) floor(target string, id record.BenchmarkID, unit string) float64 {
	return n.known[target][seriesKey{id, unit}]
}
