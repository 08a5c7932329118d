package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A check of a part leaves the other parts to other machines. Each machine divides the benchmarks
// by itself and records a digest of the division, to show whether all machines agree when the parts
// are joined.

// ParsePart parses the flag --shard. The empty string means no part.
func ParsePart(text string) (record.Part, error) {
	p, ok := record.ParsePart(text)
	if text != "" && !ok {
		return p, fmt.Errorf("--shard %q does not have the form I/N, such as 2/4 for the second of four parts, of at most %d", text, record.MaxCheckParts)
	}
	return p, nil
}

// numbered returns the part without its counts, known only to the measuring machine.
func numbered(p record.Part) record.Part { return record.Part{N: p.N, Of: p.Of} }

// partOf returns the part measured in a trial, or the zero value for a whole trial.
func partOf(t store.Trial) record.Part {
	for _, r := range t.Runs {
		if p := r.Protocol.Part; p != nil {
			return numbered(*p)
		}
	}
	return record.Part{}
}

// measurementsBefore returns the number of measurements of the same commits begun before a new
// trial of the part, given the existing trials in the order of their start. The parts of one
// measurement share the alpha of one trial, so the k-th trials of all parts count as one
// measurement.
func measurementsBefore(trials []store.Trial, part record.Part) int {
	type measurement struct {
		whole string
		of, k int
	}
	var all []measurement
	times := map[record.Part]int{}
	for _, t := range trials {
		m := measurement{whole: t.ID}
		if p := partOf(t); p.Of > 0 {
			m = measurement{of: p.Of, k: times[p]}
			times[p]++
		}
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	if i := slices.Index(all, measurement{of: part.Of, k: times[numbered(part)]}); part.Of > 0 && i >= 0 {
		return i
	}
	return len(all)
}

// part returns the part of a target for the runner.
func (c *check) part(ctx context.Context, t config.Target, benchtime string) (p runner.Part, err error) {
	if c.opt.Part.Of == 0 {
		return p, nil
	}
	p = runner.Part{N: c.opt.Part.N, Of: c.opt.Part.Of, First: slices.IndexFunc(c.targets, func(one config.Target) bool { return one.Name == t.Name })}
	if p.Cost, err = c.costs(ctx, t.Name, benchtime); err != nil {
		return p, err
	}
	return p, nil
}

// costs returns a function that returns how long a slot's round took in the newest run of the base
// or of a commit before it. Runs of checks are ignored, so parts measured in the meantime do not
// change the result. costs returns nil if there is no run to use.
func (c *check) costs(ctx context.Context, target, benchtime string) (func(program.Slot) time.Duration, error) {
	if c.where.Repo == nil {
		return nil, nil // the checkout reports this
	}
	line, err := c.where.Repo.FirstParents(ctx, c.opt.Base)
	if err != nil {
		return nil, fault.Git(err)
	}
	infos, err := c.db.Runs(ctx, store.Filter{Target: target, Newest: true}.Baselines())
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		if !line[info.Commit.SHA] || info.Protocol.Procedure == pairs.ProcedureCheck || !info.Protocol.SelectsAll() || info.Facts.Get(record.KeyMeasured) != "" {
			continue
		}
		run, err := c.db.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		costs := costsOf(run, benchtime)
		return func(s program.Slot) time.Duration { return costs[s.String()] }, nil
	}
	return nil, nil
}

// timeUnits maps the units of a benchmark's time to durations.
var timeUnits = map[string]time.Duration{"ns/op": time.Nanosecond, "sec/op": time.Second}

// costsOf estimates the time of one sample of each slot: the benchtime plus the first iteration,
// for each benchmark.
func costsOf(run *record.Run, benchtime string) map[string]time.Duration {
	least, _ := time.ParseDuration(benchtime) // 0 for a number of iterations
	costs := map[string]time.Duration{}
	for _, b := range run.Benchmarks {
		if b.Kind != record.Bench {
			continue
		}
		cost := least
		for _, s := range b.Series() {
			values := slices.Sorted(slices.Values(s.Values))
			if len(values) == 0 {
				continue
			}
			if op := values[len(values)/2] * float64(timeUnits[s.Unit]); op > 0 && op < float64(time.Hour) {
				cost += time.Duration(op)
			}
		}
		name, procs := b.Name, 0
		if run.Env.Get(record.KeyGOMAXPROCS) == record.ProcsInNames {
			name, procs = record.ProcsOfName(name)
		}
		function, _, _ := strings.Cut(name, "/")
		costs[program.Slot{Package: b.Package, Bench: function, Procs: procs}.String()] += cost
		if b.Package != "" {
			costs[program.Slot{Bench: function}.String()] += cost
		}
		costs[program.Slot{Package: run.Target}.String()] += cost
	}
	return costs
}

// notePart records how the benchmarks of the target were divided, and prints a notice.
func (c *targetCheck) notePart(rec *measure.Recording, out runner.Outcome) {
	d := out.Division
	if d == nil {
		return
	}
	p := c.check.opt.Part
	p.Own, p.All, p.Division = d.Own, d.All, d.Digest
	rec.Note(func(r *record.Run) { r.Protocol.Part = &p })
	switch {
	case d.All == 0: // already reported
	case d.Own == 0:
		c.check.session.Noticef("%s: %v has none of the %d benchmarks, which the other parts measure", c.target.Name, p, d.All)
	default:
		c.check.session.Noticef("%s: %v has %d of the %d benchmarks", c.target.Name, p, d.Own, d.All)
	}
}
