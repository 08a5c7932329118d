package check

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
)

// A Reach reports whether a check would measure a benchmark function, and why.
type Reach struct {
	Target, Package, Name string
	Measured              bool
	Path                  []string // call path to the changed code, or another reason for or against measuring
}

// Reaches builds both sides as [Run] does and reports, for each benchmark function, whether it
// would be measured and why. It does not measure or store anything.
func Reaches(ctx context.Context, a *workspace.Session, opt Options) (all []Reach, err error) {
	where, targets, sources, err := opt.locate(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := opt.Flags.CheckBench(ctx, where, targets, opt.Base, opt.Head); err != nil {
		return nil, err
	}
	rules, err := (&check{session: a, where: where, opt: opt}).rulesOf(ctx, opt.Base)
	if err != nil {
		return nil, err
	}
	where, targets = where.Obey(rules, targets, a.Noticef)
	for _, t := range targets {
		plan := opt.Flags.Plan(t, 0, runner.CheckBenchtime)
		plan.Target, plan.CPUs, plan.Engine = t, where.CPUs, a.Engine
		plan.Isolate = plan.Isolate || where.Config.Defaults.Isolate
		err := measure.Spec{Session: a, Where: where, Target: t, Sources: sources}.Checkout(ctx, func(sides []measure.Side) error {
			for _, s := range sides {
				plan.Sides = append(plan.Sides, s.Source)
			}
			out, open, err := runner.Reach(ctx, plan, a.Progress)
			if err == nil {
				all = append(all, reachesOf(t.Name, out, open)...)
			}
			return err
		})
		if err != nil {
			return nil, fault.Build(err)
		}
	}
	return all, nil
}

// short removes the benchmark's package from the names in a path. It also drops the names of
// function values, because those of the functions themselves follow.
func short(path []string, pkg string) (names []string) {
	for _, name := range path {
		if of, ok := strings.CutSuffix(name, "..inittask"); ok {
			name = "the initialization of " + of
		}
		if !strings.HasSuffix(name, "·f") {
			names = append(names, strings.NewReplacer(pkg+"_test.", "", pkg+".", "").Replace(name))
		}
	}
	return names
}

// samenessOf returns what is the same for all of the given slots.
func samenessOf(slots ...program.Slot) compare.Sameness {
	return compare.Sameness(slices.ContainsFunc(slots, program.Slot.Program))
}

// reachesOf returns the Reach of each slot of a target.
func reachesOf(target string, out runner.Outcome, open []program.Slot) (all []Reach) {
	add := func(s program.Slot, measured bool, path ...string) {
		all = append(all, Reach{target, s.Package, s.Name(), measured, path})
	}
	told := map[program.Slot]bool{}
	for _, r := range out.Reached {
		told[r.Slot] = true
		add(r.Slot, true, short(r.Path, r.Slot.Package)...)
	}
	for _, s := range open {
		if !told[s] {
			add(s, true, "unknown whether it reaches changed code")
		}
	}
	for side, slots := range out.Lacking {
		for _, s := range slots {
			add(s, true, []string{"it exists only on head", "it exists only on base"}[side])
		}
	}
	for _, s := range out.Unreached {
		add(s, false, "it reaches no changed code")
	}
	for _, s := range out.Same {
		add(s, false, samenessOf(s).String())
	}
	return all
}
