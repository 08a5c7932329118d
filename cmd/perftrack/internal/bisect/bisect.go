package bisect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// Options selects the benchmark and the settings of a bisection.
type Options struct {
	Target     string
	Package    string // package of the benchmark, if its name is ambiguous
	Unit       string // "" means ns/op
	IntoMerges bool   // if the culprit is a merge, continue in the merged branch
	Workers    remote.Workers
	// Flags selects one benchmark by its name in the history. Suite and Rounds are ignored.
	Flags measure.Flags
}

// defaultUnit is the unit to bisect by default.
const defaultUnit = "ns/op"

// openBisection determines the subject and opens the database. The caller must call closeAll, which
// releases the lock on measuring.
func openBisection(ctx context.Context, a *workspace.Session, opt Options) (b *bisection, closeAll func() error, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := where.NeedRepo("there is nothing to bisect"); err != nil {
		return nil, nil, err
	}
	return openBisectionAt(ctx, a, where, where, opt)
}

// openBisectionAt is like openBisection, but determines the target and the environment at ground.
func openBisectionAt(ctx context.Context, a *workspace.Session, where, ground workspace.Place, opt Options) (b *bisection, closeAll func() error, err error) {
	if err := where.Pin(opt.Flags.CPUs); err != nil {
		return nil, nil, err
	}
	b = &bisection{Session: a, Where: where, ground: ground, Opt: opt, Dir: bisectDir(where)}
	release := func() {}
	if !b.counts() && !b.onWorkers() { // the turn also keeps concurrent searches from writing to the same log
		if release, err = a.TakeTurn(ctx, nil); err != nil {
			return nil, nil, err
		}
	}
	if b.DB, b.Database, err = a.OpenForWriting(ctx); err != nil {
		release()
		return nil, nil, err
	}
	closeAll = func() error { defer release(); return b.DB.Close() }
	if err := ignoreFolder(filepath.Dir(b.Dir)); err != nil {
		return nil, nil, errors.Join(err, closeAll())
	}
	return b, closeAll, nil
}

// counts reports whether the search only measures counts, which other measurements do not disturb.
// If the options continue the stored search, it reports on that search.
func (b *bisection) counts() bool {
	unit := b.Opt.Unit
	if s := b.continued(); s != nil && unit == "" {
		unit = s.Unit
	}
	return unit == "allocs/op" || unit == "B/op"
}

// continued returns the subject of the stored search if the options continue it, or else nil.
func (b *bisection) continued() *Subject {
	if b.Opt.Flags.Bench != "" {
		return nil
	}
	log, err := readBisectLog(filepath.Join(b.Dir, autoLog))
	if err != nil {
		return nil
	}
	return log.subject()
}

// bisectDir returns the directory for the files of all bisections.
func bisectDir(p workspace.Place) string { return filepath.Join(p.Repo.Root(), ".perftrack", "bisect") }

// ignoreFolder creates the directory .perftrack, given as dir, with a .gitignore to make git ignore
// it. This is needed if the database is elsewhere.
func ignoreFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create folder for the bisection: %w", err)
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
		return fmt.Errorf("create folder for the bisection: %w", err)
	}
	return nil
}

// choose determines the target and the package of the benchmark, or takes them from the log.
func (b *bisection) choose(ctx context.Context, bad gitrepo.Commit) (err error) {
	known := b.log.subject()
	if known != nil {
		b.Opt.Target = known.Target
	}
	if b.Opt.Flags.Bench != "" {
		if b.Opt.Flags.Bench, err = b.Session.OneBenchmark(ctx, b.ground, b.DB, b.Opt.Flags.Bench); err != nil {
			return err
		}
	}
	if b.Opt.Target == "" {
		if b.Opt.Target, err = b.Session.Owner(ctx, b.ground, b.DB, b.Opt.Flags.Bench); err != nil {
			return err
		}
	}
	if b.Target, err = b.Session.ChooseTarget(ctx, b.ground, b.Opt.Target); err != nil {
		if b.ground.Dir != b.Where.Dir {
			err = fmt.Errorf("at the bad end %s: %w", record.ShortHash(bad.SHA), err)
		}
		return err
	}
	if b.Target.Kind == config.Engine {
		return fault.Usagef("target %s is built into this perftrack binary and has no other revisions to bisect", b.Target.Name)
	}
	if known != nil {
		if b.Opt.Flags.CPUs != "" && b.Where.CPUs.String() != known.CPUs {
			return fault.Usagef("the bisection of %s was started on other CPUs (%s): continue without --cpus, or forget it with `perftrack bisect-helper reset`",
				known.Bench, cmp.Or(known.CPUs, workspace.AllCPUs))
		}
		// Use the logged CPUs, not the configured ones, so that earlier measurements count.
		b.Opt.Workers.Class, b.Opt.Workers.URL = known.Workers, cmp.Or(b.Opt.Workers.URL, known.Repo)
		if b.Where.CPUs = nil; known.CPUs != "" {
			if b.Where.CPUs, err = config.ParseCPUs(known.CPUs); err != nil {
				return fault.Data(fmt.Errorf("read bisection log: %w", err))
			}
		}
		b.Subject = *known
	} else if b.Subject, err = b.newSubject(ctx, bad); err != nil {
		return err
	}
	if b.Subject.Package != "" {
		b.Target.Packages = []string{b.Subject.Package}
	}
	b.Target, b.source = measure.AtProcs(b.Target, b.Subject.Bench, b.Subject.Procs)
	env := classSettings(b.Subject.Workers)
	if b.Subject.Workers == "" {
		if env, err = program.Environment(ctx, b.Target, b.ground.ModuleDir(), b.Where.CPUs); err != nil {
			return fault.Build(err)
		}
	}
	b.env = environmentKey(env)
	return nil
}

