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

// A Listed is a possible comparison of stored runs.
type Listed struct {
	Trials     []string // the oldest first; empty for unpaired runs
	Base, Head record.Commit
	Targets    []string  // sorted
	Time       time.Time // the start of its last run
}

// List returns the possible comparisons of runs, the newest first. All trials that decide on the
// same two commits form one comparison, and every other trial is a comparison by itself. The rest
// are comparisons of neighbouring commits in line (the oldest first) with unpaired runs in one
// environment and without a deciding trial; they keep the order of their commits. Calibrations,
// bisections and trials with an anchor are left out.
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
	of := map[[2]string]int{} // index of the comparison deciding on two commits
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

// merged inserts the neighbours, in their order, among the trials. Each neighbour follows the
// trials begun later. For an imported run, the time of its commit counts.
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

// Newest returns the comparison of the newest change on a line of development. place returns the
// position of a commit on the line, if it is there. Among comparisons with a head on the line,
// trials come before unpaired runs, newer commits before older ones, commits before uncommitted
// changes, and later measurements before earlier ones. all must be in the order of List.
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

// Searches returns the trials of bisections, the newest first. Each trial compares the commits of
// one step.
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

// add adds the runs of a trial.
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
	slices.Sort(l.Trials) // trial ids begin with their time
}

// infoSides returns a run of each side. ok is false if a side has no runs.
func infoSides(runs []record.RunInfo) (base, head record.RunInfo, ok bool) {
	b := slices.IndexFunc(runs, func(i record.RunInfo) bool { return i.Side == record.Base })
	h := slices.IndexFunc(runs, func(i record.RunInfo) bool { return i.Side == record.Head })
	if b < 0 || h < 0 {
		return base, head, false
	}
	return runs[b], runs[h], true
}

// neighbours returns the pairs of consecutive measured commits on the line without a deciding
// trial, the newest pair first.
func neighbours(infos []record.RunInfo, line []string, decided map[[2]string]int) (all []Listed) {
	measured := map[string][]record.RunInfo{}
	for _, i := range infos {
		if i.Baseline() && !IsAside(i) {
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

// CompareListed makes a listed comparison. It compares as `perftrack compare` does when given the
// id of the trial or the two commits, but it joins the parts of one measurement and never treats a
// name as a file.
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

// CompareCommits compares two commits, given by their hashes or prefixes of them. It uses the
// trials that decide on them or else unpaired runs.
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
	c.JoinParts()
	return c, nil
}
