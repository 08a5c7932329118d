package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options select the difference to explain. Zero values mean the target's settings or else the
// defaults.
type Options struct {
	Target    string
	Package   string        // package of the benchmark, if its name is ambiguous
	Unit      string        // B/op or allocs/op to explain only allocations; "" to explain time as well
	Processes int           // number of processes per side under the CPU profiler
	Budget    time.Duration // time for all explanations together; 0 means no limit
	// Report is called for each regression handled by Regressed, with its explanation x or, if x is
	// nil, the reason for its absence. A program printing its scopes is explained only once, for
	// the largest of its regressions. Report may be nil.
	Report func(r *compare.Row, x *explanationreport.Explanation, reason string)
	// Flags names one benchmark, as shown in the history, or a suite whose scopes are compared.
	// Benchtime applies to the profiled processes, and Rounds to the measurement unless one is
	// stored.
	Flags measure.Flags

	limit *limit
}

// Between explains how a benchmark differs between two revisions. It takes the benchmark's times
// from the newest stored trial of the revisions or measures a new one. Then it profiles both
// revisions in separate processes, and keeps the profiles next to the database.
func Between(ctx context.Context, a *workspace.Session, base, head string, opt Options) (*explanationreport.Explanation, error) {
	return opt.limited(ctx, func(ctx context.Context, opt Options) (*explanationreport.Explanation, error) {
		return between(ctx, a, base, head, opt)
	})
}

