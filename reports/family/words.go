package family

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// number returns a cell with a value, written with its unit and a suitable prefix.
func number(x float64, unit string) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: amount(x, unit), Value: x}
}

// amount formats a value with its unit and a suitable prefix.
func amount(x float64, unit string) string {
	return reports.Quantity{Value: x, Unit: unit}.String()
}

// measured returns a cell with a center and its interval.
func measured(s compare.Summary, unit string) reports.Cell {
	if s.N == 0 {
		return reports.Cell{}
	}
	c := number(s.Center, unit)
	if s.N > 1 && c.Text != "" {
		c.Range = reports.Interval(s)
	}
	return c
}

// shiftCell returns a cell with a change and its interval. An absolute change is shown as a
// difference in the given unit.
func shiftCell(unit string, s stat.Shift) reports.Cell {
	if !s.Absolute {
		c := reports.EstimateCell(unit, s, false)
		c.Value = s.Center
		return c
	}
	size := func(x float64) string {
		if x < 0 {
			return "-" + amount(-x, unit)
		}
		return "+" + amount(x, unit)
	}
	c := reports.Cell{Text: size(s.Center), Value: s.Center}
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		c.Range = fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))
	}
	return c
}

// share returns a cell with a share of a whole, given as a fraction.
func share(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.Portion(x), Value: x}
}

// relative returns a cell with a relative change without an interval.
func relative(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.PlainChange(x), Value: x}
}

// text returns a cell with the given text.
func text(s string) reports.Cell { return reports.Cell{Text: s} }

// exactly returns a pattern for `--bench` matching only the named benchmark.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// runFacts describes the run that a section is based on.
func runFacts(r *record.Run, suite string) []reports.Fact {
	facts := []reports.Fact{{Key: "target", Value: r.Target}}
	if suite != "" {
		facts = append(facts, reports.Fact{Key: "suite", Value: suite})
	}
	commit := cmp.Or(reports.CommitName(r.Commit), "unknown")
	if day := reports.Day(when(r)); day != "" {
		commit += ", " + day
	}
	facts = append(facts, reports.Fact{Key: "commit", Value: commit})
	if env := environment(r.Env); env != "" {
		facts = append(facts, reports.Fact{Key: "environment", Value: env})
	}
	if r.Status != record.Complete && r.Status != "" {
		facts = append(facts, reports.Fact{Key: "status", Value: string(r.Status)})
	}
	return facts
}

// figureFacts describes the run that figures are based on, and says so if they come from a profile.
func figureFacts(f inference.Figures) []reports.Fact {
	facts := runFacts(f.Run, f.Suite)
	if f.Kind == record.Scope {
		facts = append(facts, reports.Fact{Key: "rows", Value: "scopes in a profile"})
	}
	return facts
}

// environment describes an environment in a few words.
func environment(s record.Settings) string {
	var parts []string
	for _, key := range []string{record.KeyMachine, record.KeyCPU, record.KeyGOMAXPROCS, record.KeyGoVersion, record.KeySIMD} {
		value := s.Get(key)
		switch {
		case key != record.KeyGOMAXPROCS || value == "":
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

// commits returns the range last..first with abbreviated hashes, or "" if one of the commits is
// unknown.
func commits(last, first string) string {
	if last == "" || first == "" {
		return ""
	}
	return record.ShortHash(last) + ".." + record.ShortHash(first)
}

func verdictCell(v compare.Verdict) reports.Cell {
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
