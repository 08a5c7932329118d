package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// sideFact says what a side is: label, commits, date, samples.
func sideFact(key string, s compare.Side, c *compare.Comparison, n func(*compare.Row) int) Fact {
	var parts []string
	add := func(p string) {
		if p != "" && !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	add(s.Label)
	for _, r := range s.Runs {
		add(commitName(r.Commit))
	}
	for _, r := range s.Runs {
		add(day(r.Start))
	}
	least, most := math.MaxInt, 0
	for row := range c.Rows() {
		if k := n(row); k > 0 {
			least, most = min(least, k), max(most, k)
		}
	}
	switch {
	case most == 0:
		add("no samples")
	case least == most:
		add(fmt.Sprintf("n=%d", most))
	default:
		add(fmt.Sprintf("n=%d..%d", least, most))
	}
	return Fact{Key: key, Value: strings.Join(parts, ", ")}
}

// commitName is the short hash with the marks of an impure commit.
func commitName(c record.Commit) string {
	name := shortSHA(c.SHA)
	if c.Dirty {
		name = strings.TrimPrefix(name+" (dirty)", " ")
	}
	return name
}

// decisionFact states the error rate and the threshold of the verdicts, and
// whether the sides were measured in a trial or apart.
func decisionFact(c *compare.Comparison) (Fact, bool) {
	if c.Tested == 0 && (!c.Trial() || len(c.Tables) == 0) {
		return Fact{}, false
	}
	key, value := "apart", fmt.Sprintf("alpha %.3g%%, threshold %s", 100*c.Options.Alpha, thresholds(c))
	if c.Trial() {
		key = "trial"
		value += fmt.Sprintf(", interval %.3g%%", 100*(1-2*c.Options.Alpha)) + noiseFloor(c)
	}
	return Fact{Key: key, Value: value + ", " + plural(c.Tested, "row") + " tested"}, true
}

// noiseFloor is the largest noise floor that verdicts counted with, if one was known.
func noiseFloor(c *compare.Comparison) string {
	most := 0.0
	for r := range c.Rows() {
		most = max(most, r.Noise)
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf(", noise floor up to %.2g%%", 100*most)
}

// thresholds are the smallest changes worth reporting: "5%", "3%..5%".
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

// tableFacts are the lines that benchstat prints above a table. A fact on
// which the sides differ names both.
func tableFacts(t *compare.Table) []Fact {
	var out []Fact
	add := func(key, value string) {
		if value != "" {
			out = append(out, Fact{Key: key, Value: value})
		}
	}
	add("trial", t.OfTrial)
	add("target", t.Target)
	env := t.Env[0]
	if env == nil {
		env = t.Env[1]
	}
	out = append(out, environmentFacts(env, t.Different)...)
	if t.Kind == record.Scope {
		add(record.KeyProfile, record.ProfileScopes)
	}
	add(record.KeyPackage, t.Package)
	add(record.KeySuite, t.Suite)
	return out
}

// environmentFacts lists an environment in the order of record.EnvironmentKeys.
func environmentFacts(env record.Settings, different []compare.Difference) []Fact {
	var out []Fact
	for _, key := range record.EnvironmentKeys {
		value := env.Get(key)
		for _, d := range different {
			if d.Key == key {
				value = cmp.Or(d.Base, "unknown") + " vs " + cmp.Or(d.Head, "unknown")
			}
		}
		if value != "" {
			out = append(out, Fact{Key: key, Value: value})
		}
	}
	return out
}