// newSubject determines the subject of a new bisection.
func (b *bisection) newSubject(ctx context.Context, bad gitrepo.Commit) (s Subject, err error) {
	s = Subject{
		Target: b.Target.Name, Bench: strings.TrimPrefix(b.Opt.Flags.Bench, "Benchmark"), Unit: cmp.Or(b.Opt.Unit, defaultUnit),
		Benchtime: cmp.Or(b.Opt.Flags.Benchtime, b.Target.Benchtime, runner.CheckBenchtime),
		CPUs:      b.Where.CPUs.String(),
		Workers:   b.Opt.Workers.Class,
		Repo:      b.Opt.Workers.URL,
		Trial:     workspace.BisectTrialPrefix + b.Session.NewTrialID(),
	}
	if s.Workers != "" {
		s.CPUs = "" // each worker has its own
	}
	if b.Target.Kind != config.GoTest {
		return s, nil
	}
	if s.Bench, err = measure.StoredName(ctx, b.DB, s.Target, s.Bench); err != nil {
		return s, err
	}
	if s.Procs, err = measure.ProcsOf(ctx, b.Session, b.DB, b.Target, s.Bench); err != nil {
		return s, err
	}
	if s.Package = b.Opt.Package; s.Package != "" {
		return s, nil
	}
	s.Package, err = PackageOf(ctx, b.spec(measure.Sources{Rev: bad.SHA}), s.Bench)
	return s, err
}

// PackageOf returns the package of a benchmark, in spec's target and at spec's commit.
func PackageOf(ctx context.Context, spec measure.Spec, bench string) (pkg string, err error) {
	function, _, _ := strings.Cut(bench, "/")
	function = record.WithoutProcs(function) // the name of a Go function contains no -
	err = spec.Checkout(ctx, func(sides []measure.Side) error {
		pkgs, err := gotool.PackagesDeclaring(ctx, sides[0].Source.Dir, spec.Target.Packages, function)
		switch {
		case err != nil:
			return fault.Build(err)
		case len(pkgs) == 0:
			return fault.Usagef("no package declares Benchmark%s at %s: see `perftrack list benchmarks`", function, record.ShortHash(spec.Sources.Rev))
		case len(pkgs) > 1:
			return fault.Usagef("%d packages declare Benchmark%s: choose one with --package: %s", len(pkgs), function, strings.Join(pkgs, " "))
		}
		pkg = pkgs[0]
		return nil
	})
	return pkg, err
}

// newContrast returns an empty contrast for two commits: the two ends, or the culprit and its
// parent.
func (b *bisection) newContrast() *search.Contrast {
	better := -1
	if slices.Contains(HigherIsBetter, b.Subject.Unit) {
		better = 1
	}
	better = cmp.Or(b.Where.Config.Better(b.Subject.Bench, b.Subject.Unit), better)
	return search.NewContrast(b.Subject.Unit, better, b.Where.Config.Threshold(b.Subject.Bench))
}

// HigherIsBetter lists the units in which higher values are better. All of them are rates.
var HigherIsBetter = []string{"MB/s", "B/s", "GFLOPS", "tok/s"}

// contrast measures two commits until it can distinguish them or more pairs would not help.
func (b *bisection) contrast(ctx context.Context, base, head gitrepo.Commit) (*search.Contrast, error) {
	c := b.newContrast()
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
	err := b.measure(ctx, base, head, stat.CheckPlan().Last(), more)
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
		err = fault.Build(fmt.Errorf("the %s end cannot be measured; choose another one: %w", which, err))
	}
	return c, err
}

// distinguishes reports whether a decision finds a difference between two commits.
func distinguishes(d compare.Decision) bool {
	return d.Verdict == compare.Regressed || d.Verdict == compare.Improved
}

// indistinct returns the error for ends that cannot be distinguished. Their samples stay stored, so
// the error also explains how to measure again.
func (b *bisection) indistinct(good, bad gitrepo.Commit, d compare.Decision) error {
	reason := d.Reason
	if reason == "" {
		reason = fmt.Sprintf("the difference is %s, between %s and %s", reports.Percent(d.Shift.Center), reports.Percent(d.Shift.Lo), reports.Percent(d.Shift.Hi))
	}
	const reset = "`perftrack bisect-helper reset`"
	remedy := "choose ends that differ by more than the threshold, or forget the samples with " + reset
	if d.Verdict == compare.Inconclusive {
		remedy = fmt.Sprintf("measure them again with a longer --benchtime than %s, or on a quieter machine after %s", b.Subject.Benchtime, reset)
		if b.Target.Kind == config.Command {
			remedy = "measure them again on a quieter machine after " + reset
		}
	}
	return fault.Data(fmt.Errorf("the ends cannot be distinguished: %s and %s are %s (%s): %s", record.ShortHash(good.SHA), record.ShortHash(bad.SHA), d.Verdict, reason, remedy))
}

// Reset removes all bisections of this repository and their builds. It keeps stored runs.
func Reset(ctx context.Context, a *workspace.Session) error {
	where, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if err := where.NeedRepo("there is no bisection to reset"); err != nil {
		return err
	}
	if err := os.RemoveAll(bisectDir(where)); err != nil {
		return fmt.Errorf("reset bisection: %w", err)
	}
	return nil
}
