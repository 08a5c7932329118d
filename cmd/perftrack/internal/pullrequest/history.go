package pullrequest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// A pull request controls both sides of its trial. It could leave a benchmark out on both sides, or
// hide it among hundreds of new ones. The history of the base shows which benchmarks exist, because
// its workflow runs from the default branch, measured the same commit and keeps the runs for some
// days.

// The file name of the history's workflow, and the name of its artifact.
const (
	historyWorkflow = "perftrack-history.yml"
	historyArtifact = "perftrack-history"
)

// A baseHistory is the set of series measured at one commit, by target.
type baseHistory map[string]map[comparison.SeriesKey]bool

// readBaseHistory returns the history of a base commit. It returns nil without a history or if a
// request fails. A history can make the judgement stricter, but a missing one does not block.
func (c *job) readBaseHistory(ctx context.Context, commit string) (baseHistory, error) {
	if !gitrepo.IsHash(commit) {
		return nil, nil
	}
	runs, err := readHistory(ctx, c.github, c.event, commit)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		c.session.Noticef("read the history of %s: %s", record.ShortHash(commit), fault.FirstLine(err))
		return nil, nil
	}
	var h baseHistory
	for _, r := range runs {
		if r.Commit.SHA != commit || r.Commit.Dirty || len(r.Benchmarks) == 0 {
			continue
		}
		if h == nil {
			h = baseHistory{}
		}
		if h[r.Target] == nil {
			h[r.Target] = map[comparison.SeriesKey]bool{}
		}
		for _, b := range r.Benchmarks {
			for _, s := range b.Series() {
				h[r.Target][comparison.SeriesKey{BenchmarkID: b.BenchmarkID, Unit: s.Unit}] = true
			}
		}
	}
	return h, nil
}

// readHistory returns the runs of the history's workflow at a commit.
func readHistory(ctx context.Context, g *githubapi.Client, e *githubapi.Event, commit string) ([]*record.Run, error) {
	runs, err := g.HistoryRuns(ctx, e, historyWorkflow, commit, "")
	for _, r := range runs {
		data, _, err := g.Artifact(ctx, r.ID, historyArtifact)
		if err != nil {
			return nil, err
		}
		if data == nil {
			continue
		}
		text, err := artifact.Unzip(data)
		if err != nil {
			return nil, err
		}
		return artifact.ParseRuns(text, historyArtifact)
	}
	return nil, err
}

// known returns a function that reports whether the base has a series, or nil without a history:
// see [compare.Options]. If the history lacks a target of the base, every series of the target
// counts as known.
func (h baseHistory) known(rules *config.Config) func(target string, id record.BenchmarkID, unit string) bool {
	if h == nil {
		return nil
	}
	return func(target string, id record.BenchmarkID, unit string) bool {
		if series, ok := h[target]; ok {
			return series[comparison.SeriesKey{BenchmarkID: id, Unit: unit}]
		}
		return slices.ContainsFunc(rules.Targets, func(t config.Target) bool { return t.Name == target })
	}
}

// vanished returns the benchmarks of the base that have no result on either side of the trial. It
// skips packages left out by the trial for a reason, such as unchanged code or a failed build. It
// also skips targets with a missing part or without any run, because the comment names these
// anyway.
func (h baseHistory) vanished(c *compare.Comparison) (lost []compare.Untried) {
	type home struct{ target, pkg string }
	have, packages := map[string]map[record.BenchmarkID]bool{}, map[home]bool{}
	for _, r := range slices.Concat(c.Base.Runs, c.Head.Runs) {
		if have[r.Target] == nil {
			have[r.Target] = map[record.BenchmarkID]bool{}
		}
		for _, b := range r.Benchmarks {
			have[r.Target][b.BenchmarkID], packages[home{r.Target, b.Package}] = true, true
		}
	}
	parts := c.LostParts()
	for target, series := range h {
		if len(have[target]) == 0 || slices.ContainsFunc(parts, func(l compare.LostPart) bool { return l.Target == target }) {
			continue
		}
		missed := map[string][]string{} // names of benchmarks by package
		for key := range series {
			id := key.BenchmarkID
			if id.Kind == record.Bench && !have[target][id] && (packages[home{target, id.Package}] || !excused(c, target, id.Package)) {
				missed[id.Package] = append(missed[id.Package], id.Name)
			}
		}
		names := named(c, target, missed)
		if n := min(len(names), maxVanished); n > 0 {
			lost = append(lost, compare.Untried{Target: target, Benchmarks: names[:n], More: len(names) - n})
		}
	}
	slices.SortStableFunc(lost, func(a, b compare.Untried) int { return cmp.Compare(a.Target, b.Target) })
	return lost
}

// named returns the missing benchmarks with their packages. It skips a package if the trial left
// out at least as many of its benchmark functions because they reach no changed code.
func named(c *compare.Comparison, target string, missed map[string][]string) (names []string) {
	for pkg, list := range missed {
		functions, unreached := map[string]bool{}, 0
		for _, name := range list {
			function, _, _ := strings.Cut(name, "/")
			functions[function] = true
		}
		listed := slices.ContainsFunc(c.Unreached, func(u compare.Unreached) bool {
			unreached = u.Benchmarks
			return u.Target == target && u.Package == pkg
		})
		if listed && len(functions) <= unreached {
			continue
		}
		for _, name := range list {
			names = append(names, strings.TrimPrefix(pkg+"."+name, "."))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// maxVanished is the maximum number of vanished benchmarks named in a comment per target.
const maxVanished = 20

// excused reports whether the trial explains why it has no results for a package: its code is
// unchanged or does not build.
func excused(c *compare.Comparison, target, pkg string) bool {
	same := slices.ContainsFunc(c.Same, func(s compare.SameCode) bool { return s.Target == target && s.Package == pkg })
	return same || slices.ContainsFunc(c.Failures, func(f compare.Failure) bool {
		return f.Target == target && (f.Benchmark == "" || pkg != "" && strings.HasPrefix(f.Benchmark, pkg))
	})
}
