package comparison

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// sides describes both sides: their names, commits (date, author and subject), days of measurement
// and numbers of samples.
func (v View) sides(c *compare.Comparison) []reports.Fact {
	facts := []reports.Fact{v.side("base", c.Base), v.side("head", c.Head)}
	var days, counts []string
	for _, s := range []compare.Side{c.Base, c.Head} {
		for _, r := range s.Runs {
			if day := reports.Day(r.Start); day != "" && !slices.Contains(days, day) {
				days = append(days, day)
			}
		}
	}
	slices.Sort(days)
	if len(days) > 2 {
		days = []string{days[0] + " to " + days[len(days)-1]}
	}
	n := [2]string{
		samplesText(c, func(r *compare.Row) int { return r.Base.N }),
		samplesText(c, func(r *compare.Row) int { return r.Head.N }),
	}
	if counts = append(counts, n[0]); n[0] != n[1] {
		counts = []string{"base " + n[0], "head " + n[1]}
	}
	if n := sessions(c.Head); n > 1 {
		counts = append(counts, fmt.Sprintf("in %d checks of one trial", n))
	}
	return append(facts, reports.Fact{Key: "measured", Value: strings.Join(append(days, counts...), ", ")})
}

// sessions returns the number of checks that measured a side's trial, or 0 if there are several
// trials or a run was not measured by check.
func sessions(s compare.Side) (most int) {
	of := map[string]int{} // number of runs by target
	for _, r := range s.Runs {
		if r.Trial != s.Runs[0].Trial || r.Protocol.Procedure != pairs.ProcedureCheck {
			return 0
		}
		switch spread := r.Protocol.Spread; {
		case len(r.Benchmarks) == 0:
		case spread != nil: // a check has several runs
			most = max(most, spread.Session, 1)
		default:
			of[r.Target]++
			most = max(most, of[r.Target])
		}
	}
	return most
}

// side describes one side. key is the key of the fact.
func (v View) side(key string, s compare.Side) reports.Fact {
	var parts []string
	add := func(p string) {
		if p != "" && !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	if s.Label != s.Commit() { // the abbreviated commit follows anyway
		add(s.Label)
	}
	f := reports.Fact{Key: key}
	for _, r := range s.Runs {
		add(reports.CommitName(r.Commit))
	}
	if sha := s.Commit(); sha != "" {
		about := Commit{}
		if v.Commit != nil {
			about, _ = v.Commit(sha)
		}
		var made []string
		if day := reports.Day(s.Runs[0].Commit.Time); day != "" {
			made = append(made, "committed "+day)
		}
		if about.Author != "" {
			made = append(made, "by "+about.Author)
		}
		add(strings.Join(made, " "))
		f.Tail = about.Subject
	}
	if len(s.Runs) == 1 && s.Runs[0].Commit.Time.IsZero() {
		add(generated(s.Runs[0]))
	}
	f.Value = cmp.Or(strings.Join(parts, ", "), "no runs")
	return f
}

// whenGenerated matches the date and time in a printed report.
var whenGenerated = regexp.MustCompile(`^[0-9]{4}-[01][0-9]-[0-3][0-9]( [0-2][0-9]:[0-5][0-9](:[0-5][0-9])?)?`)

// generated returns the date in the text of an imported report, as in "generated 2026-01-05", or ""
// if the text has no date.
func generated(r *record.Run) string {
	if at := whenGenerated.FindString(r.Facts.Get(record.KeyGenerated)); at != "" {
		return "generated " + at
	}
	return ""
}

// samplesText formats the number of samples in the rows of a side. n returns the number for one
// row.
func samplesText(c *compare.Comparison, n func(*compare.Row) int) string {
	least, most := math.MaxInt, 0
	for row := range c.Rows() {
		if k := n(row); k > 0 {
			least, most = min(least, k), max(most, k)
		}
	}
	switch {
	case most == 0:
		return "no samples"
	case least == most:
		return fmt.Sprintf("n=%d", most)
	}
	return fmt.Sprintf("n=%d..%d", least, most)
}
