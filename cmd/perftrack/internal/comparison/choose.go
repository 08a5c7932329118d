package comparison

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// ReadTrial returns the two sides of a trial, continued ones with all their runs.
func (r *Resolver) ReadTrial(ctx context.Context, id string) (base, head compare.Side, err error) {
	infos, err := r.DB.Runs(ctx, store.Filter{Trial: id})
	if err != nil {
		return base, head, err
	}
	runs, err := r.readRuns(ctx, infos)
	if err != nil {
		return base, head, err
	}
	base, head = SplitSides(runs)
	if len(base.Runs) == 0 || len(head.Runs) == 0 {
		return base, head, fault.Data(fmt.Errorf("trial %s has %w", id, errOneSide))
	}
	return base, head, nil
}

// errOneSide says that a trial has nothing to compare, be it that a side is damaged.
var errOneSide = errors.New("runs of one side only")

// readTrials returns the two sides of several trials of the same commits, put together. One
// that has lost a side is left out where there are others.
func (r *Resolver) readTrials(ctx context.Context, ids []string) (base, head compare.Side, err error) {
	var lost error
	for _, id := range ids {
		b, h, err := r.ReadTrial(ctx, id)
		if errors.Is(err, errOneSide) {
			lost = cmp.Or(lost, err)
			continue
		}
		if err != nil {
			return base, head, err
		}
		base.Runs, head.Runs = append(base.Runs, b.Runs...), append(head.Runs, h.Runs...)
	}
	if len(base.Runs) == 0 {
		return base, head, lost
	}
	return base, head, nil
}

// trialsBeside returns the trials that decide on the two commits of a trial, itself among them;
// it alone where it does not decide, or is of a changed work tree.
func (r *Resolver) trialsBeside(ctx context.Context, id string) ([]string, error) {
	infos, err := r.DB.Runs(ctx, store.Filter{Trial: id})
	if err != nil {
		return nil, err
	}
	commits := map[record.Side]record.Commit{}
	for _, i := range infos {
		commits[i.Side] = i.Commit
		if !isDeciding(i) || i.Commit.SHA == "" {
			return []string{id}, nil
		}
	}
	var sides [2][]record.RunInfo
	for i, side := range []record.Side{record.Base, record.Head} {
		if sides[i], err = r.DB.Runs(ctx, store.Filter{Commit: commits[side].SHA, Newest: true}); err != nil {
			return nil, err
		}
	}
	if all := decidingTrials(sides[0], sides[1]); slices.Contains(all, id) {
		return all, nil
	}
	return []string{id}, nil
}

// isDeciding reports whether a run is of a kind of trial that decides on its commits. One
// source against itself shows noise, an anchor is no base, a profile shows where and not
// whether; and a bisection stops as soon as two commits look different, by a rule of its
// own, which alpha does not bound.
func isDeciding(i record.RunInfo) bool {
	procedure := i.Facts.Get(record.KeyProcedure)
	return i.Trial != "" && !i.Commit.Dirty && !workspace.IsBisectTrial(i.Trial) && i.Facts.Get(record.KeyMeasured) == "" &&
		(procedure == "" || procedure == compare.ProcedureCheck)
}

// isAside reports whether a run was measured for the sake of others: as an anchor, a calibration or a
// step of a bisection.
func isAside(i record.RunInfo) bool {
	return compare.IsAnchor(&i.Run) || workspace.IsBisectTrial(i.Trial) || i.Facts.Get(record.KeyProcedure) == compare.ProcedureCalibrate
}

// comparesSides reports whether a run is of a trial of two sides; those beside an anchor are histories.
func comparesSides(i record.RunInfo) bool {
	return i.Trial != "" && !isAside(i) && i.Facts.Get(record.KeyProcedure) != compare.ProcedureAnchor
}

// decidingTrials returns the trials that decide on two commits, of which the runs are given
// newest first: the oldest trial first. One that was interrupted, or in which something
// failed, is one of them.
func decidingTrials(base, head []record.RunInfo) (ids []string) {
	of := func(infos []record.RunInfo, side record.Side) (ids []string) {
		for _, i := range slices.Backward(infos) {
			if isDeciding(i) && i.Side == side && !slices.Contains(ids, i.Trial) {
				ids = append(ids, i.Trial)
			}
		}
		return ids
	}
	based := of(base, record.Base)
	return slices.DeleteFunc(of(head, record.Head), func(id string) bool { return !slices.Contains(based, id) })
}

