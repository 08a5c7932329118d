package check

import (
	"context"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
)

// A Reach is what a check would make of a benchmark function.
type Reach struct {
	Target, Package, Name string
	Measured              bool
	Path                  []string // to what changed; or why else it is measured, or is not
}

// Reaches builds both sides of what [Run] would measure, and says of each benchmark function whether it
// would be measured and why. Nothing is measured or stored.
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

// short leaves the package of the benchmark out of the names of a path, and the values of functions,
// behind which the functions stand.
func short(path []string, pkg string) (names []string) {
	for _, name := range path {
		if of, ok := strings.CutSuffix(name, "..inittask"); ok {
			name = "what initialises " + of
		}
		if !strings.HasSuffix(name, "·f") {
			names = append(names, strings.NewReplacer(pkg+"_test.", "", pkg+".", "").Replace(name))
		}
	}
	return names
}

// reachesOf says what becomes of the slots of a target.
func reachesOf(target string, out runner.Outcome, open []runner.Slot) (all []Reach) {
	add := func(s runner.Slot, measured bool, path ...string) {
		all = append(all, Reach{target, s.Package, s.Name(), measured, path})
	}
	told := map[runner.Slot]bool{}
	for _, r := range out.Reached {
		told[r.Slot] = true
		add(r.Slot, true, short(r.Path, r.Slot.Package)...)
	}
	for _, s := range open {
		if !told[s] {
			add(s, true, "what it reaches cannot be told")
		}
	}
	for side, slots := range out.Lacking {
		for _, s := range slots {
			add(s, true, []string{"only head has it", "only base has it"}[side])
		}
	}
	for _, s := range out.Unreached {
		add(s, false, "it reaches no changed code")
	}
	for _, s := range out.Same {
		add(s, false, "the same machine code on both sides")
	}
	return all
}
