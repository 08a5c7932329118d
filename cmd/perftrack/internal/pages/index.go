package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Index returns the index. The first call reads the history of every benchmark without a row in the
// database, and also builds the documents of these benchmarks.
func (s *Site) Index(ctx context.Context) (*documents.Index, error) {
	s.making.Lock()
	defer s.making.Unlock()
	if s.index != nil {
		return s.index, nil
	}
	all, err := s.readAll(ctx)
	if err != nil {
		return nil, err
	}
	index := &documents.Index{Meta: s.meta, Environments: s.environments, Benchmarks: make([]documents.BenchmarkRow, len(all)), States: documents.States, Groups: documents.Groups()}
	present := make([]steps.Presence, len(all))
	for i, one := range all {
		index.Benchmarks[i], present[i] = one.row, one.presence
		index.Limits = append(index.Limits, one.limits...)
	}
	ofProfiles, err := s.profileLimits(ctx)
	if err != nil {
		return nil, err
	}
	index.Limits = append(index.Limits, ofProfiles...)
	lost, stale := steps.Gone(present)
	index.Now = documents.NewNow(index.Benchmarks, lost, stale)
	index.Now.Cover(present)
	for _, one := range all {
		if index.Now.Steps += one.unresolved; one.unresolved > 0 {
			index.Now.Unresolved++
		}
	}
	if err := s.addToNow(ctx, &index.Now); err != nil {
		return nil, err
	}
	if newest := s.compared.newest; newest != nil {
		newest.Mark(index.Benchmarks)
	}
	if err := s.markSearched(ctx, index.Benchmarks); err != nil {
		return nil, err
	}
	index.Meta.Damaged = s.noticeDamage()
	s.index = index
	return index, nil
}

// noticeDamage returns the number of damaged runs. For a live site, it also prints a notice about
// them; other commands print one when they end.
func (s *Site) noticeDamage() int {
	n := len(s.db.Damaged())
	if n > 0 && s.opt.Live {
		s.session.Noticef("skipped %s, because the database is damaged: see `perftrack db verify`", reports.Plural(n, "run"))
	}
	return n
}

// markSearched marks the regressions proved or located by bisections, whose runs are not part of
// any history.
func (s *Site) markSearched(ctx context.Context, benchmarks []documents.BenchmarkRow) error {
	all, err := s.lines.Searched(ctx, s.session)
	if err != nil {
		return fault.IO(err)
	}
	for _, p := range all {
		head, found := s.at.Commit(p.Check.Head.SHA), s.at.Commit(cmp.Or(p.Check.Found.Commit, p.Check.Head.SHA))
		if i := s.at.Benchmark(p.Target, p.BenchmarkID); i >= 0 && head >= 0 {
			for k := range p.Check.Rows {
				if row := &p.Check.Rows[k]; row.Verdict == compare.Regressed && !row.Accepted {
					benchmarks[i].MarkSearched(row, head, found)
				}
			}
		}
	}
	return nil
}

// addToNow adds the parts of the current state from other documents.
func (s *Site) addToNow(ctx context.Context, now *documents.Now) (err error) {
	for _, r := range s.runs {
		now.LastRun = max(now.LastRun, s.measured(r))
	}
	if _, err := s.comparisons(ctx); err != nil {
		return err
	}
	if newest := s.compared.newest; newest != nil {
		now.Trial, now.Head, now.LeftOut = newest.Key, newest.Head.SHA, newest.Lost()
		n := newest.Digest().Standing()
		now.Undecided, now.Regressed, now.Decided = n.Undecided+n.Suspect, n.Regressed, n.Decided+n.Accepted
	}
	now.Detects, err = s.detects(ctx)
	return err
}

// A benchmark holds the index's data about one benchmark.
type benchmark struct {
	row        documents.BenchmarkRow
	presence   steps.Presence
	unresolved int
	limits     []documents.LimitRow
	newer      bool // it has a run that its stamp misses, see Keep
}

