package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Environment returns the facts of the environments of a table. A fact on which the sides
// differ names both values. The values come from outside.
func Environment(t *compare.Table) []reports.Fact {
	var env record.Settings
	for _, e := range t.Env {
		if env == nil {
			env = e
		}
	}
	return reports.EnvironmentFacts(env, t.Different)
}

// sideFact says what a side is: its label, commits, dates and number of samples.
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

// decisionFact states the error rate and the threshold of the verdicts, and whether the
// sides were measured in one trial.
func decisionFact(c *compare.Comparison) (reports.Fact, bool) {
	if c.Tested == 0 && (!c.Trial() || len(c.Tables) == 0) {
		return reports.Fact{}, false
	}
	key, value := "apart", fmt.Sprintf("alpha %.3g%%, threshold %s", 100*c.Options.Alpha, thresholds(c))
	if c.Trial() {
		key = "trial"
		value += fmt.Sprintf(", interval %.3g%%", 100*(1-2*c.Options.Alpha)) + noiseFloor(c)
	}
	return reports.Fact{Key: key, Value: value + ", " + reports.Plural(c.Tested, "row") + " tested"}, true
}

// noiseFloor states the largest noise floor that a verdict took into account, if one was
// known.
func noiseFloor(c *compare.Comparison) string {
	most := 0.0
	for r := range c.Rows() {
		most = max(most, r.Noise)
	}
	if most == 0 {
		return ""
	}
	return ", noise floor up to " + strings.ReplaceAll(reports.Portion(most), " ", "")
}

// thresholds states the smallest change worth reporting: "5%", or "3%..5%" where rows
// have different ones.
func thresholds(c *compare.Comparison) string {
	least, most := math.Inf(1), 0.0
	for r := range c.Rows() {
		least, most = min(least, r.Threshold), max(most, r.Threshold)
	}
	if least < most {
		return fmt.Sprintf("%.3g%%..%.3g%%", 100*least, 100*most)
	}
	return fmt.Sprintf("%.3g%%", 100*most)
}

// inShort has the environment of a table in two lines, for people: the machine, and the build. Keys
// that say nothing by themselves keep their names, and what differs stands there with both values.
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

// factInShort is a fact in a list of others.
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

// tableFacts are the lines that benchstat prints above a table. A fact on which the sides
// differ names both values.
func tableFacts(t *compare.Table) []reports.Fact {
	var out []reports.Fact
	add := func(key, value string) {
		if value != "" {
			out = append(out, reports.Fact{Key: key, Value: value})
		}
	}
	add("trial", t.OfTrial)
	add("target", t.Target)
	env := t.Env[0]
	if env == nil {
		env = t.Env[1]
	}
	out = append(out, reports.EnvironmentFacts(env, t.Different)...)
	if t.Kind == record.Scope {
		add(record.KeyProfile, record.ProfileScopes)
	}
	add(record.KeyPackage, t.Package)
	add(record.KeySuite, t.Suite)
	return out
}
