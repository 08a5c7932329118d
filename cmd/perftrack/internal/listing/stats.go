package listing

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Stats reports the size and the contents of a database.
func Stats(s store.Stats) reports.Report {
	l := New("Database", "target", "#runs", "#benchmarks", "#values")
	for _, t := range s.Targets {
		l.Add(t.Name, counted(t.Runs), counted(t.Benchmarks), counted(t.Values))
	}
	r := l.Report()
	r.Kind, r.Document = "stats", func() reports.Object { return statsDocument(&s) }
	perValue := "-"
	if s.Values > 0 {
		perValue = reports.Fixed(bytesPerValue(&s))
	}
	r.Facts = []reports.Fact{
		{Key: "schema", Value: strconv.Itoa(s.Schema)},
		{Key: "bytes", Value: reports.WithCommas(strconv.FormatInt(s.Bytes, 10))},
		{Key: "bytes per value", Value: perValue},
		{Key: "units", Value: strconv.Itoa(s.Units)},
		{Key: "oldest run", Value: runText(&s.Oldest)},
		{Key: "newest run", Value: runText(&s.Newest)},
	}
	r.Summary = fmt.Sprintf("%s of %s, %s", reports.Plural(s.Runs, "run"), reports.Plural(s.Benchmarks, "benchmark"), reports.Plural(s.Values, "value"))
	return r
}

func counted(n int) Cell { return Brief(reports.WithCommas(strconv.Itoa(n)), n) }

func bytesPerValue(s *store.Stats) float64 {
	if s.Values == 0 {
		return math.NaN()
	}
	return float64(s.Bytes) / float64(s.Values)
}

// runText names a run by its id, start and commit.
func runText(r *record.RunInfo) string {
	if r.ID == "" {
		return "-"
	}
	at, _ := r.Measured()
	text := record.ShortHash(r.ID) + " of " + at.UTC().Format("2006-01-02 15:04")
	if r.Commit.SHA != "" {
		text += ", commit " + record.ShortHash(r.Commit.SHA)
	}
	return text
}

func statsDocument(s *store.Stats) reports.Object {
	perValue := bytesPerValue(s)
	return reports.Object{
		{"schema", s.Schema}, // of the database
		{"bytes", s.Bytes},
		{"bytes_per_value", reports.Known(&perValue, s.Values > 0)},
		{"runs", s.Runs},
		{"benchmarks", s.Benchmarks},
		{"units", s.Units},
		{"values", s.Values}, // a value is one unit of a benchmark in one round
		{"oldest", reports.Optional(endDocument(&s.Oldest))},
		{"newest", reports.Optional(endDocument(&s.Newest))},
		{"targets", reports.Objects(&s.Targets, func(t *store.TargetStats) reports.Object {
			return reports.Object{{"target", t.Name}, {"runs", t.Runs}, {"benchmarks", t.Benchmarks}, {"values", t.Values}}
		})}, // most values first
	}
}

// endDocument describes the oldest or newest run.
func endDocument(r *record.RunInfo) reports.Object {
	if r.ID == "" {
		return nil
	}
	at, _ := r.Measured()
	return reports.Object{{"run", r.ID}, {"target", r.Target}, {"measured", at.UTC().Format(time.RFC3339)}, {"commit", reports.Optional(r.Commit.SHA)}}
}
