package site

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// NewComparison returns the document of a comparison: what `perftrack compare` says of it, in the
// same words.
func NewComparison(key string, c *compare.Comparison, at Places) *Comparison {
	_, tone := comparison.Summary(c)
	d := &Comparison{
		Key: key, Trial: c.Trial(), Several: c.Trials > 1,
		Base: sideOf(c.Base, at), Head: sideOf(c.Head, at),
		Alpha: c.Options.Alpha, Rules: comparison.Rules(c), Legend: comparison.Legend(c), Tested: c.Tested,
		Summary: comparison.Sentence(c), Tone: tones[tone], Counts: CountRows(c), count: comparison.CountBenchmarks(c),
		Geomeans: geomeansOf(c), NotJudged: notJudged(c), Command: commandFor(c),
	}
	for _, run := range slices.Concat(c.Base.Runs, c.Head.Runs) {
		if c.Trial() && run.Trial != "" && !slices.Contains(d.Trials, run.Trial) {
			d.Trials = append(d.Trials, run.Trial)
		}
		if env := at.Environment(run.Env.EnvironmentID()); env >= 0 && !slices.Contains(d.Environments, env) {
			d.Environments = append(d.Environments, env)
		}
	}
	rows := newRows(c, at)
	for i := range c.Tables {
		if !comparison.Detail(&c.Tables[i]) {
			rows.add(&c.Tables[i])
		}
	}
	d.Rows, d.Threshold = rows.lines, rows.threshold
	for _, caveat := range c.Caveats {
		d.Caveats = append(d.Caveats, caveat.String())
	}
	return d
}

var tones = map[reports.Tone]string{reports.Good: "good", reports.Bad: "bad", reports.Warn: "warn", reports.Muted: "muted"}

// CountRows counts the rows of a comparison by their verdict, as its summary does: one that shows
// the change of another, or that another trial decided, does not count. The accepted ones of those
// that regressed are counted as accepted. A benchmark without a round has no row, and counts as not
// checked.
func CountRows(c *compare.Comparison) map[string]int {
	counts := map[string]int{}
	for _, s := range c.Starved {
		counts[string(compare.NotChecked)] += s.Benchmarks
	}
	for r := range c.Rows() {
		switch {
		case r.Verdict == compare.NoVerdict || r.CorrelatedWith != nil || c.Settled(r):
		case r.Verdict == compare.Regressed && r.Accepted():
			counts["accepted"]++
		default:
			counts[string(r.Verdict)]++
		}
	}
	return counts
}

// Mark gives the rows of benchmarks the state "checked" where the comparison, a trial, proved that they
// regressed, no step in force shows it, and nothing was measured after its head.
func (d *Comparison) Mark(benchmarks []BenchmarkRow) {
	for _, line := range d.Rows {
		if line.Benchmark < 0 || line.Verdict != string(compare.Regressed) || line.Accepted != "" || line.With != "" || line.Settled {
			continue
		}
		benchmarks[line.Benchmark].mark(line.Unit, d.Head.Commit, d.Head.Commit, float64(line.Change), line.Absolute)
	}
}

// MarkSearched does the same for what a bisection proved of a unit of a benchmark: at its head, or at the
// commit that it found.
func (b *BenchmarkRow) MarkSearched(row *steps.CheckedRow, head, found int) {
	b.mark(row.Tidied, head, found, row.Shift.Center, row.Shift.Absolute)
}

func (b *BenchmarkRow) mark(unit string, head, at int, change float64, absolute bool) {
	for i := range b.Lines {
		r := &b.Lines[i]
		if r.State == "regressed" || r.State == "drift" || r.Last > head || r.Branch != "" || r.Unit != unit {
			continue
		}
		if r.State, r.ChangeAt = "checked", at; !absolute {
			r.Change = numberOrNil(change)
		}
	}
}

func sideOf(s compare.Side, at Places) ComparisonSide {
	side := ComparisonSide{Commit: -1, Label: s.Label, Runs: []int{}}
	for i, run := range s.Runs {
		if i == 0 {
			side.SHA = run.Commit.SHA
		} else if run.Commit.SHA != side.SHA {
			side.SHA = ""
		}
		side.Dirty = side.Dirty || run.Commit.Dirty
		if !run.Start.IsZero() && (side.Start == 0 || run.Start.Unix() < side.Start) {
			side.Start = run.Start.Unix()
		}
		if place := at.Run(run.ID()); place >= 0 {
			side.Runs = append(side.Runs, place)
		}
	}
	if side.SHA != "" {
		side.Commit = at.Commit(side.SHA)
	}
	return side
}

// commandFor measures what was measured in a trial again, and what was measured apart in one.
// It names nothing but hashes of commits.
func commandFor(c *compare.Comparison) string {
	if base, head := sideHash(c.Base), sideHash(c.Head); c.Trial() && base != "" && head != "" {
		return "perftrack check --base " + base + " --head " + head + c.IsolateFlag()
	}
	return c.DecideCommand()
}

// sideHash is the short hash of the commit of a side; "" where it has none, has several, or was
// measured with changes that no commit has.
func sideHash(s compare.Side) string {
	sha := ""
	for _, run := range s.Runs {
		if run.Commit.Dirty || !record.IsHashPrefix(run.Commit.SHA) || sha != "" && sha != run.Commit.SHA {
			return ""
		}
		sha = run.Commit.SHA
	}
	if sha == "" {
		return ""
	}
	return record.ShortHash(sha)
}
