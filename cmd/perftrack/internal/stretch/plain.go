package stretch

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A Plain describes the measurement of a backfill or a bisection: every selected benchmark is
// measured on both sides. These commands look at past commits, which may lack a configuration or
// have another one, so the user's configuration travels with the trial.
type Plain struct {
	Dir    string         `json:"dir"` // of the target's module in the repository, with slashes
	Config *config.Config `json:"config"`
}

// PlainOf returns the plain measurement of a target at a place.
func PlainOf(where workspace.Place, t config.Target) (p Plain, err error) {
	dir, err := where.InRepo(where.ModuleDir())
	if err != nil {
		return p, err
	}
	c := *where.Config
	c.Targets, c.Rules = []config.Target{t}, slices.Clone(c.Rules)
	for i := range c.Rules {
		c.Rules[i].Limit = nil // limits judge, and do not affect the measurement
	}
	return Plain{Dir: filepath.ToSlash(dir), Config: &c}, nil
}

// String returns the value of the flag --plain.
func (p Plain) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it consists of names and numbers
	}
	return string(text)
}

// ParsePlain parses the value of the flag --plain.
func ParsePlain(text string) (*Plain, error) {
	var p Plain
	err := json.Unmarshal([]byte(text), &p)
	switch {
	case err != nil:
		return nil, fault.Usagef("--plain: %w", err)
	case p.Config == nil || len(p.Config.Targets) != 1 || !filepath.IsLocal(filepath.FromSlash(p.Dir)):
		return nil, fault.Usagef("--plain must name a folder of the repository and one target")
	}
	return &p, nil
}

// spec returns the specification of the measurement in the repository around a place.
func (p Plain) spec(a *workspace.Session, where workspace.Place, opt Options) (measure.Spec, error) {
	where.Config = p.Config
	where.ConfigPath = filepath.Join(where.Repo.Root(), filepath.FromSlash(p.Dir), config.FileName)
	target := p.Config.Targets[0]
	if target.Name != opt.Target {
		return measure.Spec{}, fault.Usage(fmt.Errorf("--plain describes target %s, not %s", target.Name, opt.Target))
	}
	plan := opt.Flags.Plan(target, 0, runner.TrialBenchtime)
	plan.Rounds = 1 // each order sets its own
	plan.Chosen = map[program.Slot]slicing.Method{}
	return measure.Spec{
		Session: a, Where: where, Target: target, Trial: opt.Trial, Plan: plan, BothSides: true,
		Sources: measure.Sources{Rev: opt.Head, Beside: opt.Base},
	}, where.Pin(opt.Flags.CPUs)
}
