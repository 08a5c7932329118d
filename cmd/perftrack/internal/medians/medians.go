package medians

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Limits for a history. A chart cannot show more runs.
const (
	MaxCommits = 60 // for all benchmarks and environments together
	MaxRuns    = 30 // for each series
)

// Options select the medians to read.
type Options struct {
	Tip    string                                          // last commit of the history; "" means HEAD
	Trial  string                                          // a trial to leave out, or ""
	Wanted func(target string, id record.BenchmarkID) bool // nil selects all benchmarks
}

// Of returns the newest medians in the store along the first parents of opt.Tip or HEAD. If opt.Tip
// is set, h.ToBase is set, too.
func Of(ctx context.Context, a *workspace.Session, opt Options) (h *github.Histories, err error) {
	h, _, err = read(ctx, a, opt)
	return h, err
}

// read does the work of [Of]. It also returns the commits with medians, oldest first.
func read(ctx context.Context, a *workspace.Session, opt Options) (h *github.Histories, commits []string, err error) {
	lines, err := history.Open(ctx, a, history.Options{Branch: opt.Tip})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	h = &github.Histories{ToBase: opt.Tip != ""}
	measured := map[string]record.Commit{}
	for _, b := range lines.Benchmarks() {
		if opt.Wanted != nil && !opt.Wanted(b.Target, b.BenchmarkID) {
			continue
		}
		more, err := readOne(ctx, lines, b, opt.Trial, measured)
		if err != nil {
			return nil, nil, err
		}
		h.List = append(h.List, more...)
	}
	list := make([]record.Commit, 0, len(measured))
	for _, c := range measured {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b record.Commit) int { return strings.Compare(a.SHA, b.SHA) }) // to get a stable order for commits unknown to Sort
	lines.Sort(list)
	place := map[string]int{}
	for i, c := range list[max(0, len(list)-MaxCommits):] {
		place[c.SHA], commits = i, append(commits, c.SHA)
	}
	for i := range h.List {
		s := &h.List[i]
		s.Points = slices.DeleteFunc(s.Points, func(p github.Point) bool {
			_, newest := place[p.Commit]
			return !newest
		})
		// Put commits of unknown order in the same order in all series.
		slices.SortStableFunc(s.Points, func(a, b github.Point) int { return cmp.Compare(place[a.Commit], place[b.Commit]) })
		s.Points = s.Points[max(0, len(s.Points)-MaxRuns):]
	}
	h.List = slices.DeleteFunc(h.List, func(s github.History) bool { return len(s.Points) == 0 })
	return h, commits, nil
}

// readOne returns a benchmark's series along the first parents, and adds their commits to commits.
func readOne(ctx context.Context, lines *history.Lines, b store.BenchmarkInfo, trial string, commits map[string]record.Commit) (list []github.History, err error) {
	found, err := lines.Read(ctx, b)
	if err != nil {
		return nil, err
	}
	for _, line := range found {
		if !line.First {
			continue
		}
		of := map[string]*record.RunInfo{}
		for _, p := range line.Points {
			of[p.Run.ID] = p.Run
		}
		for _, l := range line.Lines {
			h := github.History{Target: b.Target, BenchmarkID: b.BenchmarkID, Unit: l.Tidied, Environment: l.Environment}
			for _, p := range l.Runs {
				if run := of[p.Run]; p.Commit != "" && (trial == "" || run.Trial != trial) {
					commits[p.Commit] = run.Commit
					h.Points = append(h.Points, github.Point{Commit: p.Commit, Value: p.Value})
				}
			}
			list = append(list, h)
		}
	}
	return list, nil
}
