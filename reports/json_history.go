package reports

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A HistoryDocument has kind "history": the series that a name means, of
// several suites, packages or targets.
type HistoryDocument struct {
	Head
	Anchor *AnchorDocument  `json:"anchor,omitempty"` // where the values are ratios
	Series []SeriesDocument `json:"series"`
}

// A SeriesDocument is one benchmark over the commits of one line of
// development, oldest first. Points of
// different environment_id are not comparable.
type SeriesDocument struct {
	Target string `json:"target"`
	NamedBenchmark
	Branch string          `json:"branch,omitempty"` // the line of development, where there are several
	Points []PointDocument `json:"points"`
	Lines  []LineDocument  `json:"lines"`
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

func newHistoryDocument(to *Anchor, series []HistorySeries) HistoryDocument {
	d := HistoryDocument{Head{SchemaVersion, "history"}, anchorDocument(to), []SeriesDocument{}}
	for _, s := range series {
		out := SeriesDocument{Target: s.Target, NamedBenchmark: named(s.BenchmarkID), Branch: s.Branch, Points: []PointDocument{}, Lines: []LineDocument{}}
		for _, p := range s.Points {
			out.Points = append(out.Points, pointDocument(s.Target, p))
		}
		for _, l := range s.Lines {
			out.Lines = append(out.Lines, lineDocument(l))
		}
		d.Series = append(d.Series, out)
	}
	return d
}

func pointDocument(target string, p HistoryPoint) PointDocument {
	r := &record.Run{Target: target, Commit: p.Commit, Env: p.Env, Status: p.Status, Start: p.Start}
	out := PointDocument{HeaderDocument: headerDocument(r, p.RunID), Units: []PointSeries{}}
	for _, s := range p.Samples {
		sum, unit := compare.Summarize(s, slices.Contains(p.Exact, s.Unit), confidence)
		out.Units = append(out.Units, PointSeries{unit, s.Unit, summaryDocument(sum)})
	}
	return out
}

// A LineDocument is one unit of a series in one environment: the levels that
// its runs show, the steps between them, and the runs far off their level. The
// runs of a drift are on no level. A unit that follows from the time of the same benchmark has none.
type LineDocument struct {
	EnvironmentID string            `json:"environment_id"`
	Unit          string            `json:"unit"`
	UnitStored    string            `json:"unit_stored"`
	Levels        []LevelDocument   `json:"levels"`
	Steps         []StepDocument    `json:"steps"`
	Outliers      []OutlierDocument `json:"outliers"`
}

// A LevelDocument is consecutive runs that measured the same but for noise.
type LevelDocument struct {
	FirstRun    string `json:"first_run"`
	FirstCommit string `json:"first_commit"`
	LastRun     string `json:"last_run"`
	LastCommit  string `json:"last_commit"`
	Runs        int    `json:"runs"`
	Center      Number `json:"center"`
}

// A StepDocument is a change between two levels: of a commit after
// after_commit, up to up_to_commit. Now is by what fraction the newest level
// lies above the old one. One that took drift_runs runs is a drift: no commit of
// them is the cause alone.
type StepDocument struct {
	AfterRun    string        `json:"after_run"`
	AfterCommit string        `json:"after_commit"`
	UpToRun     string        `json:"up_to_run"`
	UpToCommit  string        `json:"up_to_commit"`
	From        Number        `json:"from"`
	To          Number        `json:"to"`
	Shift       ShiftDocument `json:"shift"`
	Verdict     string        `json:"verdict"` // regressed, improved or changed
	Accepted    bool          `json:"accepted"`
	InForce     bool          `json:"in_force"`
	Now         Number        `json:"now"`
	DriftRuns   int           `json:"drift_runs,omitempty"`
}

// An OutlierDocument is a run far off its level; an open one may as well be the
// first of a new level.
type OutlierDocument struct {
	Run    string `json:"run"`
	Commit string `json:"commit"`
	Change Number `json:"change"`
	Open   bool   `json:"open"`
}

func lineDocument(l HistoryLine) LineDocument {
	d := LineDocument{l.Environment, l.Tidied, l.Unit, []LevelDocument{}, []StepDocument{}, []OutlierDocument{}}
	for _, v := range l.Levels {
		first, last := l.Runs[v.First], l.Runs[v.End-1]
		d.Levels = append(d.Levels, LevelDocument{first.Run, first.Commit, last.Run, last.Commit, v.End - v.First, Number(v.Center)})
	}
	for _, s := range l.Steps {
		d.Steps = append(d.Steps, stepDocument(s))
	}
	for _, o := range l.Outliers {
		d.Outliers = append(d.Outliers, OutlierDocument{o.Run, o.Commit, Number(o.Change), o.Open})
	}
	return d
}

func stepDocument(s compare.Step) StepDocument {
	return StepDocument{
		s.Last.Run, s.Last.Commit, s.First.Run, s.First.Commit, Number(s.From), Number(s.To),
		ShiftDocument{Number(s.Shift.Center), Number(s.Shift.Lo), Number(s.Shift.Hi), s.Shift.Absolute}, string(s.Verdict), s.Accepted, s.InForce, Number(s.Now),
		s.Drift,
	}
}

// A RegressionsDocument has kind "regressions": the steps for the worse of all
// benchmarks that are in force, the newest first.
type RegressionsDocument struct {
	Head
	Anchor      *AnchorDocument      `json:"anchor,omitempty"` // where the values are ratios
	Regressions []RegressionDocument `json:"regressions"`
	Searched    SearchedDocument     `json:"searched"`
}

// A SearchedDocument is what was searched for regressions in force. A series is a
// benchmark's unit in one environment.
type SearchedDocument struct {
	Series int              `json:"series"`
	TooFew []TooFewDocument `json:"too_few"` // of these nothing is known
	Older  int              `json:"older"`   // regressions in force from before --since
}

// A TooFewDocument is series that have too few runs for a step. They may have as
// many as it needs, where those are of too few commits.
type TooFewDocument struct {
	Series    int `json:"series"`
	LeastRuns int `json:"least_runs"`
	MostRuns  int `json:"most_runs"`
	Needs     int `json:"needs"`
}

// A RegressionDocument is one of them.
type RegressionDocument struct {
	Target string `json:"target"`
	NamedBenchmark
	Branch        string `json:"branch,omitempty"`
	EnvironmentID string `json:"environment_id"`
	Unit          string `json:"unit"`
	UnitStored    string `json:"unit_stored"`
	Date          string `json:"date,omitempty"`  // of the commit
	Since         string `json:"since,omitempty"` // of that which a drift began after
	StepDocument
}

func newRegressionsDocument(to *Anchor, rows []RegressionRow, from Searched) RegressionsDocument {
	d := RegressionsDocument{Head{SchemaVersion, "regressions"}, anchorDocument(to), []RegressionDocument{}, from.document()}
	for _, r := range rows {
		d.Regressions = append(d.Regressions, RegressionDocument{
			r.Target, named(r.BenchmarkID), r.Branch, r.Line.Environment, r.Line.Tidied, r.Line.Unit, r.Date, r.Since, stepDocument(r.Step),
		})
	}
	return d
}
