package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// allocationUnits lists the units in an allocation profile, with their names in the profile.
var allocationUnits = []struct{ unit, kind string }{{"B/op", "alloc_space"}, {"allocs/op", "alloc_objects"}}

// allocationsAlone reports whether the user asked to explain allocations and not the time.
func (e *explanation) allocationsAlone() bool { return e.opt.Unit != "" }

// functions profiles a Go benchmark on both sides and explains it by its functions.
func (e *explanation) functions(ctx context.Context, row *compare.Row) error {
	if u := e.opt.Unit; u != "" && u != "B/op" && u != "allocs/op" {
		return fault.Usagef("cannot profile %s: use time, B/op or allocs/op", u)
	}
	if err := e.findPackage(ctx); err != nil {
		return err
	}
	c, err := e.measured(ctx)
	if err != nil {
		return err
	}
	row = cmp.Or(row, e.rowOf(c, "sec/op"))
	if row == nil {
		return fault.Data(fmt.Errorf("%s was not timed on both sides: does it exist in both %s and %s?", e.opt.Flags.Bench, record.ShortHash(e.base.SHA), record.ShortHash(e.head.SHA)))
	}
	sides, err := e.profile(ctx, row)
	if err != nil {
		return err
	}
	if !e.allocationsAlone() {
		e.out.Time = row
		e.addTime(sides)
	}
	for _, u := range allocationUnits {
		e.addAllocations(sides, u.unit, u.kind, e.rowOf(c, u.unit))
	}
	if len(e.out.Parts) == 0 {
		return fault.Data(fmt.Errorf("%s allocates nothing on either side", e.opt.Flags.Bench))
	}
	return e.storeProfiles(sides)
}

// findPackage limits the target to the package of the benchmark.
func (e *explanation) findPackage(ctx context.Context) error {
	bench, err := measure.StoredName(ctx, e.db, e.target.Name, strings.TrimPrefix(e.opt.Flags.Bench, "Benchmark"))
	if err != nil {
		return err
	}
	pkg := e.opt.Package
	if pkg == "" {
		spec := e.spec()
		spec.Sources = measure.Sources{Rev: e.head.SHA}
		if pkg, err = bisect.PackageOf(ctx, spec, bench); err != nil {
			return err
		}
	}
	procs, err := measure.ProcsOf(ctx, e.session, e.db, e.target, bench)
	if err != nil {
		return err
	}
	e.target, e.source = measure.AtProcs(e.target, bench, procs)
	e.opt.Flags.Bench, e.opt.Package = bench, pkg
	e.out.Name, e.out.Package = bench, pkg
	e.target.Packages = []string{pkg}
	return nil
}

// measured returns the comparison in the newest trial of both commits with the benchmark. If there
// is no such trial, it measures one in the same way as `perftrack run --against`.
func (e *explanation) measured(ctx context.Context) (*compare.Comparison, error) {
	infos, err := e.db.Runs(ctx, store.Filter{Commit: e.head.SHA, Newest: true})
	if err != nil {
		return nil, fault.IO(err)
	}
	r := &comparison.Resolver{Session: e.session, Where: e.where, DB: e.db}
	for _, info := range infos {
		if info.Trial == "" || info.Side != record.Head || info.Target != e.target.Name || !info.Baseline() {
			continue
		}
		if e.opt.Flags.CPUs != "" && info.Env.Get(record.KeyCPUAffinity) != e.where.CPUs.String() {
			continue
		}
		if inNames := info.Env.Get(record.KeyGOMAXPROCS) == record.ProcsInNames; inNames != (len(e.target.Procs) > 0) {
			continue // different benchmarks, measured at other values of GOMAXPROCS
		}
		base, head, err := r.ReadTrial(ctx, info.Trial)
		if err != nil || len(base.Runs) == 0 || base.Runs[0].Commit.SHA != e.base.SHA || base.Runs[0].Commit.Dirty {
			continue // an incomplete trial, or a trial against another commit
		}
		if c := compare.Compare(base, head, comparison.ConfiguredOptions(e.where)); e.rowOf(c, "sec/op") != nil {
			e.out.Trial = info.Trial
			return c, nil
		}
	}
	e.session.Noticef("no trial of %s and %s has %s: measuring one first, with %d rounds of %s per side",
		record.ShortHash(e.base.SHA), record.ShortHash(e.head.SHA), e.opt.Flags.Bench, cmp.Or(e.opt.Flags.Rounds, runner.TrialRounds), runner.TrialBenchtime)
	flags := e.opt.Flags
	flags.Bench, flags.Suite, flags.Benchtime = gobench.Expression(e.source), "", "" // the user's benchtime is meant for profiling
	spec := e.spec()
	spec.Plan = flags.Plan(e.target, runner.TrialRounds, runner.TrialBenchtime)
	spec.Plan.Share = true
	stored, err := e.measure(ctx, spec)
	if err != nil {
		return nil, err
	}
	e.out.Trial = spec.Trial
	return comparison.CompareTrial(ctx, e.session, measure.Runs(stored))
}

// rowOf returns the benchmark's row for a unit, or nil if a side has no samples in it.
func (e *explanation) rowOf(c *compare.Comparison, unit string) *compare.Row {
	for r := range c.Rows() {
		if r.Unit == unit && r.Kind == record.Bench && r.Target == e.target.Name && r.Package == e.opt.Package && r.Name == e.opt.Flags.Bench && r.Base.N > 0 && r.Head.N > 0 {
			return r
		}
	}
	return nil
}

