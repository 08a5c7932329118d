package comparison

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// Environment returns the facts about a table's environment, with both values where the sides
// differ. The values are external text.
func Environment(t *compare.Table) []reports.Fact {
	var env record.Settings
	for _, e := range t.Env {
		if env == nil {
			env = e
		}
	}
	return reports.EnvironmentFacts(env, t.Different)
}

// sideFact describes a side by its label, commits, dates and number of samples. n returns the
// number of samples of a row on this side.
func sideFact(key string, s compare.Side, c *compare.Comparison, n func(*compare.Row) int) reports.Fact {
	var parts []string
	add := func(p string) {
		if p != "" && !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	add(s.Label)
	for _, r := range s.Runs {
		add(reports.CommitName(r.Commit))
	}
	for _, r := range s.Runs {
		add(reports.Day(r.Start))
	}
	add(samplesText(c, n))
	return reports.Fact{Key: key, Value: strings.Join(parts, ", ")}
}

// decisionFact states the error rate and the threshold of the verdicts. The key of the fact
// distinguishes trials from comparisons of unpaired runs. decisionFact returns false if there is
// nothing to decide.
func decisionFact(c *compare.Comparison) (reports.Fact, bool) {
	if c.Tested == 0 && (!c.Trial() || len(c.Tables) == 0) {
		return reports.Fact{}, false
	}
	key, value := "unpaired", "alpha "+reports.Level(c.Options.Alpha)+", threshold "+rowcells.Thresholds(c)
	if c.Trial() {
		key = "trial"
		value += ", interval " + reports.Level(1-2*c.Options.Alpha) + noiseFloor(c)
	}
	return reports.Fact{Key: key, Value: value + ", " + reports.Plural(c.Tested, "row") + " tested"}, true
}

// noiseFloor states the largest known noise floor of the rows, or returns "" if all are unknown.
func noiseFloor(c *compare.Comparison) string {
	most := 0.0
	for r := range c.Rows() {
		most = max(most, r.Noise)
	}
	if most == 0 {
		return ""
	}
	return ", noise floor up to " + reports.Portion(most)
}

// inShort condenses the facts about a table's environment into two lines: the machine and the
// build.
func inShort(facts []reports.Fact) (out []reports.Fact) {
	var machine, made []string
	at := -1
	for _, f := range facts {
		if !slices.Contains(record.EnvironmentKeys, f.Key) {
			out = append(out, f)
			continue
		}
		if at < 0 {
			at = len(out)
		}
		switch f.Key {
		case record.KeyGoVersion, record.KeyGOAMD64, record.KeyBuildFlags, record.KeyLayout, record.KeySIMD:
			made = append(made, factInShort(f))
		default:
			machine = append(machine, factInShort(f))
		}
	}
	if len(machine) > 0 {
		out = slices.Insert(out, at, reports.Fact{Key: "machine", Value: strings.Join(machine, ", ")})
		at++
	}
	if len(made) > 0 {
		out = slices.Insert(out, at, reports.Fact{Key: "build", Value: strings.Join(made, ", ")})
	}
	return out
}

// factInShort returns a fact as text, without its key if the value is clear without it.
func factInShort(f reports.Fact) string {
	switch f.Key {
	case record.KeyGOOS, record.KeyGOARCH, record.KeyCPU, record.KeyGoVersion:
		return f.Value
	case record.KeyCPUCount:
		if f.Value == "1" {
			return "1 CPU"
		}
		return f.Value + " CPUs"
	}
	return f.Key + " " + f.Value
}