// readAll reads all benchmarks, GOMAXPROCS of them at a time.
func (s *Site) readAll(ctx context.Context) ([]benchmark, error) {
	names := make([]documents.Named, len(s.benchmarks))
	for i, b := range s.benchmarks {
		names[i] = documents.Named{Target: b.Target, BenchmarkID: b.BenchmarkID}
	}
	paths := documents.Paths(names)
	all := make([]benchmark, len(s.benchmarks))
	before := s.reusable()
	var at documents.Moved
	if before != nil {
		at = before.moved(s)
	}
	var kept map[int]benchmark
	if before == nil && s.opt.Live { // a static site reads all histories anyway, for the documents
		var err error
		if kept, err = s.readRows(ctx); err != nil {
			return nil, err
		}
	}
	s.progress.begin("computing the histories", len(s.benchmarks))
	did := func() {}
	if s.opt.rowsOnly {
		did = s.session.Counting("computing the overview", len(s.benchmarks))
	}
	err := history.EachOf(ctx, len(s.benchmarks), func(ctx context.Context, i int) (err error) {
		all[i], err = s.readOr(ctx, before, at, kept, i)
		all[i].row.Path = paths[i]
		s.progress.add(1)
		did()
		return err
	})
	if err == nil {
		s.noteMade(all)
	}
	return all, err
}

// readOr returns benchmark i from before or kept if its runs are unchanged, and otherwise reads it.
func (s *Site) readOr(ctx context.Context, before *earlier, at documents.Moved, kept map[int]benchmark, i int) (benchmark, error) {
	if one, ok := kept[i]; ok {
		return one, nil
	}
	if before != nil {
		if one, document, ok := before.again(s, at, i); ok {
			s.keepDocument(i, document)
			one.presence.Runs = s.sharedRuns(one.presence.Runs)
			return one, nil
		}
	}
	return s.read(ctx, i)
}

// read reads the histories of benchmark i.
func (s *Site) read(ctx context.Context, i int) (one benchmark, err error) {
	b := s.benchmarks[i]
	histories, err := s.histories(ctx, b)
	if err != nil {
		return one, err
	}
	one.row = documents.BenchmarkRow{ID: s.ids[i], Target: b.Target, Package: b.Package, Suite: b.Suite, Name: b.Name, Scope: b.Kind == record.Scope, Lines: []documents.Row{}}
	one.presence = steps.Presence{Benchmark: i, Target: b.Target, BenchmarkID: b.BenchmarkID}
	for _, h := range histories {
		one.row.Lines = append(one.row.Lines, documents.NewRows(h, s.at)...)
		one.unresolved += documents.Unresolved(h)
		for _, p := range h.Points {
			if h.First && p.Run.Baseline() {
				one.presence.Runs = append(one.presence.Runs, steps.MeasuredAt(*p.Run, s.at.Commit(p.Run.Commit.SHA)))
			}
		}
	}
	one.newer = s.stamps != nil && len(histories) > 0 && s.stamps.Miss(b, histories[0].All)
	one.presence.Runs = s.sharedRuns(one.presence.Runs)
	one.limits = benchmarkLimits(i, histories)
	if !s.opt.rowsOnly {
		s.keep(i, histories)
	}
	return one, nil
}

// sharedRuns returns runs, or an equal list seen before, because most benchmarks are measured by the
// same runs.
func (s *Site) sharedRuns(runs []steps.Measured) []steps.Measured {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if !slices.Equal(runs, s.lastRuns) {
		s.lastRuns = slices.Clip(runs)
	}
	return s.lastRuns
}

// histories returns the histories of a benchmark, beginning with the one on the site's branch.
func (s *Site) histories(ctx context.Context, b store.BenchmarkInfo) ([]documents.History, error) {
	lines, err := s.lines.Read(ctx, b)
	if err != nil {
		return nil, fault.IO(err)
	}
	annotations := s.annotations(b)
	histories := make([]documents.History, len(lines))
	for i, l := range lines {
		histories[i] = documents.History{Series: l.Series, First: l.First, All: l.All, Units: steps.WithCourses(l.Units, l.Lines), Levelled: s.lines.Levelled, Annotations: annotations}
	}
	return histories, nil
}
