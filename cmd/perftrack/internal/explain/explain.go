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

// Options says which difference is explained. Zero values mean the
// target's configuration, and behind it the defaults.
type Options struct {
	Target    string
	Package   string        // of the benchmark, where several declare one of that name
	Unit      string        // B/op or allocs/op: allocations alone, no time
	Processes int           // a side, under the CPU profiler
	Budget    time.Duration // of all that is explained, 0 is no limit
	// Told is told of each regression that Regressed explains, or for which reason it does not:
	// then x is nil. A program that prints its scopes is explained once, at the largest of its
	// regressions. May be nil.
	Told func(r *compare.Row, x *explanationreport.Explanation, reason string)
	// Flags name one benchmark, as history shows it, or a suite whose scopes are compared.
	// Benchtime is that of the profiled processes, Rounds those of a measurement where
	// none is stored.
	Flags measure.Flags

	limit *limit
}

// Between says where the difference of a benchmark between two revisions comes
// from. The time is that of the newest trial of the two that is stored; if there is
// none, they are measured. Then both are profiled in processes of their own. The
// files of the profiles stay beside the database.
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

// errNoName says that nobody named what is to be explained.
var errNoName = errors.New("explain what? Name a benchmark with --bench, or with --suite a profile of scopes")

// candidates says which benchmarks may be meant: those that regressed between the two revisions, or
// else in the newest trial, the largest change first; "" where none did.
func candidates(ctx context.Context, a *workspace.Session, base, head string) string {
	for _, in := range []struct {
		where string
		words []string
	}{{fmt.Sprintf("between %s and %s", base, head), []string{base, head}}, {"in the newest trial", nil}} {
		c, err := comparison.Compare(ctx, a, in.words)
		if err != nil {
			continue // that something is not stored is not what was asked
		}
		var names []string
		for _, r := range regressedRows(c) {
			names = append(names, r.Name)
		}
		if len(names) > 0 {
			return "; " + in.where + " regressed " + fault.SomeOf(names, ", ")
		}
	}
	return ""
}

// maxExplained bounds how many regressions of one comparison are explained.
const maxExplained = 5

// Regressed explains the benchmarks of a comparison that regressed, at most
// five, the largest first; the benchmark that opt names is not used. What cannot be
// explained is told as a notice. It waits for the lock on measuring: a check must
// be over. What was explained is returned beside an error, which only an interruption is.
func Regressed(ctx context.Context, a *workspace.Session, c *compare.Comparison, opt Options) (all []*explanationreport.Explanation, err error) {
	rows, err := explainableRows(ctx, a, c)
	if err != nil {
		return nil, err
	}
	tell := func(r *compare.Row, x *explanationreport.Explanation, reason string) {
		if opt.Told != nil {
			opt.Told(r, x, reason)
		}
	}
	if len(rows) > maxExplained {
		a.Noticef("the %d largest of %d regressions are explained; for another one: perftrack explain BASE HEAD --bench NAME", maxExplained, len(rows))
		for _, r := range rows[maxExplained:] {
			tell(r, nil, fmt.Sprintf("only the %d largest regressions are explained", maxExplained))
		}
		rows = rows[:maxExplained]
	}
	unexplained := func(r *compare.Row, why string) {
		a.Noticef("%s is not explained: %s", r.Name, why)
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
		unexplained(r, "the time for explanations, "+compare.ShortDuration(opt.Budget)+", ended before")
	}
	return all, nil
}

