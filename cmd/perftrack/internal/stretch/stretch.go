// Package stretch measures stretches of rounds of one trial for a fleet, whose other machines
// measure the other rounds. It decides and stores nothing: the coordinator does.
//
// Begin with [Serve], the worker's side of `perftrack rounds`.
package stretch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Options select the trial and its target.
type Options struct {
	Base, Head string // revisions
	Trial      string // id of the trial, on which the order of the sides in each round depends
	Target     string
	All        bool   // also measure benchmarks that reach no changed code
	Plain      *Plain // measure without the rules of a check; may be nil
	Flags      measure.Flags
}

// An Order asks for a stretch.
type Order struct {
	First   int      `json:"first"`
	Last    int      `json:"last"`
	Seconds float64  `json:"seconds,omitempty"` // begin no further round after this time; 0 means no limit
	Closed  []string `json:"closed,omitempty"`  // decided benchmarks, which need no more rounds
	Only    []string `json:"only,omitempty"`    // measure no other benchmarks; nil means all
}

// An Answer is the result of an order: a text with the runs of both sides, or an error.
type Answer struct {
	First int      `json:"first,omitempty"`
	Last  int      `json:"last,omitempty"`
	Text  string   `json:"text,omitempty"`
	Error *Failure `json:"error,omitempty"`
}

// A Failure is the reason why a stretch was not measured. Its kind is that of package fault.
type Failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// Serve reads orders from in, one JSON document a line, and writes an answer to out for each. It
// builds both sides and warms up once, before the first stretch. It returns nil at the end of in.
// An error in measuring is answered once and returned.
func Serve(ctx context.Context, a *workspace.Session, opt Options, in io.Reader, out io.Writer) error {
	answers := json.NewEncoder(out)
	failed, err := drive(ctx, a, opt, func(m *measure.Measurement) error {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, bounds.MaxInput)
		for lines.Scan() {
			var order Order
			if err := json.Unmarshal(lines.Bytes(), &order); err != nil {
				return fault.Data(fmt.Errorf("read an order: %w", err))
			}
			answer, err := order.measure(ctx, m)
			if err != nil {
				return err
			}
			if err := answers.Encode(answer); err != nil {
				return fault.IO(fmt.Errorf("answer: %w", err))
			}
		}
		return lines.Err()
	})
	if err == nil || ctx.Err() != nil {
		return err
	}
	answer := Answer{Error: &Failure{Kind: "io", Message: err.Error()}}
	if known := new(fault.Error); errors.As(err, &known) {
		answer.Error.Kind = known.Kind
	}
	text, writing := written(failed)
	answer.Text = text
	return errors.Join(err, writing, answers.Encode(answer))
}

// written returns runs as text.
func written(runs []*record.Run) (string, error) {
	var text bytes.Buffer
	w := record.NewWriter(&text)
	for _, r := range runs {
		if err := w.Write(r); err != nil {
			return "", fault.Data(err)
		}
	}
	return text.String(), nil
}

// measure measures the stretch of an order.
func (o Order) measure(ctx context.Context, m *measure.Measurement) (Answer, error) {
	if o.First < 1 || o.Last < o.First || o.Last > record.MaxSamples {
		return Answer{}, fault.Data(fmt.Errorf("an order asks for rounds %d to %d", o.First, o.Last))
	}
	closed, only := setOf(o.Closed), setOf(o.Only)
	schedule := runner.Schedule{
		Open: func(s program.Slot) bool {
			return !closed[s.String()] && (o.Only == nil || only[s.String()])
		},
		Reopen: true,
		Needed: func(int) int { return o.Last },
	}
	within := time.Duration(o.Seconds * float64(time.Second))
	runs, last, err := m.Measure(ctx, measure.Stretch{First: o.First, Last: o.Last, Within: within}, schedule)
	if err != nil {
		return Answer{}, err
	}
	text, err := written(runs)
	return Answer{First: o.First, Last: last, Text: text}, err
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// drive checks out and builds both sides, and calls do.
func drive(ctx context.Context, a *workspace.Session, opt Options, do func(*measure.Measurement) error) (failed []*record.Run, err error) {
	spec, err := opt.spec(ctx, a)
	if err != nil {
		return nil, err
	}
	if a.Beside, err = proc.OwnCPUs(); err != nil { // perftrack worker --cpus binds this process
		return nil, fault.IO(err)
	}
	return spec.DriveApart(ctx, do)
}

// noCommits is the reason why a fleet needs a repository.
const noCommits = "there are no commits to measure"

// spec returns the specification of the measurement: that of a check under the rules of the base,
// unless it is plain.
func (opt Options) spec(ctx context.Context, a *workspace.Session) (spec measure.Spec, err error) {
	if opt.Plain != nil {
		where, _ := a.LocateUnconfigured(ctx)
		if err := where.NeedRepo(noCommits); err != nil {
			return spec, err
		}
		return opt.Plain.spec(a, where, opt)
	}
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, []string{opt.Target})
	if err != nil {
		return spec, err
	}
	if err := where.NeedRepo(noCommits); err != nil {
		return spec, err
	}
	rules, _, err := where.RulesAt(ctx, opt.Base)
	if err != nil {
		return spec, err
	}
	where, targets = where.Obey(rules, targets, a.Noticef)
	target := workspace.BaseLayouts(rules, targets)[0]
	spec = measure.Spec{
		Session: a, Where: where, Target: target, Trial: opt.Trial, Plan: opt.plan(target, rules, a.Threshold),
		Sources: measure.Sources{Rev: opt.Head, Beside: opt.Base},
		Facts:   func(r *record.Run) { r.Protocol.Procedure = pairs.ProcedureCheck },
	}
	return spec, spec.Sources.CheckTargets(targets)
}

// plan returns the plan of a check that leaves decisions to others.
func (opt Options) plan(t config.Target, rules *config.Config, threshold float64) runner.Plan {
	plan := opt.Flags.Plan(t, 0, runner.CheckBenchtime)
	plan.Rounds = 1 // each order sets its own
	plan.Identify, plan.Share, plan.OneSided = true, true, true
	plan.Reach, plan.Paths = !opt.All, !opt.All
	plan.Chosen = map[program.Slot]slicing.Method{}
	plan.Least = func(bench string) float64 {
		least := rules.Threshold(bench)
		if threshold > 0 {
			least = min(least, threshold)
		}
		return least
	}
	return plan
}
