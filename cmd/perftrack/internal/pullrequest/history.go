package pullrequest

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/runner/gitrepo"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// What a pull request measured is all of its own making, the base side too: it may leave
// a benchmark out on both sides, or hide it among hundreds that nobody has heard of. The
// history of the base knows what there is: its workflow measured the same commit, from
// the default branch, and left its runs for some days.

// The workflow of the history, and the artifact that it leaves.
const (
	historyWorkflow = "perftrack-history.yml"
	historyArtifact = "perftrack-history"
)

// A baseHistory is what the history has of one commit, by target.
type baseHistory map[string]map[comparison.SeriesKey]bool

// readBaseHistory returns what the history has of a commit of the base, nil where it has
// nothing or does not answer: it can make a check stricter, and never stands in its way.
func (c *job) readBaseHistory(ctx context.Context, commit string) (baseHistory, error) {
	if !gitrepo.IsHash(commit) {
		return nil, nil
	}
	runs, err := readHistory(ctx, c.github, c.event, commit)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		c.session.Noticef("the history of %s: %s", record.ShortHash(commit), fault.FirstLine(err))
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
			for _, s := range b.Samples {
				h[r.Target][comparison.SeriesKey{BenchmarkID: b.BenchmarkID, Unit: s.Unit}] = true
			}
		}
	}
	return h, nil
}

// readHistory returns the runs that the workflow of the history made for a commit.
func readHistory(ctx context.Context, g *githubapi.Client, e *githubapi.Event, commit string) ([]*record.Run, error) {
	var answer struct {
		Runs []githubapi.WorkflowRun `json:"workflow_runs"`
	}
	query := url.Values{"head_sha": {commit}, "status": {"success"}, "per_page": {"10"}}
	_, err := g.Get(ctx, "list the runs of the history", "actions/workflows/"+historyWorkflow+"/runs", query, &answer)
	if githubapi.IsStatus(err, 404) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, r := range answer.Runs {
		if r.HeadSHA != commit || !ownHistory(r, e) {
			continue
		}
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
	return nil, nil
}

// ownHistory reports whether a run of the workflow of the history is of the base repository's own:
// only who may push to it starts these.
func ownHistory(r githubapi.WorkflowRun, e *githubapi.Event) bool {
	return r.HeadRepository != nil && r.HeadRepository.ID == e.Repository.ID && slices.Contains([]string{"push", "schedule", "workflow_dispatch"}, r.Event)
}

// known tells of a series whether the base has it: see [compare.Options]. Of a target
// that the base has and whose history is not here, everything is.
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

// vanished returns the benchmarks that the base has and neither side of its trial. Those
// of a package are not missed that was not measured because its code is the same, or
// does not build; nor of a target of which nothing was measured, or not all parts, which is
// said anyway.
func (h baseHistory) vanished(c *compare.Comparison) (lost []compare.Untried) {
	type place struct{ target, pkg string }
	have, packages := map[string]map[record.BenchmarkID]bool{}, map[place]bool{}
	for _, r := range slices.Concat(c.Base.Runs, c.Head.Runs) {
		if have[r.Target] == nil {
			have[r.Target] = map[record.BenchmarkID]bool{}
		}
		for _, b := range r.Benchmarks {
			have[r.Target][b.BenchmarkID], packages[place{r.Target, b.Package}] = true, true
		}
	}
	parts := c.LostParts()
	for target, series := range h {
		if len(have[target]) == 0 || slices.ContainsFunc(parts, func(l compare.LostPart) bool { return l.Target == target }) {
			continue
		}
		missed := map[string][]string{} // by package
		for key := range series {
			id := key.BenchmarkID
			if id.Kind == record.Bench && !have[target][id] && (packages[place{target, id.Package}] || !excused(c, target, id.Package)) {
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

// named returns what is missed, by package, with the packages' names. A package of which no more benchmark functions are
// missed than its trial says reach no changed code misses none; of more it is not known which.
func named(c *compare.Comparison, target string, missed map[string][]string) (names []string) {
	noted := 0
	for _, u := range c.Unreached {
		noted += len(u.Package)
	}
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
		if listed && len(functions) <= unreached || !listed && noted > record.MaxSettingLen/2 {
			continue
		}
		for _, name := range list {
			names = append(names, strings.TrimPrefix(pkg+"."+name, "."))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// maxVanished is how many benchmarks are named of those that vanished from a target.
const maxVanished = 20

// excused reports whether a trial says why it has nothing of a package: its code is the
// same, of which a long list is cut, or it does not build.
func excused(c *compare.Comparison, target, pkg string) bool {
	noted := 0
	for _, s := range c.Same {
		if noted += len(s.Package); s.Target == target && s.Package == pkg {
			return true
		}
	}
	return noted > record.MaxSettingLen/2 || slices.ContainsFunc(c.Failures, func(f compare.Failure) bool {
		return f.Target == target && (f.Benchmark == "" || pkg != "" && strings.HasPrefix(f.Benchmark, pkg))
	})
}
