package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// BisectOptions says what a bisection looks for. Zero values mean the target's
// configuration, and behind it the defaults.
type BisectOptions struct {
	Target     string
	Bench      string // name of one benchmark, as history shows it
	Package    string // of it, where several declare one of that name
	Unit       string // default ns/op
	Benchtime  string
	Timeout    time.Duration
	CPUs       string // list of CPUs to pin to, or AllCPUs; "" is the configuration's
	IntoMerges bool   // if the culprit is a merge, search what it merged
}

// defaultUnit is what is bisected where no unit is named.
const defaultUnit = "ns/op"

// openBisection finds what is measured and opens the database. The caller must call
// close; the lock on measuring is held until then.
func openBisection(ctx context.Context, a *App, opt BisectOptions) (b *bisection, closeAll func() error, err error) {
	where, err := a.place(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := where.needRepo("there is nothing to bisect"); err != nil {
		return nil, nil, err
	}
	return openBisectionAt(ctx, a, where, where, opt)
}

// openBisectionAt opens a bisection of which target and environment are found in another
// place than where the user stands.
func openBisectionAt(ctx context.Context, a *App, where, ground place, opt BisectOptions) (b *bisection, closeAll func() error, err error) {
	if err := where.pin(opt.CPUs); err != nil {
		return nil, nil, err
	}
	b = &bisection{session: a, where: where, ground: ground, opt: opt, dir: bisectDir(where)}
	if b.db, b.database, closeAll, err = a.openMeasuring(ctx); err != nil {
		return nil, nil, err
	}
	if err := ignoreFolder(filepath.Dir(b.dir)); err != nil {
		return nil, nil, errors.Join(err, closeAll())
	}
	return b, closeAll, nil
}

// bisectDir is where all that bisections keep is.
func bisectDir(p place) string { return filepath.Join(p.repo.Root(), ".perftrack", "bisect") }

// ignoreFolder makes .perftrack, which ignores itself for git, where the database is
// elsewhere.
func ignoreFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder of the bisection: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		_, err = f.WriteString("*\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("make folder of the bisection: %w", err)
	}
	return nil
}

// choose finds the target and the package of the benchmark, or takes those that the
// log has.
func (b *bisection) choose(ctx context.Context, bad gitrepo.Commit) (err error) {
	known := b.log.subject()
	if known != nil {
		b.opt.Target = known.Target
	}
	if b.target, err = b.session.oneTarget(ctx, b.ground, b.opt.Target); err != nil {
		if b.ground.dir != b.where.dir {
			err = fmt.Errorf("at the bad end %.12s: %w", bad.SHA, err)
		}
		return err
	}
	if b.target.Kind == config.Engine {
		return usagef("target %s is the engine inside this perftrack binary and has no other revision to bisect", b.target.Name)
	}
	if known != nil {
		if b.opt.CPUs != "" && b.where.cpus.String() != known.CPUs {
			return usagef("the bisection of %s was begun on other CPUs (%s): go on without --cpus, or forget it with `perftrack bisect-helper reset`",
				known.Bench, cmp.Or(known.CPUs, AllCPUs))
		}
		// What was measured until now counts, whatever the configuration says at this commit.
		if b.where.cpus = nil; known.CPUs != "" {
			if b.where.cpus, err = config.ParseCPUs(known.CPUs); err != nil {
				return dataError(fmt.Errorf("read the log of the bisection: %w", err))
			}
		}
		b.subject = *known
	} else if b.subject, err = b.newSubject(ctx, bad); err != nil {
		return err
	}
	if b.subject.Package != "" {
		b.target.Packages = []string{b.subject.Package}
	}
	env, err := runner.Environment(ctx, b.target, b.ground.moduleDir(), b.where.cpus)
	if err != nil {
		return &Error{Kind: "build", Err: err}
	}
	b.env = environmentKey(env)
	return nil
}

// newSubject settles what a new bisection measures.
func (b *bisection) newSubject(ctx context.Context, bad gitrepo.Commit) (s bisectSubject, err error) {
	s = bisectSubject{
		Target: b.target.Name, Bench: strings.TrimPrefix(b.opt.Bench, "Benchmark"), Unit: cmp.Or(b.opt.Unit, defaultUnit),
		Benchtime: cmp.Or(b.opt.Benchtime, b.target.Benchtime, runner.CheckBenchtime),
		CPUs:      b.where.cpus.String(),
		Trial:     bisectTrial + b.session.newTrial(),
	}
	if b.target.Kind != config.GoTest {
		return s, nil
	}
	if s.Package = b.opt.Package; s.Package != "" {
		return s, nil
	}
	err = b.at(ctx, bad, func(dir string) error {
		function, _, _ := strings.Cut(s.Bench, "/")
		pkgs, err := runner.PackagesDeclaring(ctx, dir, b.target.Packages, function)
		switch {
		case err != nil:
			return &Error{Kind: "build", Err: err}
		case len(pkgs) == 0:
			return usagef("no package declares Benchmark%s at %.12s: see `perftrack list benchmarks`", function, bad.SHA)
		case len(pkgs) > 1:
			return usagef("%d packages declare Benchmark%s: choose one with --package: %s", len(pkgs), function, strings.Join(pkgs, " "))
		}
		s.Package = pkgs[0]
		return nil
	})
	return s, err
}

