package comparison

import (
	"fmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// FailedWords describes failures. For benchmarks, the caller puts the number of benchmarks in front
// of the words. For packages and targets, the words include the number and whole is true.
func FailedWords(f compare.Failed) (words string, whole bool) {
	where := map[record.Side]string{record.Base: "in base", record.Head: "in head"}[f.Side]
	switch f.What {
	case compare.FailedBenchmark:
		if where == "" {
			where = "on both sides"
		}
		return "failed " + where, false
	case compare.FailedWholly:
		if where == "" {
			where = "on both sides"
		}
		return reports.Plural(f.N, "target") + " failed " + where, true
	}
	noun, does := "package", "does not build"
	if f.What == compare.FailedBuild {
		noun = "target"
	}
	if f.N > 1 {
		does = "do not build"
	}
	if where == "" {
		where = "on either side"
	}
	return fmt.Sprintf("%s %s %s", reports.Plural(f.N, noun), does, where), true
}

// failedParts describes all failures, with their numbers.
func failedParts(c *compare.Comparison) (parts []string) {
	for _, f := range c.CountFailures() {
		words, whole := FailedWords(f)
		if !whole {
			words = fmt.Sprintf("%d %s", f.N, words)
		}
		parts = append(parts, words)
	}
	return parts
}

// UntriedWords counts the base's targets and benchmarks that are missing from the trial. It returns
// "" if there are none.
func UntriedWords(c *compare.Comparison) string {
	targets, benchmarks := 0, 0
	for _, u := range c.Untried {
		if n := len(u.Benchmarks) + u.More; n > 0 {
			benchmarks += n
		} else {
			targets++
		}
	}
	switch {
	case targets > 0 && benchmarks > 0:
		return reports.Plural(targets, "target") + " and " + reports.Plural(benchmarks, "benchmark") + " in the base not measured"
	case targets > 0:
		return reports.Plural(targets, "target") + " in the base not measured"
	case benchmarks > 0:
		return reports.Plural(benchmarks, "benchmark") + " in the base not measured"
	}
	return ""
}
