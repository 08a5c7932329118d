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

// A Calibrated is what all stored calibrations of a row say together.
type Calibrated struct {
	Shifts []stat.HistoryShift // one a calibration
	Off    stat.OffRounds      // of all of their rounds
}

// Noise is what a check knows of the row by its calibrations.
func (c Calibrated) Noise() Noise {
	noise := Noise{Capped: c.Off.Capped()}
	if floor, ok := stat.NoiseFloor(c.Shifts); ok {
		noise.Floor = floor
	}
	return noise
}

// ReadCalibrations returns what all stored calibrations of a run's target in its environment
// say.
func ReadCalibrations(ctx context.Context, db *store.DB, like *record.Run) (map[SeriesKey]Calibrated, error) {
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

// A Noise is what a check knows of the noise of a row before it is measured.
type Noise struct {
	Floor  float64 // by how much builds of one source differ, as a fraction; 0 where unknown
	Capped bool    // rounds are often far off, so that ranks are capped
}

// Noises are those of targets, as stored calibrations show them: what a benchmark does
// on this machine though nothing was changed.
type Noises struct {
	history func(like *record.Run) (map[SeriesKey]Calibrated, error)
	Known   map[string]map[SeriesKey]Noise // by target
}

// NewNoises returns noises that are read from the database when they are needed.
func NewNoises(ctx context.Context, db *store.DB) *Noises {
	return &Noises{
		history: func(like *record.Run) (map[SeriesKey]Calibrated, error) {
			return ReadCalibrations(ctx, db, like)
		},
		Known: map[string]map[SeriesKey]Noise{},
	}
}

// Learn reads the calibrations of the runs' targets in their environments, once a
// target.
func (n *Noises) Learn(runs []*record.Run) error {
	for _, r := range runs {
		if n.Known[r.Target] != nil || len(r.Benchmarks) == 0 {
			continue // of what was not measured it is not known whose noise that would be
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

// Adopt uses the noises that are stored in the terms of a run, if it was measured. Of several
// runs of a target the first counts.
func (n *Noises) Adopt(r *record.Run, t Terms) {
	if n.Known[r.Target] == nil && len(r.Benchmarks) > 0 {
		n.Known[r.Target] = t.NoiseByKey()
	}
}

// Uncap forgets of a target that ranks are capped, where that cannot be stored with the trial:
// what is known later would decide it anew.
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
