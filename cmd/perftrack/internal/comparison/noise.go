package comparison

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A SeriesKey identifies a row across trials.
type SeriesKey struct {
	record.BenchmarkID
	Unit string
}

// SeriesKeyOf returns the key of a row.
func SeriesKeyOf(r *compare.Row) SeriesKey { return SeriesKey{r.BenchmarkID, r.OrigUnit} }

// A Calibrated holds the results of all stored calibrations of a row.
type Calibrated struct {
	Shifts []stat.HistoryShift // one for each calibration
	Off    stat.OffRounds      // number of outlier rounds in all calibrations
}

// Noise returns a check's assumption about the noise of the row, based on its calibrations.
func (c Calibrated) Noise() Noise {
	noise := Noise{Capped: c.Off.Capped()}
	if floor, ok := stat.NoiseFloor(c.Shifts); ok {
		noise.Floor = floor
	}
	return noise
}

// ReadCalibrations returns, for each row, the results of all stored calibrations of a run's target
// in the run's environment.
func ReadCalibrations(ctx context.Context, db *store.DB, like *record.Run) (map[SeriesKey]Calibrated, error) {
	infos, err := db.Runs(ctx, store.Filter{Target: like.Target, Environment: like.Env.EnvironmentID(), Statuses: []record.Status{record.Complete}})
	if err != nil {
		return nil, err
	}
	trials, order := map[string][]*record.Run{}, []string(nil)
	for _, info := range infos {
		if info.Protocol.Procedure != pairs.ProcedureCalibrate {
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
	history := map[SeriesKey]Calibrated{}
	for _, id := range order {
		base, head := SplitSides(trials[id])
		for _, r := range compare.Calibrate(compare.Compare(base, head, compare.Options{})) {
			key := SeriesKeyOf(r.Row)
			all := history[key]
			history[key] = Calibrated{append(all.Shifts, r.History), all.Off.Plus(r.Off)}
		}
	}
	return history, nil
}

// A Noise is the known noise of a row before a check measures it.
type Noise struct {
	Floor  float64 // the difference between builds of the same source, as a fraction; 0 if unknown
	Capped bool    // ranks are capped because rounds often have extreme values
}

// Noises holds each target's noise according to stored calibrations: how much benchmarks vary on
// this machine without any change.
type Noises struct {
	history func(like *record.Run) (map[SeriesKey]Calibrated, error)
	Known   map[string]map[SeriesKey]Noise // by target
}

// NewNoises returns a Noises that reads from the database on demand.
func NewNoises(ctx context.Context, db *store.DB) *Noises {
	return &Noises{
		history: func(like *record.Run) (map[SeriesKey]Calibrated, error) {
			return ReadCalibrations(ctx, db, like)
		},
		Known: map[string]map[SeriesKey]Noise{},
	}
}

// Learn reads the calibrations of the runs' targets in their environments, once for each target.
func (n *Noises) Learn(runs []*record.Run) error {
	for _, r := range runs {
		if n.Known[r.Target] != nil || len(r.Benchmarks) == 0 {
			continue // not measured, so its environment is unknown
		}
		history, err := n.history(r)
		if err != nil {
			return err
		}
		n.Known[r.Target] = map[SeriesKey]Noise{}
		for key, c := range history {
			if noise := c.Noise(); noise != (Noise{}) {
				n.Known[r.Target][key] = noise
			}
		}
	}
	return nil
}

// Adopt takes the noise of a run's target from the terms of the run, unless the noise is known
// already or the run has no samples.
func (n *Noises) Adopt(r *record.Run, t Terms) {
	if n.Known[r.Target] == nil && len(r.Benchmarks) > 0 {
		n.Known[r.Target] = t.NoiseByKey()
	}
}

// Uncap removes the caps on a target's ranks. This is needed if they cannot be stored with the
// trial, because later calibrations would then change its verdicts.
func (n *Noises) Uncap(target string) {
	for key, noise := range n.Known[target] {
		noise.Capped = false
		n.Known[target][key] = noise
	}
}

// Floor returns the noise floor of a row, for [compare.Options].
func (n *Noises) Floor(target string, id record.BenchmarkID, unit string) float64 {
	return n.Known[target][SeriesKey{id, unit}].Floor
}

// Capped reports whether the ranks of a row are capped, for [compare.Options].
func (n *Noises) Capped(target string, id record.BenchmarkID, unit string) bool {
	return n.Known[target][SeriesKey{id, unit}].Capped
}
