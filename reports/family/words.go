package family

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// number shows a value in its unit, with a prefix that suits it, and keeps the value.
func number(x float64, unit string) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: amount(x, unit), Value: x}
}

// amount is a value with its unit.
func amount(x float64, unit string) string {
	switch num, per, _ := strings.Cut(unit, "/"); {
	case num == "sec":
		return reports.Scaled(x, benchunit.Decimal) + "s" + over(per)
	case num == "B" || num == "bytes":
		return reports.Scaled(x, benchunit.Binary) + "B" + over(per)
	case unit == "allocs/op":
		return plain(x).Text
	case unit == "":
		return reports.Scaled(x, benchunit.Decimal)
	}
	return reports.ScaleFor(unit, x).Format(x) + " " + reports.Printable(unit)
}

// over is the lower part of a unit; that of an operation goes without saying.
func over(per string) string {
	if per == "" || per == "op" {
		return ""
	}
	return "/" + reports.Printable(per)
}

// measured shows a center with its interval.
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

// shiftCell shows a change with its interval. Where one side is 0 it is a difference in the unit.
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

// share is a part of a whole as a fraction.
func share(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.Portion(x), Value: x}
}

// relative is a change that has no interval.
func relative(x float64) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: reports.PlainChange(x), Value: x}
}

// text is a cell of words.
func text(s string) reports.Cell { return reports.Cell{Text: s} }

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./=:+,@%-][A-Za-z0-9_./=:+,@%~-]*$`)

// command joins the words of a command line as a shell takes them. It is "" where a word cannot
// be shown as it is: a command that looks like another one is worse than none.
func command(words ...string) string {
	for i, w := range words {
		switch {
		case w != reports.Printable(w):
			return ""
		case !plainWord.MatchString(w):
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// exactly is a pattern of `--bench` for one benchmark.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// runFacts say which run a section is of.
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

// figureFacts say of which run figures are, and whether of its profile.
func figureFacts(f inference.Figures) []reports.Fact {
	facts := runFacts(f.Run, f.Suite)
	if f.Kind == record.Scope {
		facts = append(facts, reports.Fact{Key: "rows", Value: "scopes of a profile"})
	}
	return facts
}

// environment names one in a few words.
func environment(s record.Settings) string {
	var parts []string
	for _, key := range []string{record.KeyMachine, record.KeyCPU, record.KeyGOMAXPROCS, record.KeyGoVersion, record.KeySIMD} {
		value := s.Get(key)
		switch {
		case key != record.KeyGOMAXPROCS || value == "":
		case value == record.ProcsInNames:
			value = "threads as the name says"
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

// commits names two ends of a range, "" where one of them has no hash.
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
