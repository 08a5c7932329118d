package comparison

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A Listed is a comparison of what is stored.
type Listed struct {
	Trials     []string // that are in it, the oldest first; none of runs measured apart
	Base, Head record.Commit
	Targets    []string  // sorted
	Time       time.Time // when the last of its runs was begun
}

// List returns the comparisons that runs make possible without anybody choosing sides, the newest
// first: all trials that decide on two commits as one, each other trial by itself, and the
// neighbours among the commits of a line, the oldest first, that were measured apart in one environment
// and that no trial decides on. Neighbours keep the order of their commits, whenever they were measured. Trials that compare nothing are left out: calibrations, bisections, and those
// beside an anchor.
func List(infos []record.RunInfo, line []string) (all []Listed) {
	trials, order := map[string][]record.RunInfo{}, []string(nil)
	for _, i := range infos {
		if !comparesSides(i) {
			continue
		}
		if trials[i.Trial] == nil {
			order = append(order, i.Trial)
		}
		trials[i.Trial] = append(trials[i.Trial], i)
	}
	of := map[[2]string]int{} // places of what decides on two commits
	for _, id := range order {
		base, head, ok := infoSides(trials[id])
		if !ok {
			continue
		}
		pair := [2]string{base.Commit.SHA, head.Commit.SHA}
		deciding := pair[0] != "" && pair[1] != "" && !slices.ContainsFunc(trials[id], func(i record.RunInfo) bool { return !isDeciding(i) })
		if place, ok := of[pair]; ok && deciding {
			all[place].add(trials[id])
			continue
		}
		if deciding {
			of[pair] = len(all)
		}
		l := Listed{Base: base.Commit, Head: head.Commit}
		l.add(trials[id])
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(x, y Listed) int { return y.Time.Compare(x.Time) })
	return merged(all, neighbours(infos, line, of))
}

// merged puts the neighbours, which stay in their order, among the trials: after those that began later.
// An import tells no time; that of its commit stands for it.
func merged(trials, neighbours []Listed) (all []Listed) {
	for _, n := range neighbours {
		when := n.Time
		if when.IsZero() {
			when = n.Head.Time
		}
		for len(trials) > 0 && !trials[0].Time.Before(when) {
			all, trials = append(all, trials[0]), trials[1:]
		}
		all = append(all, n)
	}
	return append(all, trials...)
}

// Newest returns the comparison of the newest change on a line of development, of which place gives the
// commits their places: of those whose head is on it a trial before what was measured apart, then that of
// the newest commit, a commit before changes to it that are in none, and the one measured last. all is
// in the order of List.
func Newest(all []Listed, place func(record.Commit) (at int, ok bool)) (newest Listed, found bool) {
	rank := func(l Listed) []int {
		r := make([]int, 3)
		if r[1], _ = place(l.Head); len(l.Trials) > 0 {
			r[0] = 1
		}
		if !l.Head.Dirty {
			r[2] = 1
		}
		return r
	}
	for _, l := range all {
		if _, ok := place(l.Head); ok && (!found || slices.Compare(rank(l), rank(newest)) > 0) {
			newest, found = l, true
		}
	}
	return newest, found
}

