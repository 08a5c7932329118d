package reports

import (
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// What several documents have in common.

// BenchmarkFields name a benchmark. The name has neither the "Benchmark" prefix nor the
// -N suffix.
func BenchmarkFields(id *record.BenchmarkID) Object {
	return Object{
		{"benchmark_kind", &id.Kind}, // bench or scope
		{"package", &id.Package},
		{"suite", &id.Suite},
		{"name", &id.Name},
	}
}

// SummaryFields are a center with its 95 % interval. Without a sample the center is null
// and n is 0.
func SummaryFields(s *compare.Summary) Object {
	measured := s.N > 0
	return Object{
		{"center", Known(&s.Center, measured)},
		{"lo", Known(&s.Lo, measured)},
		{"hi", Known(&s.Hi, measured)},
		{"n", &s.N},
	}
}

// ShiftFields are the estimated change of head over base: a fraction, or if absolute a
// difference in the unit of the row.
func ShiftFields(s *stat.Shift) Object {
	return Object{
		{"center", &s.Center},
		{"lo", &s.Lo},
		{"hi", &s.Hi},
		{"absolute", &s.Absolute},
	}
}

// CaveatFields are something that the reader of a number must know. Programs may rely on
// the code.
func CaveatFields(c *compare.Caveat) Object {
	return Object{
		{"code", &c.Code},
		{"text", &c.Text},
		{"detail", Optional(&c.Detail)},
	}
}

// CaveatObjects are the caveats of all lists, each one once.
func CaveatObjects(lists ...[]compare.Caveat) any {
	var all []compare.Caveat
	seen := map[compare.Caveat]bool{}
	for _, list := range lists {
		for _, c := range list {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return Objects(&all, CaveatFields)
}

// RunFields are a run without its samples.
func RunFields(r *record.Run, id string) Object {
	return Object{
		{"id", Optional(id)},
		{"target", r.Target},
		{"commit", r.Commit.SHA},
		{"tree", Optional(r.Commit.Tree)},
		{"commit_time", Optional(utc(r.Commit.Time))},
		{"branch", Optional(r.Commit.Branch)},
		{"dirty", r.Commit.Dirty},
		{"status", r.Status},
		{"trial", Optional(r.Trial)},
		{"side", Optional(r.Side)},
		{"start", Optional(utc(r.Start))},
		{"end", Optional(utc(r.End))},
		{"tool", Optional(r.Tool)},
		{"environment_id", r.Env.EnvironmentID()},
		{"environment", settings(r.Env)},
		{"facts", Optional(settings(r.Facts))},
		{"failures", Optional(r.Failures)},
	}
}

// utc returns the time in UTC, and the zero time for any time that is zero, so that it
// can be left out.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// settings returns the settings as a map, which JSON writes in the order of the keys.
func settings(s record.Settings) map[string]string {
	out := map[string]string{}
	for _, f := range s {
		out[f.Key] = f.Value
	}
	return out
}
