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
	"github.com/perftrack/perftrack/runner/record"
)

// Failed returns an error if measurements ended without some of their benchmarks.
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
	return fault.Build(errors.New(strings.Join(parts, " and ") + ", see above"))
}

// failedApart divides each run of which some benchmarks failed and others are whole into a complete one of
// these and a failed one.
func failedApart(runs []*record.Run) (out []*record.Run) {
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

// storeFailure stores both sides of a target of which nothing could be measured.
func (m *Measurement) storeFailure(ctx context.Context, cause error) (stored []StoredRun, err error) {
	env, err := runner.Environment(ctx, m.spec.Target, m.spec.Where.ModuleDir(), m.spec.Where.CPUs)
	if err != nil {
		env = nil // it is the environment that is at fault
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
				if f.Unbuilt() && m.spec.Target.Kind == config.Command { // one program, which no package names
					f.Benchmark = r.Target
				}
				r.AddFailure(f.Benchmark, f.Reason)
			}
		}
		id, _, err := m.spec.DB.Put(ctx, &r)
		if err != nil {
			return stored, fault.IO(err)
		}
		stored = append(stored, StoredRun{ID: id, Run: &r})
	}
	return stored, nil
}

// failuresBySide returns what failed on each side, of errors that may be joined. What is of no side is
// head's, which is asked about.
func failuresBySide(cause error) map[record.Side][]record.Failure {
	found := map[record.Side][]record.Failure{}
	switch e := cause.(type) { //nolint:errorlint // each layer is taken off by itself
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
		found[failing] = append(found[failing], record.Failure{Benchmark: b.What, Reason: record.NotBuilt + runner.Unbuilt{Err: b}.Reason()})
	}
	if len(found) == 0 {
		found[failing] = []record.Failure{{Reason: fault.FirstLine(cause)}}
	}
	return found
}

// isUnbuilt reports whether an error is that a target does not build, or gives no sample.
func isUnbuilt(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Kind == fault.KindBuild
}

// dirty reports whether a side has changes that no commit has.
func (m *Measurement) dirty() bool {
	return slices.ContainsFunc(m.headers, func(r record.Run) bool { return r.Commit.Dirty || r.Commit.SHA == "" })
}

// buildErrors returns what did not build, of errors that may be joined.
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
