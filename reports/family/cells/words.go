// Package cells makes the cells, bars and facts in the reports for people.
//
// words.go contains cells with values and the facts about runs, and bar.go the drawn cells.
package cells

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// Number returns a cell with a value, written with its unit and a suitable prefix.
func Number(x float64, unit string) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: Amount(x, unit), Value: x}
}

// Amount formats a value with its unit and a suitable prefix.
func Amount(x float64, unit string) string {
	return reports.Quantity{Value: x, Unit: unit}.String()
}

// Measured returns a cell with a center and its interval.
func Measured(s compare.Summary, unit string) reports.Cell {
	if s.N == 0 {
		return reports.Cell{}
	}
	c := Number(s.Center, unit)
	if s.N > 1 && c.Text != "" {
		c.Range = reports.Interval(s)
	}
	return c
}

// Shift returns a cell with a change and its interval. An absolute change is shown as a
// difference in the given unit.
func Shift(unit string, s stat.Shift) reports.Cell {
	if !s.Absolute {
		c := reports.EstimateCell(unit, s, false)
		c.Value = s.Center
		return c
	}
	size := func(x float64) string {
		if x < 0 {
			return "-" + Amount(-x, unit)
		}
		return "+" + Amount(x, unit)
	}
	c := reports.Cell{Text: size(s.Center), Value: s.Center}
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		c.Range = fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))
	}
	return c
}

// Share returns a cell with a share of a whole, given as a fraction.
func Share(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.Portion(x), Value: x}
}

// Relative returns a cell with a relative change without an interval.
func Relative(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.PlainChange(x), Value: x}
}

// Text returns a cell with the given text.
func Text(s string) reports.Cell { return reports.Cell{Text: s} }

// RunFacts describes the run that a section is based on.
func RunFacts(r *record.Run, suite string) []reports.Fact {
	facts := []reports.Fact{{Key: "target", Value: r.Target}}
	if suite != "" {
		facts = append(facts, reports.Fact{Key: "suite", Value: suite})
	}
	commit := cmp.Or(reports.CommitName(r.Commit), "unknown")
	if day := reports.Day(When(r)); day != "" {
		commit += ", " + day
	}
	facts = append(facts, reports.Fact{Key: "commit", Value: commit})
	if env := Environment(r.Env); env != "" {
		facts = append(facts, reports.Fact{Key: "environment", Value: env})
	}
	if r.Status != record.Complete && r.Status != "" {
		facts = append(facts, reports.Fact{Key: "status", Value: string(r.Status)})
	}
	return facts
}

// FigureFacts describes the run that figures are based on, and mentions if they come from a
// profile.
func FigureFacts(f inference.Figures) []reports.Fact {
	facts := RunFacts(f.Run, f.Suite)
	if f.Kind == record.Scope {
		facts = append(facts, reports.Fact{Key: "rows", Value: "scopes in a profile"})
	}
	return facts
}

// Environment describes an environment in a few words.
func Environment(s record.Settings) string {
	var parts []string
	for _, key := range []string{record.KeyMachine, record.KeyCPU, record.KeyGOMAXPROCS, record.KeyGoVersion, record.KeySIMD} {
		value := s.Get(key)
		switch {
		case key != record.KeyGOMAXPROCS || value == "":
		case s.WholeNames():
			value = ""
		case value == record.ProcsInNames:
			value = "threads as given in the name"
		default:
			value += " threads"
		}
		if key == record.KeySIMD && value != "" {
			value = "SIMD " + value
		}
		if value != "" {
			parts = append(parts, value)
		}
	}
	return strings.Join(parts, ", ")
}

// Verdict returns a cell with a verdict in the color of its meaning.
func Verdict(v compare.Verdict) reports.Cell {
	c := reports.Cell{Text: string(v)}
	switch v {
	case compare.Regressed:
		c.Tone = reports.Bad
	case compare.Improved, compare.Unchanged:
		c.Tone = reports.Good
	case compare.Suspect, compare.Inconclusive, compare.NotChecked, compare.NotComparable, compare.Changed:
		c.Tone = reports.Warn
	}
	return c
}

// When returns the time of the run's commit or, if that is unknown, of the measurement.
func When(r *record.Run) time.Time {
	if r.Commit.Time.IsZero() {
		return r.Start
	}
	return r.Commit.Time
}
