package pages

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// newestTrials is the maximum number of calibrations, and of trials, to compare. Each comparison
// takes a while, and old trials show little about a machine.
const newestTrials = 100

// A machine holds the calibrations and trials read so far. The overview requires only the
// calibrations.
type machine struct {
	reading sync.Mutex
	list    *documents.MachineList // nil until the calibrations are read
	trials  bool
}

// Machine returns the document about the calibrations and trials on the machines.
func (s *Site) Machine(ctx context.Context) (*documents.Machine, error) {
	s.machine.reading.Lock()
	defer s.machine.reading.Unlock()
	if err := s.readCalibrations(ctx); err != nil {
		return nil, err
	}
	if !s.machine.trials {
		for _, t := range s.pairs(false) {
			if err := s.addTrial(ctx, t, s.machine.list.AddTrial); err != nil {
				return nil, err
			}
		}
		s.machine.trials = true
	}
	return s.machine.list.Document(), nil
}

// detects returns the smallest change that a check finds in half of the benchmarks, according to
// the newest calibration in the most recently measured environment. It returns nil if there is no
// such calibration or it does not determine the change.
func (s *Site) detects(ctx context.Context) (*float64, error) {
	s.machine.reading.Lock()
	defer s.machine.reading.Unlock()
	if err := s.readCalibrations(ctx); err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(s.machine.list.Document().Calibrations) {
		if d := float64(c.Detects); c.Environment == 0 {
			if math.IsNaN(d) {
				return nil, nil
			}
			return &d, nil
		}
	}
	return nil, nil
}

func (s *Site) readCalibrations(ctx context.Context) error {
	if s.machine.list != nil {
		return nil
	}
	list := documents.NewMachineList(&documents.Index{Meta: s.meta, Environments: s.environments})
	for _, t := range s.pairs(true) {
		if err := s.addTrial(ctx, t, list.AddCalibration); err != nil {
			return err
		}
	}
	s.machine.list = list
	return nil
}

// A pair holds the runs of both sides of one target in a trial.
type pair struct {
	trial, target string
	runs          []record.RunInfo
}

// pairs returns the newest calibrations or the newest two-sided trials, oldest first.
func (s *Site) pairs(calibrations bool) (all []pair) {
	type key struct{ trial, target string }
	at := map[key]int{}
	for _, r := range s.runs { // newest first
		procedure := r.Protocol.Procedure
		switch {
		case r.Trial == "", r.Benchmarks == 0, procedure == anchors.Procedure, workspace.IsBisectTrial(r.Trial):
			continue
		case (procedure == pairs.ProcedureCalibrate) != calibrations, calibrations && r.Status != record.Complete:
			continue
		}
		k := key{r.Trial, r.Target}
		i, known := at[k]
		if !known {
			if len(all) == newestTrials {
				continue
			}
			i, all = len(all), append(all, pair{r.Trial, r.Target, nil})
			at[k] = i
		}
		all[i].runs = append(all[i].runs, r)
	}
	slices.Reverse(all)
	return all
}

// addTrial compares both sides of a trial under the terms stored with it or else under the
// configured terms. It skips damaged trials.
func (s *Site) addTrial(ctx context.Context, t pair, add func(documents.Subject, *compare.Comparison)) error {
	subject := documents.Subject{Trial: t.trial, Target: t.target, Environment: s.at.Environment(t.runs[0].EnvironmentID), Time: t.runs[0].End, Load: math.NaN()}
	var runs []*record.Run
	for _, info := range slices.Backward(t.runs) {
		run, err := s.db.Get(ctx, info.ID)
		switch {
		case errors.Is(err, store.ErrDamaged):
			return nil
		case err != nil:
			return fault.IO(err)
		}
		if load, err := strconv.ParseFloat(run.Facts.Get(record.KeyLoad), 64); err == nil && !(load < subject.Load) {
			subject.Load = load
		}
		runs = append(runs, run)
	}
	base, head := comparison.SplitSides(runs)
	options, stored := comparison.StoredOptions(base, head)
	if !stored {
		options = comparison.ConfiguredOptions(s.lines.Place())
	}
	add(subject, compare.Compare(base, head, options))
	return nil
}
