// Package profiling profiles the functions in Go benchmarks by time and memory. Profiles are not
// points in a history. The profiles of commits are kept next to the database, see package profiles.
package profiling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/functions"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/record"
)

// DefaultBudget is the default time for all benchmarks in a call. The last benchmark may exceed it.
const DefaultBudget = 5 * time.Minute

// Options select the benchmarks and the sources to profile.
type Options struct {
	Targets []string
	Rev     string        // profile this revision instead of the work tree
	Base    string        // if not "", also profile this revision and compare Rev or HEAD with it
	Budget  time.Duration // 0 means DefaultBudget
	// Flags select the benchmarks. Rounds is the number of processes per benchmark under the CPU
	// profiler.
	Flags measure.Flags
}

// A Result holds the content of the report and the profiles, in the order of the benchmarks.
type Result struct {
	functions.Result
	Profiles []profiles.Profile
}

// Run profiles the benchmarks in the targets. If ctx is canceled or a benchmark fails, it returns
// the finished profiles along with the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	if len(opt.Targets) == 0 {
		targets = ofGo(targets)
	}
	for _, t := range targets {
		if t.Kind != config.GoTest {
			return res, fault.Usage(&runner.NoFunctionsError{Target: t.Name, Kind: t.Kind})
		}
	}
	sources := measure.Sources{Rev: opt.Rev, Beside: opt.Base}
	if opt.Base != "" {
		sources.Rev = cmp.Or(opt.Rev, "HEAD") // because profiles are compared by commit
	}
	if err := sources.CheckTargets(targets); err != nil {
		return res, err
	}
	if opt.Base != "" {
		if err := differ(ctx, where, opt.Base, sources.Rev); err != nil {
			return res, err
		}
	}
	revs := []string{sources.Rev}
	if opt.Base != "" {
		revs = append(revs, opt.Base)
	}
	if err := opt.Flags.CheckBench(ctx, where, targets, revs...); err != nil {
		return res, err
	}
	db, database, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	p := &profiler{session: a, opt: opt, res: &res, end: a.Now().Add(cmp.Or(opt.Budget, DefaultBudget)), dir: profiles.Folder(database)}
	unmatched, err := workspace.EachTarget(targets, func(t config.Target) error {
		spec := measure.Spec{Session: a, Where: where, Database: database, Target: t, Sources: sources}
		return spec.Checkout(ctx, func(sides []measure.Side) error { return p.target(ctx, t, where, sides) })
	})
	if unbuilt := new(build.Error); errors.As(err, &unbuilt) {
		err = fault.Build(err)
	}
	switch {
	case err != nil:
		return res, err
	case failed(res.Failures) > 0:
		return res, fault.Build(fmt.Errorf("%s could not be profiled; see above", reports.Plural(failed(res.Failures), "benchmark")))
	case len(res.Benchmarks) == 0:
		return res, unmatched
	}
	return res, nil
}

// ofGo returns the targets to profile by default: the Go targets, or all targets if none is Go.
func ofGo(targets []config.Target) []config.Target {
	all := slices.DeleteFunc(slices.Clone(targets), func(t config.Target) bool { return t.Kind != config.GoTest })
	if len(all) == 0 {
		return targets
	}
	return all
}

// differ returns an error if base and head are the same commit.
func differ(ctx context.Context, where workspace.Place, base, head string) error {
	if err := where.NeedRepo("there are no revisions to compare"); err != nil {
		return err
	}
	b, err := where.Repo.Resolve(ctx, base)
	if err != nil {
		return fault.Git(err)
	}
	h, err := where.Repo.Resolve(ctx, head)
	if err != nil {
		return fault.Git(err)
	}
	if b.SHA == h.SHA {
		return fault.Usagef("%s and %s are the same commit, %s", base, head, record.ShortHash(b.SHA))
	}
	return nil
}

// A profiler is one call of Run.
type profiler struct {
	session *workspace.Session
	opt     Options
	res     *Result
	end     time.Time
	dir     string
}

