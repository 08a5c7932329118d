package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// Failed returns an error if some benchmarks failed or some packages were not built.
func Failed(runs []StoredRun) error {
	failed, unbuilt := 0, 0
	for _, r := range runs {
		for _, f := range r.Failures {
			if f.Unbuilt() {
				unbuilt++
			} else {
				failed++
			}
		}
	}
	var parts []string
	if unbuilt > 0 {
		parts = append(parts, fmt.Sprintf("not built: %s", reports.Plural(unbuilt, "package")))
	}
	if failed > 0 {
		parts = append(parts, reports.Plural(failed, "benchmark")+" failed")
	}
	if len(parts) == 0 {
		return nil
	}
	return fault.Build(errors.New(strings.Join(parts, " and ") + "; see above"))
}

// splitFailed splits each failed run that also has benchmarks without failures into a complete run
// and a failed one.
func splitFailed(runs []*record.Run) (out []*record.Run) {
	for _, r := range runs {
		fails := func(b record.Benchmark) bool {
			return slices.ContainsFunc(r.Failures, func(f record.Failure) bool {
				return compare.Failure{Side: r.Side, Target: r.Target, Failure: f}.Names(r.Target, b.BenchmarkID)
			})
		}
		whole, failed := *r, *r
		whole.Status, whole.Failures = record.Complete, nil
		whole.Benchmarks, failed.Benchmarks = nil, nil
		for _, b := range r.Benchmarks {
			if fails(b) {
				failed.Benchmarks = append(failed.Benchmarks, b)
			} else {
				whole.Benchmarks = append(whole.Benchmarks, b)
			}
		}
		if r.Status == record.Failed && len(whole.Benchmarks) > 0 {
			out = append(out, &whole, &failed)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// storeFailure stores a failed run for each side of a target that could not be measured.
func (m *Measurement) storeFailure(ctx context.Context, cause error) (stored []StoredRun, err error) {
	for _, r := range m.failedRuns(ctx, cause) {
		id, _, err := m.spec.DB.Put(ctx, r)
		if err != nil {
			return stored, fault.IO(err)
		}
		stored = append(stored, StoredRun{ID: id, Run: r})
	}
	return stored, nil
}

// failedRuns returns a failed run for each side of a target that could not be measured.
func (m *Measurement) failedRuns(ctx context.Context, cause error) (runs []*record.Run) {
	env, err := program.Environment(ctx, m.spec.Target, m.spec.Where.ModuleDir(), m.spec.Where.CPUs)
	if err != nil {
		env = nil // the environment may be the cause of the failure
	}
	failures := failuresBySide(cause)
	for i := range m.headers {
		r := m.headers[i]
		r.Status = record.Failed
		for _, s := range env {
			r.Env = r.Env.Set(s.Key, s.Value)
		}
		side := r.Side
		if side == record.NoSide {
			side = record.Head
		}
		if m.addFailures(&r); len(r.Failures) == 0 {
			for _, f := range failures[side] {
				if f.Unbuilt() && m.spec.Target.Kind == config.Command { // a single program without packages
					f.Benchmark = r.Target
				}
				r.AddFailure(f.Benchmark, f.Reason)
			}
		}
		runs = append(runs, &r)
	}
	return runs
}

// failuresBySide returns the failures in cause, possibly joined from several errors, by side.
// Failures that name no side count as failures of the head.
func failuresBySide(cause error) map[record.Side][]record.Failure {
	found := map[record.Side][]record.Failure{}
	switch e := cause.(type) { //nolint:errorlint // unwrap layer by layer
	case *fault.Error:
		return failuresBySide(e.Err)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			for side, failures := range failuresBySide(one) {
				found[side] = append(found[side], failures...)
			}
		}
		if len(found[record.Head])+len(found[record.Base]) > 0 {
			return found
		}
	}
	failing := record.Head
	if side := new(runner.SideError); errors.As(cause, &side) && side.Side != "" {
		failing, cause = record.Side(side.Side), side.Err
	}
	for _, b := range buildErrors(cause) {
		found[failing] = append(found[failing], record.Failure{Benchmark: b.What, Reason: record.NotBuilt + program.Unbuilt{Err: b}.Reason()})
	}
	if len(found) == 0 {
		found[failing] = []record.Failure{{Reason: fault.FirstLine(cause)}}
	}
	return found
}

// isUnbuilt reports whether the target did not build or its benchmarks produced no samples.
func isUnbuilt(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Kind == fault.KindBuild
}

// dirty reports whether a side has uncommitted changes or no commit.
func (m *Measurement) dirty() bool {
	return slices.ContainsFunc(m.headers, func(r record.Run) bool { return r.Commit.Dirty || r.Commit.SHA == "" })
}

// buildErrors returns all build errors in err, possibly joined from several errors.
func buildErrors(err error) (found []*build.Error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			found = append(found, buildErrors(e)...)
		}
	}
	var one *build.Error
	if len(found) == 0 && errors.As(err, &one) {
		found = append(found, one)
	}
	return found
}
