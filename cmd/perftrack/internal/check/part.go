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
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A check of a part measures what other machines leave to it. Each of them divides the
// benchmarks by itself, from what it sees, and notes how: who puts the parts together sees
// whether all did it alike.

// ParsePart reads the flag --shard: "" is no part.
func ParsePart(text string) (compare.Part, error) {
	p, ok := compare.ParsePart(text)
	if text != "" && !ok {
		return p, fmt.Errorf("--shard %q is not I/N, as 2/4: the second of four parts, of at most %d", text, compare.MaxParts)
	}
	return p, nil
}

// numbered is the part without what is known of it only where it was measured.
func numbered(p compare.Part) compare.Part { return compare.Part{N: p.N, Of: p.Of} }

// partOf returns of which part a trial is; the zero value is of none.
func partOf(t store.Trial) compare.Part {
	for _, r := range t.Runs {
		if p, ok := compare.PartOf(&r.Run); ok {
			return numbered(p)
		}
	}
	return compare.Part{}
}

// measurementsBefore returns how many measurements of the same commits began before the one
// that a new trial of the part belongs to, where the trials are those that there are, in the
// order in which they began. All parts of one measurement have the share of alpha of one trial
// between them: the k-th trials of all parts are one.
func measurementsBefore(trials []store.Trial, part compare.Part) int {
	type measurement struct {
		whole string
		of, k int
	}
	var all []measurement
	times := map[compare.Part]int{}
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

// part is the part of a target that is measured, as the runner divides it.
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

// costs returns how long a round of a slot took when the base, or a commit before it, was
// measured last outside of checks; nil where none was. The parts that are measured meanwhile
// are checks, and change nothing of it.
func (c *check) costs(ctx context.Context, target, benchtime string) (func(runner.Slot) time.Duration, error) {
	if c.where.Repo == nil {
		return nil, nil // checkout will say so
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
		if !line[info.Commit.SHA] || info.Facts.Get(record.KeyProcedure) == compare.ProcedureCheck || !compare.SelectionIs(&info.Run, "") || info.Facts.Get(record.KeyMeasured) != "" {
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
		return func(s runner.Slot) time.Duration { return costs[s.String()] }, nil
	}
	return nil, nil
}

// timeUnits are the units of a benchmark's time.
var timeUnits = map[string]time.Duration{"ns/op": time.Nanosecond, "sec/op": time.Second}

// costsOf estimates how long a sample of each slot takes: of every benchmark of it the time
// that a sample is to take, and one iteration, with which it begins.
func costsOf(run *record.Run, benchtime string) map[string]time.Duration {
	least, _ := time.ParseDuration(benchtime) // 0 for a number of iterations
	costs := map[string]time.Duration{}
	for _, b := range run.Benchmarks {
		if b.Kind != record.Bench {
			continue
		}
		cost := least
		for _, s := range b.Samples {
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
		costs[runner.Slot{Package: b.Package, Bench: function, Procs: procs}.String()] += cost
		if b.Package != "" {
			costs[runner.Slot{Bench: function}.String()] += cost
		}
		costs[runner.Slot{Package: run.Target}.String()] += cost
	}
	return costs
}

// notePart notes how the benchmarks of the target were divided, and says so.
func (c *course) notePart(rec *measure.Recording, out runner.Outcome) {
	d := out.Division
	if d == nil {
		return
	}
	p := c.check.opt.Part
	p.Own, p.All, p.Division = d.Own, d.All, d.Digest
	rec.Note(func(r *record.Run) { compare.SetPart(r, p) })
	switch {
	case d.All == 0: // it is said why
	case d.Own == 0:
		c.check.session.Noticef("%s: %v has none of %d benchmarks, which the other parts measure", c.target.Name, p, d.All)
	default:
		c.check.session.Noticef("%s: %v has %d of %d benchmarks", c.target.Name, p, d.Own, d.All)
	}
}