// at calls do with the target's directory in a checkout of a commit.
func (b *bisection) at(ctx context.Context, c gitrepo.Commit, do func(dir string) error) error {
	m := &measuring{session: b.session, where: b.where, target: b.target, database: b.database}
	base := b.where.moduleDir()
	err := m.checkoutRev(ctx, "", c.SHA, base)
	if err == nil {
		err = do(m.sides[0].Dir)
	}
	return errors.Join(err, m.removeWorktrees(ctx))
}

// series is what the two ends, or the culprit and its parent, are compared as.
func (b *bisection) series() compare.SequentialSeries {
	better := -1
	if slices.Contains(higherIsBetter, b.subject.Unit) {
		better = 1
	}
	return compare.SequentialSeries{Unit: b.subject.Unit, Better: better, Threshold: b.where.config.Threshold(b.subject.Bench)}
}

// higherIsBetter are the units that rates have; more than wording does not depend on it.
var higherIsBetter = []string{"MB/s", "B/s", "GFLOPS", "tok/s"}

// contrast measures two commits until they are told apart, or it is clear that they
// cannot be.
func (b *bisection) contrast(ctx context.Context, base, head gitrepo.Commit) (*search.Contrast, error) {
	c := search.NewContrast(b.series())
	used, open := 0, true
	more := func() bool {
		pairs := pairsOf(b.log.valid(), b.env, base.SHA, head.SHA)
		for ; used < len(pairs) && open; used++ {
			open = c.Add(pairs[used][0], pairs[used][1])
		}
		return open
	}
	if !more() {
		return c, nil
	}
	err := b.measure(ctx, base, head, compare.CheckPlan().Last(), more)
	more()
	return c, err
}

// ends measures the two ends against each other.
func (b *bisection) ends(ctx context.Context, good, bad gitrepo.Commit) (*search.Contrast, error) {
	c, err := b.contrast(ctx, good, bad)
	var unmeasurable *unmeasurableError
	if errors.As(err, &unmeasurable) {
		which := "good"
		if unmeasurable.commit == bad.SHA {
			which = "bad"
		}
		err = &Error{Kind: "build", Err: fmt.Errorf("the %s end cannot be measured, choose another one: %w", which, err)}
	}
	return c, err
}

// bisectTrial begins the id of each trial that a bisection measures.
const bisectTrial = "bisect-"

// isApart reports whether a decision tells two commits apart.
func isApart(d compare.SequentialDecision) bool {
	return d.Verdict == compare.Regressed || d.Verdict == compare.Improved
}

// notApart is the error of ends that are not told apart. What was measured stays, so that
// it says what makes the same command measure again.
func (b *bisection) notApart(good, bad gitrepo.Commit, d compare.SequentialDecision) error {
	reason := d.Reason
	if reason == "" {
		reason = fmt.Sprintf("the difference is %s, between %s and %s", reports.Percent(d.Shift.Center), reports.Percent(d.Shift.Lo), reports.Percent(d.Shift.Hi))
	}
	const reset = "`perftrack bisect-helper reset`"
	remedy := "name ends that differ by more than the threshold, or forget what was measured with " + reset
	if d.Verdict == compare.Inconclusive {
		remedy = fmt.Sprintf("measure them anew with a longer --benchtime than %s, or on a quieter machine after %s", b.subject.Benchtime, reset)
		if b.target.Kind == config.Command {
			remedy = "measure them anew on a quieter machine after " + reset
		}
	}
	return dataError(fmt.Errorf("the ends are not told apart: %.12s and %.12s are %s (%s): %s", good.SHA, bad.SHA, d.Verdict, reason, remedy))
}

// ResetBisect forgets all bisections of this repository and what was built for
// them. The runs that they stored stay.
func ResetBisect(ctx context.Context, a *App) error {
	where, err := a.place(ctx)
	if err != nil {
		return err
	}
	if err := where.needRepo("there is no bisection to reset"); err != nil {
		return err
	}
	if err := os.RemoveAll(bisectDir(where)); err != nil {
		return fmt.Errorf("reset bisection: %w", err)
	}
	return nil
}
