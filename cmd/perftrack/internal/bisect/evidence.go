package bisect

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// dependencies returns the source folders of the benchmark's build, as slash-separated paths
// relative to the root of the repository.
func (b *bisection) dependencies(ctx context.Context, c gitrepo.Commit) (folders []string, err error) {
	var dirs []string
	var root string
	err = b.spec(measure.Sources{Rev: c.SHA}).Checkout(ctx, func(sides []measure.Side) (err error) {
		root = realPath(sides[0].Root())
		dirs, err = gotool.Dependencies(ctx, sides[0].Source.Dir, b.Subject.Package)
		return err
	})
	for _, d := range dirs {
		if rel, err := filepath.Rel(root, realPath(d)); err == nil && filepath.IsLocal(rel) {
			folders = append(folders, filepath.ToSlash(rel))
		}
	}
	if err != nil {
		b.Session.Noticef("all commits are considered equally likely, because the dependencies of %s cannot be listed: %v", b.Subject.Bench, fault.FirstLine(err))
	}
	return folders, nil
}

// realPath returns path without symbolic links, or path itself if they cannot be resolved.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// remember logs the stored runs of the line's commits in this environment, or by workers of the same
// class: the pairs of trials and
// the medians of unpaired runs. Dirty and partial runs are ignored.
func (s *Search) remember(ctx context.Context) error {
	measuredHere := func(r *record.RunInfo) bool { return r.Protocol.Spread.IsOf(s.Subject.Workers) }
	if s.Subject.Workers == "" {
		env, err := program.Environment(ctx, s.Target, s.Where.ModuleDir(), s.Where.CPUs)
		if err != nil {
			return err
		}
		measuredHere = func(r *record.RunInfo) bool { return comparison.SameEnvironment(env, r.Env) }
	}
	points, err := s.DB.History(ctx, s.Subject.Target, record.BenchmarkID{Kind: record.Bench, Package: s.Subject.Package, Name: s.Subject.Bench})
	if err != nil {
		return fault.Data(err)
	}
	points = slices.DeleteFunc(points, func(p record.HistoryPoint) bool {
		_, on := s.position[p.Run.Commit.SHA]
		return !on || !p.Run.Baseline() || !measuredHere(p.Run)
	})
	for _, head := range points {
		switch head.Run.Side {
		case record.NoSide:
			err = s.rememberOne(head)
		case record.Head:
			err = s.rememberPairs(head, points)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Search) rememberOne(p record.HistoryPoint) error {
	samples, ok := p.Benchmark.Unit(s.Subject.Unit)
	values := slices.Sorted(slices.Values(samples.Present()))
	if !ok || len(values) == 0 {
		return nil
	}
	middle := values[len(values)/2]
	return s.log.add(Event{Event: eventHistory, Time: s.Session.Now().UTC(), Base: p.Run.Commit.SHA, Values: &[2]float64{middle, middle}, Env: s.env})
}

// rememberPairs logs the rounds common to head and its base.
func (s *Search) rememberPairs(head record.HistoryPoint, points []record.HistoryPoint) error {
	for _, base := range points {
		if base.Run.Trial != head.Run.Trial || base.Run.Side != record.Base {
			continue
		}
		b, okB := base.Benchmark.Unit(s.Subject.Unit)
		h, okH := head.Benchmark.Unit(s.Subject.Unit)
		if !okB || !okH {
			continue
		}
		for i, r := range base.Benchmark.Rounds {
			j := slices.IndexFunc(head.Benchmark.Rounds, func(x record.Round) bool { return x.N == r.N })
			if j < 0 || !(b.Values[i] > 0) || !(h.Values[j] > 0) {
				continue
			}
			e := Event{Event: eventHistory, Time: s.Session.Now().UTC(), Base: base.Run.Commit.SHA, Head: head.Run.Commit.SHA,
				Round: r.N, Values: &[2]float64{b.Values[i], h.Values[j]}, Env: s.env}
			if err := s.log.add(e); err != nil {
				return err
			}
		}
	}
	return nil
}
