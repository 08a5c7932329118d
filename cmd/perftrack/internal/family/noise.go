package family

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/compare"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// readCalibrations reads the newest calibration for each target and environment.
func readCalibrations(ctx context.Context, db *store.DB, s *familyreport.Subject) error {
	type key struct{ target, environment string }
	newest := map[key]string{} // trial of the newest calibration
	var order []key
	for i := range s.Runs {
		r := &s.Runs[i]
		if !isCalibration(&r.Run) || r.Status != record.Complete || r.Benchmarks == 0 {
			continue
		}
		k := key{r.Target, r.EnvironmentID}
		if newest[k] == "" {
			order = append(order, k)
		}
		newest[k] = r.Trial
	}
	for _, k := range order {
		var runs []*record.Run
		for i := range s.Runs {
			if s.Runs[i].Trial != newest[k] || s.Runs[i].Target != k.target {
				continue
			}
			run, err := db.Get(ctx, s.Runs[i].ID)
			if errors.Is(err, store.ErrDamaged) {
				continue
			}
			if err != nil {
				return err
			}
			runs = append(runs, run)
		}
		if len(runs) > 0 {
			s.Calibrations = append(s.Calibrations, calibration(runs, k.environment))
		}
	}
	return nil
}

// calibration summarizes the scatter in all rows of a calibration.
func calibration(runs []*record.Run, environment string) familyreport.Calibration {
	base, head := comparison.SplitSides(runs)
	var spreads []float64
	for _, row := range compare.Calibrate(compare.Compare(base, head, compare.Options{})) {
		spreads = append(spreads, row.Spread)
	}
	out := familyreport.Calibration{Target: runs[0].Target, Environment: environment, When: runs[len(runs)-1].End, Noise: math.NaN(), Worst: math.NaN(), Rows: len(spreads)}
	if slices.Sort(spreads); len(spreads) > 0 {
		out.Worst = spreads[len(spreads)-1]
		out.Noise = (spreads[(len(spreads)-1)/2] + spreads[len(spreads)/2]) / 2
	}
	return out
}