func (e *explanation) profile(ctx context.Context, row *compare.Row) (sides []runner.FunctionProfile, err error) {
	err = e.spec().Checkout(ctx, func(checkouts []measure.Side) error {
		if err := e.findChanged(ctx, [2]string{checkouts[0].Root(), checkouts[1].Root()}); err != nil {
			return err
		}
		flags := e.opt.Flags
		flags.Bench, flags.Benchtime = gobench.Expression(e.source), cmp.Or(flags.Benchtime, runner.ProfileProcessTime) // instead of the target's settings
		plan := flags.Plan(e.target, 0, "")
		plan.Target, plan.CPUs, plan.Suite, plan.Share = e.target, e.where.CPUs, "", true
		plan.Isolate = plan.Isolate || e.where.Config.Defaults.Isolate
		for _, c := range checkouts {
			plan.Sides = append(plan.Sides, c.Source)
		}
		perOp := time.Duration(1e9 * max(row.Base.Center, row.Head.Center))
		processes := cmp.Or(e.opt.Processes, runner.ProfileProcesses)
		if e.allocationsAlone() {
			processes = 0
		}
		if processes > 0 {
			e.session.Noticef("profiling %s", profilingTakes(len(checkouts), processes, flags.Benchtime))
		}
		release := func() {}
		plan.Built = func() (err error) {
			e.limit.pause()
			release, err = e.session.TakeTurn(ctx, e.limit.resume)
			return err
		}
		defer func() { release() }()
		sides, err = runner.ProfileFunctions(ctx, plan, processes, perOp, e.session.Progress)
		return err
	})
	var failed *build.Error
	if errors.As(err, &failed) {
		err = fault.Build(err)
	}
	return sides, err
}

// profilingTakes describes how long the profiled processes on all sides run. The duration of the
// builds is not known in advance.
func profilingTakes(sides, processes int, benchtime string) string {
	text := fmt.Sprintf("%d processes per side", processes)
	if each, err := time.ParseDuration(benchtime); err == nil {
		text += fmt.Sprintf(" of %v each, so at least %v in addition to the builds", each, time.Duration(sides*processes)*each)
	}
	return text + "; to use fewer, set --processes"
}

func (e *explanation) addTime(sides []runner.FunctionProfile) {
	t := e.out.Time
	var sampled [2]tree.Profile
	for i, side := range sides {
		for _, p := range side.CPU {
			sampled[i].Processes = append(sampled[i].Processes, profiles.Stacks(p, "samples", 1))
		}
	}
	sampled[0].PerOp, sampled[1].PerOp = t.Base.Center, t.Head.Center
	sampled[1].Error = headError(t)
	c := tree.TimeContributors(sampled[0], sampled[1])
	c.Mark(e.isChanged)
	e.out.Parts = append(e.out.Parts, c)
}

// headError returns how far the head's time is above the lower end and below the upper end of its
// confidence interval, according to the base's time and the shift. Both distances are infinite
// without an interval.
func headError(t *compare.Row) [2]float64 {
	s := t.Shift
	lo, hi := s.Lo, s.Hi
	if !s.Absolute {
		lo, hi = t.Base.Center*lo, t.Base.Center*hi
	}
	d := t.Head.Center - t.Base.Center
	if !(lo <= hi) {
		return [2]float64{math.Inf(1), math.Inf(1)}
	}
	return [2]float64{max(0, d-lo), max(0, hi-d)}
}

// addAllocations adds the functions contributing to the allocations, if any.
func (e *explanation) addAllocations(sides []runner.FunctionProfile, unit, kind string, row *compare.Row) {
	perOp := func(s runner.FunctionProfile) []tree.Stack {
		n := float64(s.Operations)
		return append(profiles.Stacks(s.Many, kind, 1/n), profiles.Stacks(s.Few, kind, -1/n)...)
	}
	measured := tree.Pair{Base: math.NaN(), Head: math.NaN()}
	if row != nil {
		measured = tree.Pair{Base: row.Base.Center, Head: row.Head.Center}
	}
	if measured.Base == 0 && measured.Head == 0 {
		return
	}
	if c := tree.AllocationContributors(unit, perOp(sides[0]), perOp(sides[1]), measured); len(c.Parts) > 0 {
		c.Mark(e.isChanged)
		e.out.Parts = append(e.out.Parts, c)
	}
}

// storeProfiles stores the profiles of both sides next to the database, scaled to the same number
// of operations.
func (e *explanation) storeProfiles(sides []runner.FunctionProfile) error {
	of := profiles.Benchmark{Target: e.target.Name, Package: e.opt.Package, Name: e.opt.Flags.Bench, Sides: sides,
		Commits: []string{e.base.SHA, e.head.SHA}, Time: e.session.Now().Unix()}
	if e.out.Time != nil {
		of.PerOp = []float64{e.out.Time.Base.Center, e.out.Time.Head.Center}
	}
	kept, err := of.Write(profiles.Folder(e.database))
	if err != nil {
		return fault.IO(err)
	}
	for _, k := range kept {
		side := record.Head
		if k.Commit == e.base.SHA {
			side = record.Base
		}
		e.out.Profiles = append(e.out.Profiles, explanationreport.ProfileFile{Kind: k.Kind, Side: side, Path: k.Path})
	}
	return nil
}
