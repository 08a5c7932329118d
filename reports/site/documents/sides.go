package documents

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// NewComparison returns the document of a comparison. Its text is the same as in the output of
// `perftrack compare`. The functions of the opaque targets cannot be profiled.
func NewComparison(key string, c *compare.Comparison, at Lookup, opaque ...string) *Comparison {
	_, tone := comparison.Summary(c)
	means := digest.Of(c, gates.Options{})
	d := &Comparison{
		Key: key, Trial: c.Trial(), Several: c.Trials > 1,
		Base: sideOf(c.Base, at), Head: sideOf(c.Head, at),
		Alpha: c.Options.Alpha, Rules: comparison.Rules(c), Legend: comparison.Legend(c), Tested: c.Tested,
		Summary: comparison.Counted(c), Tone: tones[tone], Counts: CountRows(means), digest: means,
		Geomeans: geomeansOf(c), LeftOut: leftOuts(c), Command: commandFor(c),
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
	rows.opaque = opaque
	for i := range c.Tables {
		if !comparison.Detail(&c.Tables[i]) {
			rows.add(&c.Tables[i])
		}
	}
	d.Rows, d.Threshold, d.Trimmed = rows.lines, rows.threshold, rows.many
	for _, caveat := range c.Caveats {
		d.Caveats = append(d.Caveats, caveat.String())
	}
	return d
}

var tones = map[reports.Tone]string{reports.Good: "good", reports.Bad: "bad", reports.Warn: "warn", reports.Muted: "muted"}

// CountRows counts the rows of a comparison by verdict, as its summary does. It leaves out rows
// repeating the change of another row and rows decided by another trial. It counts benchmarks
// without any round as not checked.
func CountRows(d *digest.Digest) map[string]int {
	counts := map[string]int{}
	for v, n := range d.Rows {
		if v != digest.Nested {
			counts[string(v)] = n
		}
	}
	if d.Starved > 0 {
		counts[string(compare.NotChecked)] += d.Starved
	}
	return counts
}

// Mark sets the state of rows whose regression is known only from the trial: their history shows no
// regression, and they were not measured after the trial.
func (d *Comparison) Mark(benchmarks []BenchmarkRow) {
	for _, line := range d.Rows {
		if line.Benchmark < 0 || line.Verdict != string(compare.Regressed) || line.With != "" || line.Settled {
			continue
		}
		benchmarks[line.Benchmark].mark(line.Unit, d.Head.Commit, d.Head.Commit, float64(line.Change), line.Absolute)
	}
}

// MarkSearched is like Mark, for a regression proved by a bisection. head is the newest commit that
// was searched, and found is the commit that the bisection found.
func (b *BenchmarkRow) MarkSearched(row *steps.CheckedRow, head, found int) {
	b.mark(row.Tidied, head, found, row.Shift.Center, row.Shift.Absolute)
}

func (b *BenchmarkRow) mark(unit string, head, at int, change float64, absolute bool) {
	for i := range b.Lines {
		r := &b.Lines[i]
		if r.State == "regressed" || r.State == "drift" || r.Last > head || r.Branch != "" || r.Unit != unit {
			continue
		}
		if r.State, r.ChangeAt = stateChecked, at; !absolute {
			r.Change = numberOrNil(change)
		}
	}
}

func sideOf(s compare.Side, at Lookup) ComparisonSide {
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

// commandFor returns the command to measure a trial again, or to measure unpaired runs as a trial.
// It contains only commit hashes, so it is safe to paste.
func commandFor(c *compare.Comparison) string {
	if base, head := c.Base.Revision(), c.Head.Revision(); c.Trial() && base != "" && head != "" {
		return "perftrack check --base " + base + " --head " + head + c.IsolateFlag()
	}
	return c.DecideCommand()
}
