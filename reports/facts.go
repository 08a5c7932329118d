package reports

import (
	"cmp"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// CommitName returns the short hash of a commit, marked as dirty if the work tree had changes.
func CommitName(c record.Commit) string {
	name := record.ShortHash(c.SHA)
	if c.Dirty {
		name = strings.TrimPrefix(name+" (dirty)", " ")
	}
	return name
}

// EnvironmentFacts lists the settings of an environment in the order of record.EnvironmentKeys. If
// the two sides of a comparison differ in a setting, it shows both values.
func EnvironmentFacts(env record.Settings, different []pairs.Difference) []Fact {
	var out []Fact
	for _, key := range record.EnvironmentKeys {
		value := env.Get(key)
		if key == record.KeyGOMAXPROCS && env.WholeNames() {
			value = "" // the program does not know it
		}
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

// AddShortfalls adds the partial and failed runs and the failed benchmarks to a report.
func AddShortfalls(r *Report, runs []*record.Run) {
	failed := List{Title: "failed"}
	for _, run := range runs {
		if run.Status == record.Partial || run.Status == record.Failed {
			r.Remarks = append(r.Remarks, Note{Text: "a run is " + string(run.Status), Detail: commitFact(run)})
		}
		for _, f := range run.Failures {
			failed.Items = append(failed.Items, Note{Text: "", Detail: FailureName(run.Target, f.Benchmark) + ": " + f.Reason})
		}
	}
	if len(failed.Items) > 0 {
		r.Lists = append(r.Lists, failed)
	}
}

// RunFacts describes a run by its target, commit, time of measurement and environment.
func RunFacts(r *record.Run) []Fact {
	var out []Fact
	add := func(key, value string) {
		if value != "" {
			out = append(out, Fact{Key: key, Value: value})
		}
	}
	add("target", r.Target)
	add("commit", commitFact(r))
	add("measured", measuredFact(r))
	return append(out, EnvironmentFacts(r.Env, nil)...)
}

// measuredFact returns the date and time of the measurement, which may be much later than the
// commit.
func measuredFact(r *record.Run) string {
	if r.Start.IsZero() {
		return ""
	}
	return r.Start.UTC().Format("2006-01-02 15:04 UTC")
}

// commitFact returns a run's commit with its branch and date.
func commitFact(r *record.Run) string {
	var parts []string
	name := CommitName(r.Commit)
	if name == "" {
		name = "unknown"
	}
	made := Day(r.Commit.Time)
	if made != "" {
		made = "committed " + made
	}
	for _, p := range []string{name, r.Commit.Branch, made} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// FailureName names what failed: a benchmark of a target, or the target itself, whose failures may
// carry its name, too.
func FailureName(target, benchmark string) string {
	if benchmark == "" || benchmark == target {
		return target
	}
	return strings.TrimSpace(target + " " + benchmark)
}