// target profiles the benchmarks in a target.
func (p *profiler) target(ctx context.Context, t config.Target, where workspace.Place, sides []measure.Side) error {
	flags := p.opt.Flags
	flags.Benchtime = cmp.Or(flags.Benchtime, runner.ProfileProcessTime) // the target's benchtime does not apply
	plan := flags.Plan(t, 0, "")
	plan.Target, plan.CPUs, plan.Suite = t, where.CPUs, ""
	plan.Isolate = plan.Isolate || where.Config.Defaults.Isolate
	for _, s := range sides {
		plan.Sides = append(plan.Sides, s.Source)
	}
	release := func() {}
	plan.Built = func() (err error) {
		release, err = p.session.TakeTurn(ctx, func(waited time.Duration) time.Time {
			p.end = p.end.Add(waited)
			return p.end
		})
		return err
	}
	defer func() { release() }()
	var broken error
	left, err := runner.ProfileBenchmarks(ctx, plan, cmp.Or(flags.Rounds, runner.EachProcesses), func(b runner.BenchmarkProfile) bool {
		if b.Err != nil {
			p.res.Failures = append(p.res.Failures, functions.Failure{Name: b.String(), Reason: reason(b.Err)})
		} else if broken = p.add(t, b, sides); broken != nil {
			return false
		}
		return p.session.Now().Before(p.end)
	}, p.session.Progress)
	for _, slot := range left {
		p.res.Left = append(p.res.Left, slot.String())
		p.res.LeftWhy = "the budget of " + compare.ShortDuration(cmp.Or(p.opt.Budget, DefaultBudget)) + " ran out (raise --budget, or select fewer with --bench)"
		if ctx.Err() != nil {
			p.res.LeftWhy = "interrupted"
		}
	}
	return cmp.Or(broken, err)
}

// reason returns the reason why a benchmark could not be profiled, on one line. For a failed
// process, it is the same line as in perftrack run.
func reason(err error) string {
	var failed *build.Error
	if errors.As(err, &failed) {
		return strings.TrimSpace(fault.FirstLine(failed.Err) + ": " + gobench.ReasonLine(failed.Output))
	}
	return fault.FirstLine(err)
}

// failed returns the number of benchmarks without a profile. Skipped benchmarks do not count.
func failed(all []functions.Failure) (n int) {
	for _, f := range all {
		if f.Reason != runner.Skipped {
			n++
		}
	}
	return n
}

// add adds a benchmark's profiles to the result. It also stores them if all sides are clean
// commits.
func (p *profiler) add(t config.Target, b runner.BenchmarkProfile, sides []measure.Side) error {
	of := profiles.Benchmark{Target: t.Name, Package: b.Package, Name: b.Name(), Sides: b.Sides, Time: p.session.Now().Unix()}
	shown := &functions.Benchmark{Target: t.Name, BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: b.Package, Name: b.Name()}}
	ofCommits := true
	for _, s := range sides {
		of.Commits = append(of.Commits, s.Commit.SHA)
		shown.Commits = append(shown.Commits, s.Commit)
		ofCommits = ofCommits && s.Commit.SHA != "" && !s.Commit.Dirty
	}
	all, err := of.Profiles()
	if ofCommits && err == nil {
		if all, err = of.Write(p.dir); err != nil {
			err = fault.IO(err)
		}
	}
	if err != nil {
		return err
	}
	Fill(shown, all)
	p.res.Profiles = append(p.res.Profiles, all...)
	p.res.Benchmarks = append(p.res.Benchmarks, shown)
	return nil
}

// Fill copies a benchmark's profiles into b. all holds the profiles at b's only commit, or at base
// and head.
func Fill(b *functions.Benchmark, all []profiles.Profile) {
	b.Time, b.Samples = profiles.Time(all)
	b.Bytes, b.Objects = profiles.Allocations(all, profiles.Bytes), profiles.Allocations(all, profiles.Objects)
	b.Memory = make([]functions.Memory, len(b.Commits))
	for _, p := range all {
		side, m := record.Head, &b.Memory[len(b.Commits)-1]
		if len(b.Commits) == 2 && p.Base == "" {
			side, m = record.Base, &b.Memory[0]
		}
		switch p.Kind {
		case profiles.CPU:
			m.Resident = p.Resident
		case profiles.Allocs:
			m.Collections, m.Operations = p.Collections, int(p.Operations)
		}
		if p.Path != "" {
			b.Files = append(b.Files, functions.File{Kind: p.Kind, Side: side, Path: p.Path})
		}
	}
}
