package reports

import (
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// This file defines the JSON fields common to several kinds of documents.

// BenchmarkFields describes a benchmark. The name has neither the "Benchmark" prefix nor the
// GOMAXPROCS suffix.
func BenchmarkFields(id *record.BenchmarkID) Object {
	return Object{
		{"benchmark_kind", &id.Kind}, // bench or scope
		{"package", &id.Package},
		{"suite", &id.Suite},
		{"name", &id.Name},
	}
}

// SummaryFields describes a center with its 95 % interval. Without samples the center is null and n
// is 0.
func SummaryFields(s *compare.Summary) Object {
	measured := s.N > 0
	return Object{
		{"center", Known(&s.Center, measured)},
		{"lo", Known(&s.Lo, measured)},
		{"hi", Known(&s.Hi, measured)},
		{"n", &s.N},
		{"summary", Part(&s.Told, toldFields)}, // if a file has no samples: what it states about them
	}
}

// toldFields describes the samples behind a center, as far as a file that has only the center
// states them: their number, or 0 if it is unknown, and their standard deviation or the bounds that
// the tool printed.
func toldFields(s *record.Summary) Object {
	return Object{
		{"n", &s.N},
		{"sd", Known(&s.SD, s.SD == s.SD)},
		{"low", Known(&s.Low, s.Low == s.Low)},
		{"high", Known(&s.High, s.High == s.High)},
	}
}

// ShiftFields describes the estimated change from base to head: a fraction or, if absolute, a
// difference in the unit of the row.
func ShiftFields(s *stat.Shift) Object {
	return Object{
		{"center", &s.Center},
		{"lo", &s.Lo},
		{"hi", &s.Hi},
		{"absolute", &s.Absolute},
	}
}

// CaveatFields describes a caveat about a number. The caveat's code is stable, so programs can rely
// on it.
func CaveatFields(c *compare.Caveat) Object {
	return Object{
		{"code", &c.Code},
		{"text", &c.Text},
		{"detail", Optional(&c.Detail)},
	}
}

// CaveatObjects returns the caveats of all lists without duplicates.
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

// RunFields describes a run without its samples.
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
		{"protocol", Optional(r.Protocol)},
		{"failures", Optional(r.Failures)},
	}
}

// utc returns the time in UTC. It turns a zero time in any location into the zero value, so that
// the field can be omitted.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// settings returns the settings as a map. encoding/json sorts the keys.
func settings(s record.Settings) map[string]string {
	out := map[string]string{}
	for _, f := range s {
		out[f.Key] = f.Value
	}
	return out
}