func between(ctx context.Context, a *workspace.Session, base, head string, opt Options) (out *explanationreport.Explanation, err error) {
	e, closeAll, err := openExplanation(ctx, a, opt)
	if errors.Is(err, errNoName) {
		return nil, fault.Usagef("%w%s", err, candidates(ctx, a, base, head))
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if err := e.resolve(ctx, base, head); err != nil {
		return nil, err
	}
	return e.explain(ctx, nil)
}

// errNoName is returned if the user named no benchmark or suite.
var errNoName = errors.New("nothing to explain: name a benchmark with --bench, or a profile of scopes with --suite")

// candidates lists benchmarks for the user to choose from: the regressions between the two
// revisions or else those in the newest trial, largest change first. It returns "" if there are no
// regressions in either.
func candidates(ctx context.Context, a *workspace.Session, base, head string) string {
	for _, in := range []struct {
		where string
		words []string
	}{{fmt.Sprintf("between %s and %s", base, head), []string{base, head}}, {"in the newest trial", nil}} {
		c, err := comparison.Compare(ctx, a, in.words)
		if err != nil {
			continue // the user did not request this comparison, so a missing run is not an error
		}
		var names []string
		for _, r := range regressedRows(c) {
			names = append(names, r.Name)
		}
		if len(names) > 0 {
			return "; regressed " + in.where + ": " + fault.SomeOf(names, ", ")
		}
	}
	return ""
}

// maxExplained is the maximum number of regressions explained for one comparison.
const maxExplained = 5

// Regressed explains the regressions in a comparison, at most five of them, largest first. It
// ignores the benchmark named in opt. If a regression cannot be explained, Regressed prints a
// notice. It waits for its turn to measure, so it must not be called before a check has ended. If
// it is interrupted, it returns the explanations so far along with the error.
func Regressed(ctx context.Context, a *workspace.Session, c *compare.Comparison, opt Options) (all []*explanationreport.Explanation, err error) {
	rows, err := explainableRows(ctx, a, c)
	if err != nil {
		return nil, err
	}
	tell := func(r *compare.Row, x *explanationreport.Explanation, reason string) {
		if opt.Report != nil {
			opt.Report(r, x, reason)
		}
	}
	if len(rows) > maxExplained {
		a.Noticef("explaining only the %d largest of %d regressions; for another one: perftrack explain BASE HEAD --bench NAME", maxExplained, len(rows))
		for _, r := range rows[maxExplained:] {
			tell(r, nil, fmt.Sprintf("only the %d largest regressions are explained", maxExplained))
		}
		rows = rows[:maxExplained]
	}
	unexplained := func(r *compare.Row, why string) {
		a.Noticef("could not explain %s: %s", r.Name, why)
		tell(r, nil, why)
	}
	within, limit := newLimit(ctx, opt.Budget)
	defer limit.end()
	opt.limit, opt.Flags.Isolate = limit, opt.Flags.Isolate || c.Isolated()
	for _, r := range rows {
		base, head := commitOfTarget(c.Base.Runs, r.Target), commitOfTarget(c.Head.Runs, r.Target)
		one := opt
		one.Target, one.Flags.Bench, one.Package = r.Target, r.Name, r.Package
		if within.Err() == nil {
			a.Noticef("explaining %s", r.Name)
			x, err := explainRow(within, a, base, head, one, r)
			if err == nil {
				all = append(all, x)
				tell(r, x, "")
				continue
			}
			if ctx.Err() != nil {
				return all, errors.Join(err, ctx.Err())
			}
			if within.Err() == nil {
				unexplained(r, err.Error())
				continue
			}
		}
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		unexplained(r, "the budget for explanations, "+compare.ShortDuration(opt.Budget)+", ran out first")
	}
	return all, nil
}

func explainRow(ctx context.Context, a *workspace.Session, base, head record.Commit, opt Options, row *compare.Row) (out *explanationreport.Explanation, err error) {
	switch {
	case base.SHA == "" || head.SHA == "":
		return nil, fault.Usagef("the sides are not two commits")
	case base.Dirty || head.Dirty:
		return nil, fault.Usagef("the work tree has uncommitted changes, but profiles are stored by commit: commit them, then run `perftrack explain %s --bench '%s'`", record.ShortHash(base.SHA), opt.Flags.Bench)
	}
	if row.Unit != "sec/op" {
		opt.Unit, row = row.Unit, nil
	}
	e, closeAll, err := openExplanation(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if err := e.resolve(ctx, base.SHA, head.SHA); err != nil {
		return nil, err
	}
	return e.explain(ctx, row)
}

// explainableRows returns the rows of the regressed benchmarks. A program printing its scopes has a
// single row, because the scopes explain all of its benchmarks together.
func explainableRows(ctx context.Context, a *workspace.Session, c *compare.Comparison) ([]*compare.Row, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	return slices.DeleteFunc(regressedRows(c), func(r *compare.Row) bool {
		t, err := a.ChooseTarget(ctx, where, r.Target)
		if err != nil || t.Kind == config.GoTest {
			return false // the error is reported with the row
		}
		again := known[r.Target]
		known[r.Target] = true
		return again
	}), nil
}

// regressedRows returns the rows of the regressed benchmarks, largest change first. A benchmark
// regressed in both time and memory is listed once, with its time.
func regressedRows(c *compare.Comparison) (rows []*compare.Row) {
	known := map[string]int{}
	for r := range c.Rows() {
		if r.Verdict != compare.Regressed || r.CorrelatedWith != nil || r.Kind == record.Scope {
			continue
		}
		key := r.Target + "\x00" + r.Package + "\x00" + r.Name
		if at, ok := known[key]; ok {
			if r.Unit == "sec/op" {
				rows[at] = r
			}
			continue
		}
		known[key] = len(rows)
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(x, y *compare.Row) int { return cmp.Compare(y.Change(), x.Change()) })
	return rows
}

func commitOfTarget(runs []*record.Run, target string) record.Commit {
	for _, r := range runs {
		if r.Target == target {
			return r.Commit
		}
	}
	return record.Commit{}
}

// An explanation explains one difference between two commits.
type explanation struct {
	session    *workspace.Session
	where      workspace.Place
	opt        Options
	target     config.Target
	source     string // the benchmark's name in the source code
	db         *store.DB
	database   string // path
	base, head gitrepo.Commit
	limit      *limit
	changed    map[string]bool // functions that differ between the commits, see findChanged
	out        *explanationreport.Explanation
}

func openExplanation(ctx context.Context, a *workspace.Session, opt Options) (e *explanation, closeAll func() error, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := where.NeedRepo("there are no revisions to explain"); err != nil {
		return nil, nil, err
	}
	if err := where.Pin(opt.Flags.CPUs); err != nil {
		return nil, nil, err
	}
	e = &explanation{session: a, where: where, opt: opt, limit: opt.limit}
	if err := e.chooseTarget(ctx); err != nil {
		return nil, nil, err
	}
	if e.db, e.database, err = a.OpenForWriting(ctx); err != nil {
		return nil, nil, err
	}
	e.opt.Flags.Hidden = measure.DatabaseFiles(e.database)
	return e, e.db.Close, nil
}

func (e *explanation) chooseTarget(ctx context.Context) (err error) {
	if e.opt.Flags.Bench != "" {
		if err := e.name(ctx); err != nil {
			return err
		}
	}
	if e.target, err = e.session.ChooseTarget(ctx, e.where, e.opt.Target); err != nil {
		return err
	}
	switch {
	case e.target.Kind == config.Engine:
		return fault.Usagef("target %s is built into this perftrack binary and has no other revision to compare with: "+
			"add a target of kind gotest to perftrack.toml, or see this target's scopes with `perftrack profile`", e.target.Name)
	case e.target.Kind == config.GoTest && e.opt.Flags.Bench == "" && e.opt.Flags.Suite == "":
		return fault.Usage(errNoName)
	}
	return nil
}

// name determines the benchmark and its target, to report mistakes before waiting for other
// measurements.
func (e *explanation) name(ctx context.Context) (err error) {
	db, err := e.session.OpenForReading(ctx)
	if errors.Is(err, store.ErrNoDatabase) {
		db, err = nil, nil
	}
	if err != nil {
		return err
	}
	if db != nil {
		defer func() { err = errors.Join(err, db.Close()) }()
	}
	if e.opt.Flags.Bench, err = e.session.OneBenchmark(ctx, e.where, db, e.opt.Flags.Bench); err != nil || e.opt.Target != "" {
		return err
	}
	e.opt.Target, err = e.session.Owner(ctx, e.where, db, e.opt.Flags.Bench)
	return err
}

func (e *explanation) resolve(ctx context.Context, base, head string) (err error) {
	if e.base, err = e.where.Repo.Resolve(ctx, base); err == nil {
		e.head, err = e.where.Repo.Resolve(ctx, head)
	}
	if err != nil {
		return fault.Git(err)
	}
	e.out = &explanationreport.Explanation{
		Target: e.target.Name, Base: measure.CommitOf(e.base), Head: measure.CommitOf(e.head), Labels: [2]string{base, head},
		BenchmarkID: record.BenchmarkID{Kind: record.Bench},
	}
	rules, _, err := e.where.RulesAt(ctx, e.base.SHA)
	if err != nil {
		return err
	}
	var targets []config.Target
	e.where, targets = e.where.Obey(rules, []config.Target{e.target}, e.session.Noticef)
	e.target = targets[0]
	return nil
}

// explain explains a Go benchmark by its functions. It explains a suite, or a program without
// function profiles, by the scopes. row is the benchmark's row with the time, or nil if it is not
// known yet.
func (e *explanation) explain(ctx context.Context, row *compare.Row) (*explanationreport.Explanation, error) {
	if e.base.SHA == e.head.SHA {
		return nil, fault.Usagef("%s and %s are the same commit, %s", e.out.Labels[0], e.out.Labels[1], record.ShortHash(e.base.SHA))
	}
	if e.target.Kind == config.GoTest && e.opt.Flags.Bench != "" {
		if err := e.functions(ctx, row); err != nil {
			return nil, err
		}
	}
	if e.target.Kind != config.GoTest || e.opt.Flags.Suite != "" {
		if err := e.scopes(ctx); err != nil {
			return nil, err
		}
	}
	return e.out, nil
}

// scopes measures the scopes of both sides as a trial and compares them.
func (e *explanation) scopes(ctx context.Context) error {
	spec := e.spec()
	spec.Plan = e.opt.Flags.ScopesPlan(e.target, runner.ProfileTrialRounds)
	stored, err := e.measure(ctx, spec)
	var none *runner.NoScopesError
	if errors.As(err, &none) && e.target.Kind == config.Command {
		return fault.Usagef("%w; perftrack can explain functions only for go test benchmarks (kind gotest)", err)
	}
	if err != nil {
		return err
	}
	var sides [2]*record.Run
	for _, r := range stored {
		sides[measure.SideIndex(r.Side)] = r.Run
	}
	if sides[0] == nil || sides[1] == nil {
		return fault.Build(fmt.Errorf("target %s printed scopes on only one side", e.target.Name))
	}
	parts := tree.ScopeContributors(sides[0], sides[1])
	if len(parts) == 0 {
		return fault.Build(fmt.Errorf("target %s: the sides have no suite of scopes in common", e.target.Name))
	}
	e.out.Trial = cmp.Or(e.out.Trial, spec.Trial)
	e.out.Parts = append(e.out.Parts, parts...)
	return nil
}

// spec returns the specification of a trial with both sides, without the plan.
func (e *explanation) spec() measure.Spec {
	return measure.Spec{
		Session: e.session, Where: e.where, DB: e.db, Database: e.database, Target: e.target,
		Sources: measure.Sources{Rev: e.head.SHA, Beside: e.base.SHA}, Trial: e.session.NewTrialID(),
		Facts: func(r *record.Run) { r.Protocol.Selection = e.opt.Flags.Selection(e.target) },
	}
}

// measure measures and stores a trial. The time spent waiting for its turn to measure does not
// count towards the limit.
func (e *explanation) measure(ctx context.Context, spec measure.Spec) ([]measure.StoredRun, error) {
	return spec.Drive(ctx, func(m *measure.Measurement) error {
		e.limit.pause()
		if err := m.TakeTurn(ctx, e.limit.resume); err != nil {
			return err
		}
		return m.All(ctx, runner.Schedule{})
	})
}
