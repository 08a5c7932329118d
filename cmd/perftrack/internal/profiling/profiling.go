// Package profiling profiles the benchmarks of Go packages: which functions take their time and
// their memory. Nothing of it becomes a point of a history. Profiles of commits are kept beside
// the database, see package profiles.
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
	"github.com/perftrack/perftrack/runner/record"
)

// DefaultBudget is how long all benchmarks of a call are profiled; the one at hand ends.
const DefaultBudget = 5 * time.Minute

// Options says what is profiled.
type Options struct {
	Targets []string
	Rev     string        // this revision instead of the work tree
	Base    string        // and beside it this one
	Budget  time.Duration // 0 is DefaultBudget
	// Flags name the benchmarks; their rounds are the processes of each under the CPU profiler.
	Flags measure.Flags
}

// A Result is what was profiled: the report's part, and the profiles, in the order of
// the benchmarks.
type Result struct {
	functions.Result
	Profiles []profiles.Profile
}

// Run profiles the benchmarks of the targets. What was profiled is returned beside an error:
// ctx was cancelled, or some benchmark failed.
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
		sources.Rev = cmp.Or(opt.Rev, "HEAD") // profiles are compared by commit
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
		return res, fault.Build(fmt.Errorf("%s could not be profiled, see above", reports.Plural(failed(res.Failures), "benchmark")))
	case len(res.Benchmarks) == 0:
		return res, unmatched
	}
	return res, nil
}

// ofGo are the targets of which nobody has to say that they are meant: those whose functions can be
// seen, if there is one.
func ofGo(targets []config.Target) []config.Target {
	all := slices.DeleteFunc(slices.Clone(targets), func(t config.Target) bool { return t.Kind != config.GoTest })
	if len(all) == 0 {
		return targets
	}
	return all
}

// differ refuses to compare a commit with itself.
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
		return fault.Usagef("%s and %s are one commit, %s", base, head, record.ShortHash(b.SHA))
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

// target profiles the benchmarks of a target.
func (p *profiler) target(ctx context.Context, t config.Target, where workspace.Place, sides []measure.Side) error {
	flags := p.opt.Flags
	flags.Benchtime = cmp.Or(flags.Benchtime, runner.ProfileProcessTime) // not the target's
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
		p.res.LeftWhy = "the budget of " + compare.ShortDuration(cmp.Or(p.opt.Budget, DefaultBudget)) + " ended (--budget, or --bench for fewer)"
		if ctx.Err() != nil {
			p.res.LeftWhy = "interrupted"
		}
	}
	return cmp.Or(broken, err)
}

// reason is why a benchmark could not be profiled, in one line: of a process that failed what it
// printed, as perftrack run says it.
func reason(err error) string {
	var failed *build.Error
	if errors.As(err, &failed) {
		return strings.TrimSpace(fault.FirstLine(failed.Err) + ": " + runner.ReasonLine(failed.Output))
	}
	return fault.FirstLine(err)
}

// failed is how many benchmarks could not be profiled. One that skips itself did not fail.
func failed(all []functions.Failure) (n int) {
	for _, f := range all {
		if f.Reason != runner.Skipped {
			n++
		}
	}
	return n
}

// add adds what was profiled of a benchmark, and keeps it where it is of commits.
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

// Fill fills what profiles say of a benchmark, whose commits it has: of the only one, or of
// base and head.
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
