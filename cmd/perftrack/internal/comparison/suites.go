package comparison

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A choice is a run of a commit, with the suites to compare from it.
type choice struct {
	record.RunInfo
	suites []store.Suite // nil means all
}

// A chosen holds the runs of a commit to compare, and the number of runs left out because newer
// ones have all their suites.
type chosen struct {
	runs  []choice
	older int
}

// choose returns the runs to compare for two selections. For each target it takes every suite from
// the newest baseline run. Common environments of both sides come first, because others cannot be
// compared.
func choose(b, h Selection) (base, head chosen, err error) {
	b, h = withoutSearches(b, h)
	bt, err := b.byTarget()
	if err != nil {
		return base, head, err
	}
	ht, err := h.byTarget()
	if err != nil {
		return base, head, err
	}
	for _, key := range choiceKeys(slices.Concat(b.infos, h.infos)) {
		shared := sharedEnvironments(bt[key], ht[key])
		base.add(b.suites, bt[key], shared)
		head.add(h.suites, ht[key], shared)
	}
	return base, head, nil
}

// Newest returns the runs representing a commit by itself, without a comparison.
func (s Selection) Newest() (infos []record.RunInfo, err error) {
	newest, _, err := choose(s, Selection{})
	for _, c := range newest.runs {
		infos = append(infos, c.RunInfo)
	}
	return infos, err
}

// sharedEnvironments returns the common environments of both sides, beginning with the one of
// head's newest run.
func sharedEnvironments(base, head []record.RunInfo) (shared []string) {
	for _, y := range head {
		if !slices.Contains(shared, y.EnvironmentID) && slices.ContainsFunc(base, func(x record.RunInfo) bool { return x.EnvironmentID == y.EnvironmentID }) {
			shared = append(shared, y.EnvironmentID)
		}
	}
	return shared
}

// add adds interchangeable runs, given newest first. It takes each suite from the newest run in the
// first shared environment with the suite or else from the newest run of all.
func (c *chosen) add(suites map[string][]store.Suite, infos []record.RunInfo, shared []string) {
	place := func(i record.RunInfo) int {
		if at := slices.Index(shared, i.EnvironmentID); at >= 0 {
			return at
		}
		return len(shared)
	}
	infos = slices.Clone(infos)
	slices.SortStableFunc(infos, func(x, y record.RunInfo) int { return place(x) - place(y) })
	taken := map[store.Suite]string{}
	for _, i := range infos {
		all := suites[i.ID]
		left := slices.DeleteFunc(slices.Clone(all), func(s store.Suite) bool { return taken[s] != "" })
		switch {
		case len(left) > 0:
			one := choice{RunInfo: i}
			if len(left) < len(all) {
				one.suites = left
			}
			c.runs = append(c.runs, one)
		case slices.ContainsFunc(all, func(s store.Suite) bool { return taken[s] == i.EnvironmentID }):
			c.older++
		}
		for _, s := range left {
			taken[s] = i.EnvironmentID
		}
	}
}

// side reads the chosen runs of a selection. A file or a single run is used as it is.
func (r *Resolver) side(ctx context.Context, s Selection, of chosen) (compare.Side, error) {
	side := compare.Side{Label: s.word, Runs: s.Runs, Older: of.older}
	for _, c := range of.runs {
		runs, err := r.readRuns(ctx, []record.RunInfo{c.RunInfo})
		if err != nil {
			return side, err
		}
		for _, run := range runs {
			if c.suites != nil {
				run.Benchmarks = slices.DeleteFunc(run.Benchmarks, func(b record.Benchmark) bool { return !slices.Contains(c.suites, store.SuiteOf(b.BenchmarkID)) })
			}
			side.Runs = append(side.Runs, run)
		}
	}
	return side, nil
}