// Searches returns the trials of bisections, the newest first: what each compared is a step of a search.
func Searches(infos []record.RunInfo) (all []Listed) {
	trials := map[string][]record.RunInfo{}
	for _, i := range infos {
		if workspace.IsBisectTrial(i.Trial) {
			trials[i.Trial] = append(trials[i.Trial], i)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(trials)) {
		if base, head, ok := infoSides(trials[id]); ok {
			l := Listed{Base: base.Commit, Head: head.Commit}
			l.add(trials[id])
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(x, y Listed) int { return y.Time.Compare(x.Time) })
	return all
}

// add puts the runs of a trial to the others.
func (l *Listed) add(runs []record.RunInfo) {
	for _, i := range runs {
		if i.Trial != "" && !slices.Contains(l.Trials, i.Trial) {
			l.Trials = append(l.Trials, i.Trial)
		}
		if !slices.Contains(l.Targets, i.Target) {
			l.Targets = append(l.Targets, i.Target)
		}
		if i.Start.After(l.Time) {
			l.Time = i.Start
		}
	}
	slices.Sort(l.Targets)
	slices.Sort(l.Trials) // they begin with their time
}

// infoSides returns a run of each side; ok is false where there is none of one.
func infoSides(runs []record.RunInfo) (base, head record.RunInfo, ok bool) {
	b := slices.IndexFunc(runs, func(i record.RunInfo) bool { return i.Side == record.Base })
	h := slices.IndexFunc(runs, func(i record.RunInfo) bool { return i.Side == record.Head })
	if b < 0 || h < 0 {
		return base, head, false
	}
	return runs[b], runs[h], true
}

// neighbours are the pairs of commits that follow each other on the line among those that were
// measured, and that no trial of decided decides on; the newest pair first.
func neighbours(infos []record.RunInfo, line []string, decided map[[2]string]int) (all []Listed) {
	measured := map[string][]record.RunInfo{}
	for _, i := range infos {
		if i.Baseline() && !isAside(i) {
			measured[i.Commit.SHA] = append(measured[i.Commit.SHA], i)
		}
	}
	last := ""
	for _, sha := range line {
		if measured[sha] == nil {
			continue
		}
		base := last
		last = sha
		if base == "" {
			continue
		}
		if _, ok := decided[[2]string{base, sha}]; ok {
			continue
		}
		l := Listed{Base: measured[base][0].Commit, Head: measured[sha][0].Commit}
		for _, i := range measured[sha] {
			if slices.ContainsFunc(measured[base], func(b record.RunInfo) bool { return b.Target == i.Target && b.EnvironmentID == i.EnvironmentID }) && !slices.Contains(l.Targets, i.Target) {
				l.Targets = append(l.Targets, i.Target)
			}
			if i.Start.After(l.Time) {
				l.Time = i.Start
			}
		}
		if slices.Sort(l.Targets); len(l.Targets) > 0 {
			all = append(all, l)
		}
	}
	slices.Reverse(all)
	return all
}

// CompareListed compares what is listed, in the words of `perftrack compare` with the id of its
// trial, or with its two commits. The parts of one measurement are shown as that. No word of it is
// taken for a file, whatever a trial is called.
func (r *Resolver) CompareListed(ctx context.Context, l Listed) (*compare.Comparison, error) {
	if err := r.Open(ctx); err != nil {
		return nil, err
	}
	if len(l.Trials) == 0 {
		return r.CompareCommits(ctx, l.Base.SHA, l.Head.SHA)
	}
	base, head, err := r.readTrials(ctx, l.Trials)
	if err != nil {
		return nil, err
	}
	if len(l.Trials) > 1 {
		base.Label, head.Label = l.Base.SHA, l.Head.SHA
	}
	return r.united(ctx, base, head)
}

// CompareCommits compares two commits by the trials that decide on them, or by the runs that were
// measured apart. They are hashes, or their beginnings.
func (r *Resolver) CompareCommits(ctx context.Context, base, head string) (*compare.Comparison, error) {
	if err := r.Open(ctx); err != nil {
		return nil, err
	}
	b, err := r.findCommit(ctx, Selection{word: base})
	if err != nil {
		return nil, err
	}
	h, err := r.findCommit(ctx, Selection{word: head})
	if err != nil {
		return nil, err
	}
	ofBase, ofHead, err := r.pair(ctx, b, h)
	if err != nil {
		return nil, err
	}
	return r.united(ctx, ofBase, ofHead)
}

func (r *Resolver) united(ctx context.Context, base, head compare.Side) (*compare.Comparison, error) {
	c, err := r.judge(ctx, base, head)
	if err != nil {
		return nil, err
	}
	c.United()
	return c, nil
}