// readRuns returns the runs but for the damaged ones: see [Session.Damaged].
func (r *Resolver) readRuns(ctx context.Context, infos []record.RunInfo) ([]*record.Run, error) {
	var runs []*record.Run
	for _, info := range infos {
		run, err := r.DB.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// pair chooses the runs of two words. Two commits are compared by all trials that decide
// on them, else by the newest of any kind in which both were measured.
func (r *Resolver) pair(ctx context.Context, b, h Selection) (base, head compare.Side, err error) {
	if b.Commit != "" && h.Commit != "" {
		ids := decidingTrials(b.infos, h.infos)
		b, h = withoutSearches(b, h)
		if id := commonTrial(b.infos, h.infos); len(ids) == 0 && id != "" {
			ids = []string{id}
		}
		if len(ids) > 0 {
			base, head, err = r.readTrials(ctx, ids)
			base.Label, head.Label = b.word, h.word
			return base, head, err
		}
	}
	ofBase, ofHead, err := choose(b, h)
	if err != nil {
		return base, head, err
	}
	if base, err = r.side(ctx, b, ofBase); err != nil {
		return base, head, err
	}
	if head, err = r.side(ctx, h, ofHead); err == nil {
		nameTarget(base, head)
		nameTarget(head, base)
	}
	return base, head, err
}

// nameTarget gives the runs of a file, which names no target, that of the stored runs on the other
// side, if they have only one: else nothing of the two would be a pair.
func nameTarget(of, stored compare.Side) {
	named := func(r *record.Run) bool { return r.Target != "" }
	if slices.ContainsFunc(of.Runs, named) || len(stored.Runs) == 0 {
		return
	}
	target := stored.Runs[0].Target
	for _, r := range stored.Runs {
		if r.Target != target {
			return
		}
	}
	for _, r := range of.Runs {
		r.Target = target
	}
}

func commonTrial(base, head []record.RunInfo) string {
	// A side may have had nothing to measure, which is a result of the trial.
	whole := func(i record.RunInfo) bool { return i.Status == record.Complete && !i.Commit.Dirty }
	for _, h := range head {
		if h.Trial == "" || h.Side != record.Head || !whole(h) {
			continue
		}
		for _, b := range base {
			if b.Trial == h.Trial && b.Side == record.Base && whole(b) {
				return h.Trial
			}
		}
	}
	return ""
}

// withoutSearches leaves the runs of bisections out where each side has others: they are of
// one benchmark, some of a single pair, and no points of a history either.
func withoutSearches(b, h Selection) (base, head Selection) {
	base, head = b, h
	for _, s := range []*Selection{&base, &head} {
		s.infos = slices.DeleteFunc(slices.Clone(s.infos), func(i record.RunInfo) bool { return workspace.IsBisectTrial(i.Trial) })
		if s.Commit != "" && !slices.ContainsFunc(s.infos, func(i record.RunInfo) bool { return i.Baseline() }) {
			return b, h
		}
	}
	return base, head
}

// byTarget sorts a commit's runs by choiceKey, newest first, and leaves out those
// that may not serve as a baseline.
func (s *Selection) byTarget() (map[string][]record.RunInfo, error) {
	if s.Commit == "" {
		return nil, nil
	}
	all := s.infos
	s.infos = slices.DeleteFunc(slices.Clone(all), func(i record.RunInfo) bool { return !i.Baseline() })
	if !slices.ContainsFunc(all, func(i record.RunInfo) bool { return i.Benchmarks > 0 }) {
		if i := slices.IndexFunc(all, func(i record.RunInfo) bool { return i.CarriedFrom() != "" }); i >= 0 {
			id := record.ShortHash(all[i].CarriedFrom())
			return nil, fault.Data(fmt.Errorf("%s was not measured itself, because it has the machine code of another commit: name the run of that, %s, or measure with `perftrack run --rev %s`", s.word, id, s.word))
		}
		return nil, fault.Data(fmt.Errorf("%s has only been looked at by checks that had nothing to measure there: measure it with `perftrack run --rev %s`", s.word, s.word))
	}
	if len(s.infos) == 0 {
		return nil, fault.Data(fmt.Errorf("%s has no complete run of a clean work tree, only %s: name it by its id, see `perftrack list runs`",
			s.word, record.ShortHash(all[0].ID)))
	}
	m := map[string][]record.RunInfo{}
	for _, info := range s.infos {
		key := choiceKey(info)
		m[key] = append(m[key], info)
	}
	return m, nil
}

// choiceKey is what runs have in common that can stand in for each other: the
// target, and whether they measured benchmarks or the profile of which suite.
func choiceKey(i record.RunInfo) string {
	return i.Target + "\x00" + i.Facts.Get(record.KeyMeasured)
}

// choiceKeys returns the keys of the runs, by target and benchmarks first.
func choiceKeys(infos []record.RunInfo) []string {
	var keys []string
	for _, i := range infos {
		if k := choiceKey(i); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
