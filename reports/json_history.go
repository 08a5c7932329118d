package reports

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/store"
)

// A HistoryDocument has kind "history": the series that a name means, of
// several suites, packages or targets.
type HistoryDocument struct {
	Head
	Series []SeriesDocument `json:"series"`
}

// A SeriesDocument is one benchmark over commits, oldest first. Points of
// different environment_id are not comparable.
type SeriesDocument struct {
	Target string `json:"target"`
	NamedBenchmark
	Points []PointDocument `json:"points"`
}

// A PointDocument is one run of the benchmark.
type PointDocument struct {
	HeaderDocument
	Units []PointSeries `json:"units"`
}

// A PointSeries is the center of one unit in one run.
type PointSeries struct {
	Unit       string `json:"unit"`
	UnitStored string `json:"unit_stored"`
	SummaryDocument
}

func newHistoryDocument(series []HistorySeries) HistoryDocument {
	d := HistoryDocument{Head: Head{SchemaVersion, "history"}, Series: []SeriesDocument{}}
	for _, s := range series {
		out := SeriesDocument{Target: s.Target, NamedBenchmark: named(s.BenchmarkID), Points: []PointDocument{}}
		for _, p := range s.Points {
			out.Points = append(out.Points, pointDocument(s.Target, p))
		}
		d.Series = append(d.Series, out)
	}
	return d
}

func pointDocument(target string, p HistoryPoint) PointDocument {
	r := &store.Run{Target: target, Commit: p.Commit, Env: p.Env, Status: p.Status, Start: p.Start}
	out := PointDocument{HeaderDocument: headerDocument(r, p.RunID), Units: []PointSeries{}}
	for _, s := range p.Samples {
		sum, unit := compare.Summarize(s, slices.Contains(p.Exact, s.Unit), confidence)
		out.Units = append(out.Units, PointSeries{unit, s.Unit, summaryDocument(sum)})
	}
	return out
}
