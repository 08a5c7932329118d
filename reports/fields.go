package reports

import (
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// What several documents have in common.

// idFields name a benchmark. The name has neither the "Benchmark" prefix nor the -N suffix.
func idFields(id *record.BenchmarkID) Object {
	return Object{
		{"benchmark_kind", &id.Kind}, // bench or scope
		{"package", &id.Package},
		{"suite", &id.Suite},
		{"name", &id.Name},
	}
}

// summaryFields are a center with its 95 % interval. The center is null and n 0 where there is no sample.
func summaryFields(s *compare.Summary) Object {
	measured := s.N > 0
	return Object{
		{"center", known(&s.Center, measured)},
		{"lo", known(&s.Lo, measured)},
		{"hi", known(&s.Hi, measured)},
		{"n", &s.N},
	}
}

// shiftFields are the estimated change of head over base: a fraction, or in the
// unit beside it where absolute.
func shiftFields(s *compare.Shift) Object {
	return Object{
		{"center", &s.Center},
		{"lo", &s.Lo},
		{"hi", &s.Hi},
		{"absolute", &s.Absolute},
	}
}

// caveatFields are what the reader of a number must know. Codes are stable.
func caveatFields(c *compare.Caveat) Object {
	return Object{
		{"code", &c.Code},
		{"text", &c.Text},
		{"detail", optional(&c.Detail)},
	}
}

// caveatList has the caveats of all lists, each once.
func caveatList(lists ...[]compare.Caveat) any {
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
	return list(&all, caveatFields)
}

// runFields are a run without its samples.
func runFields(r *record.Run, id string) Object {
	return Object{
		{"id", optional(id)},
		{"target", r.Target},
		{"commit", r.Commit.SHA},
		{"tree", optional(r.Commit.Tree)},
		{"commit_time", optional(utc(r.Commit.Time))},
		{"branch", optional(r.Commit.Branch)},
		{"dirty", r.Commit.Dirty},
		{"status", r.Status},
		{"trial", optional(r.Trial)},
		{"side", optional(r.Side)},
		{"start", optional(utc(r.Start))},
		{"end", optional(utc(r.End))},
		{"tool", optional(r.Tool)},
		{"environment_id", r.Env.EnvironmentID()},
		{"environment", settings(r.Env)},
		{"facts", optional(settings(r.Facts))},
		{"failures", optional(r.Failures)},
	}
}

// utc is the time that is the zero one exactly where none is known.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

func settings(s record.Settings) map[string]string {
	out := map[string]string{}
	for _, f := range s {
		out[f.Key] = f.Value
	}
	return out
}