func explainRow(ctx context.Context, a *workspace.Session, base, head record.Commit, opt Options, row *compare.Row) (out *explanationreport.Explanation, err error) {
	switch {
	case base.SHA == "" || head.SHA == "":
		return nil, fault.Usagef("the sides are not two commits")
	case base.Dirty || head.Dirty:
		return nil, fault.Usagef("the work tree has changes that are not in a commit, and profiles are kept by commit: commit them, then `perftrack explain %s --bench '%s'`", record.ShortHash(base.SHA), opt.Flags.Bench)
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

// explainableRows are the benchmarks that regressed. Of a program that prints its
// scopes, these explain all of its benchmarks together: it stands there once.
func explainableRows(ctx context.Context, a *workspace.Session, c *compare.Comparison) ([]*compare.Row, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	return slices.DeleteFunc(regressedRows(c), func(r *compare.Row) bool {
		t, err := a.ChooseTarget(ctx, where, r.Target)
		if err != nil || t.Kind == config.GoTest {
			return false // the error is told of the row
		}
		again := known[r.Target]
		known[r.Target] = true
		return again
	}), nil
}

// regressedRows are the benchmarks that regressed, by falling change; one that
// regressed in time and in memory stands there once.
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
	source     string // the benchmark's name as the source has it
	db         *store.DB
	database   string // path
	base, head gitrepo.Commit
	limit      *limit
	changed    map[string]bool // functions that differ, see findChanged
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
		return fault.Usagef("target %s is the engine inside this perftrack binary and has no other revision to compare with: "+
			"give perftrack.toml a target of kind gotest; `perftrack profile` shows the scopes of this one", e.target.Name)
	case e.target.Kind == config.GoTest && e.opt.Flags.Bench == "" && e.opt.Flags.Suite == "":
		return fault.Usage(errNoName)
	}
	return nil
}

// name finds the one benchmark and the target that has it, before anybody waits to measure.
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

// explain explains by functions where a benchmark is named, and by scopes where a
// suite is, or the functions cannot be seen. Row is the time, if it is known.
func (e *explanation) explain(ctx context.Context, row *compare.Row) (*explanationreport.Explanation, error) {
	if e.base.SHA == e.head.SHA {
		return nil, fault.Usagef("%s and %s are one commit, %s", e.out.Labels[0], e.out.Labels[1], record.ShortHash(e.base.SHA))
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

// scopes measures the scopes of both sides, as a trial, and compares them.
func (e *explanation) scopes(ctx context.Context) error {
	spec := e.spec()
	spec.Plan = e.opt.Flags.ScopesPlan(e.target, runner.ProfileTrialRounds)
	stored, err := e.measure(ctx, spec)
	var none *runner.NoScopesError
	if errors.As(err, &none) && e.target.Kind == config.Command {
		return fault.Usagef("%w; its functions perftrack cannot see, as it is of kind command: those of a go test benchmark (kind gotest) it can", err)
	}
	if err != nil {
		return err
	}
	var sides [2]*record.Run
	for _, r := range stored {
		sides[measure.SideIndex(r.Side)] = r.Run
	}
	if sides[0] == nil || sides[1] == nil {
		return fault.Build(fmt.Errorf("target %s printed scopes on one side only", e.target.Name))
	}
	parts := tree.ScopeContributors(sides[0], sides[1])
	if len(parts) == 0 {
		return fault.Build(fmt.Errorf("target %s: the sides have no suite of scopes in common", e.target.Name))
	}
	e.out.Trial = cmp.Or(e.out.Trial, spec.Trial)
	e.out.Parts = append(e.out.Parts, parts...)
	return nil
}

// spec is the specification of a trial of the two sides, but for the plan.
func (e *explanation) spec() measure.Spec {
	return measure.Spec{
		Session: e.session, Where: e.where, DB: e.db, Database: e.database, Target: e.target,
		Sources: measure.Sources{Rev: e.head.SHA, Beside: e.base.SHA}, Trial: e.session.NewTrialID(),
		Facts: func(r *record.Run) { compare.SetSelection(r, e.opt.Flags.Selection(e.target)) },
	}
}

// measure measures and stores a trial. The wait for the turn is not part of the limit.
func (e *explanation) measure(ctx context.Context, spec measure.Spec) ([]measure.StoredRun, error) {
	return spec.Drive(ctx, func(m *measure.Measurement) error {
		e.limit.pause()
		if err := m.TakeTurn(ctx, e.limit.resume); err != nil {
			return err
		}
		return m.All(ctx, runner.Schedule{})
	})
}
