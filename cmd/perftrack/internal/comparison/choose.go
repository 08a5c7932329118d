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
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// ReadTrial returns the two sides of a trial, including the runs of its continuations.
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

// errOneSide reports a trial with one side missing or damaged.
var errOneSide = errors.New("runs on only one side")

// readTrials joins the two sides of several trials of the same commits. It leaves out a trial with
// only one side, as long as another trial has both.
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

// trialsBeside returns the trials that decide on the two commits of a trial, including the trial
// itself. If this trial does not decide or measured a work tree with changes, only this trial is
// returned.
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

// isDeciding reports whether a run belongs to a trial that decides on its commits. Calibrations,
// anchors and profiles do not decide, and the stopping rule of a bisection is not bounded by alpha.
func isDeciding(i record.RunInfo) bool {
	procedure := i.Protocol.Procedure
	return i.Trial != "" && !i.Commit.Dirty && !workspace.IsBisectTrial(i.Trial) && i.Facts.Get(record.KeyMeasured) == "" &&
		(procedure == "" || procedure == pairs.ProcedureCheck)
}

// IsAside reports whether a run only serves other runs: an anchor, a calibration or a step of a
// bisection.
func IsAside(i record.RunInfo) bool {
	return anchors.Is(&i.Run) || workspace.IsBisectTrial(i.Trial) || i.Protocol.Procedure == pairs.ProcedureCalibrate
}

// comparesSides reports whether a run belongs to a trial that compares two sides. Trials with an
// anchor serve histories instead.
func comparesSides(i record.RunInfo) bool {
	return i.Trial != "" && !IsAside(i) && i.Protocol.Procedure != anchors.Procedure
}

// decidingTrials returns the trials that decide on two commits, the oldest first. The runs must be
// ordered newest first. Interrupted and failed trials count.
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

// readRuns reads runs and leaves out damaged ones: see [workspace.Session.Damaged].
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

// pair chooses the runs for two arguments of the user. Two commits are compared by all trials that
// decide on them or else by the newest runs of any kind measured on both.
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

// nameTarget gives runs from a file, without a target, the target of the stored runs on the other
// side, so they form pairs. It does nothing if the stored runs have several targets.
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
	// A side with nothing to measure is a result of the trial, too.
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

// withoutSearches leaves out the runs of bisections, provided that each side has other runs,
// because a bisection measures only one benchmark, and some of its commits with only a single pair.
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

// byTarget groups a commit's runs by choiceKey, newest first. It leaves out runs other than
// baselines.
func (s *Selection) byTarget() (map[string][]record.RunInfo, error) {
	if s.Commit == "" {
		return nil, nil
	}
	all := s.infos
	s.infos = slices.DeleteFunc(slices.Clone(all), func(i record.RunInfo) bool { return !i.Baseline() })
	if !slices.ContainsFunc(all, func(i record.RunInfo) bool { return i.Benchmarks > 0 }) {
		if i := slices.IndexFunc(all, func(i record.RunInfo) bool { return i.CarriedFrom() != "" }); i >= 0 {
			id := record.ShortHash(all[i].CarriedFrom())
			return nil, fault.Data(fmt.Errorf("%s was not measured, because it has the same machine code as another commit: name that commit's run, %s, or use `perftrack run --rev %s`", s.word, id, s.word))
		}
		return nil, fault.Data(fmt.Errorf("%s has no samples, because checks found its machine code unchanged: use `perftrack run --rev %s`", s.word, s.word))
	}
	if len(s.infos) == 0 {
		return nil, fault.Data(fmt.Errorf("%s has no complete run with a clean work tree: to use another run, such as %s, name it by its id (see `perftrack list runs`)",
			s.word, record.ShortHash(all[0].ID)))
	}
	m := map[string][]record.RunInfo{}
	for _, info := range s.infos {
		key := choiceKey(info)
		m[key] = append(m[key], info)
	}
	return m, nil
}

// choiceKey returns a key that is the same for interchangeable runs. It consists of the target and
// the measured subject: benchmarks, or the suite of a profile.
func choiceKey(i record.RunInfo) string {
	return i.Target + "\x00" + i.Facts.Get(record.KeyMeasured)
}

// choiceKeys returns the keys of the runs, sorted by target, with benchmarks first.
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
