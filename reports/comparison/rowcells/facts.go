package rowcells

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// TableFacts returns the lines that benchstat prints above a table, with both values where the
// sides differ.
func TableFacts(t *compare.Table) []reports.Fact {
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

// Thresholds formats the threshold of all rows or the range of their thresholds: "5 %", "3 % to 5
// %".
func Thresholds(c *compare.Comparison) string {
	least, most := math.Inf(1), 0.0
	for r := range c.Rows() {
		least, most = min(least, r.Threshold), max(most, r.Threshold)
	}
	return reports.Levels(least, most)
}
