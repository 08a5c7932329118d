package reports

import (
	"cmp"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// CommitName is the short hash of a commit, marked if the work tree was dirty.
func CommitName(c record.Commit) string {
	name := record.ShortHash(c.SHA)
	if c.Dirty {
		name = strings.TrimPrefix(name+" (dirty)", " ")
	}
	return name
}

// EnvironmentFacts lists an environment in the order of record.EnvironmentKeys. A fact on
// which two environments differ names both values.
func EnvironmentFacts(env record.Settings, different []compare.Difference) []Fact {
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

// AddShortfalls adds to a report which of its runs are partial or failed, and which
// benchmarks failed.
func AddShortfalls(r *Report, runs []*record.Run) {
	failed := List{Title: "failed"}
	for _, run := range runs {
		if run.Status == record.Partial || run.Status == record.Failed {
			r.Remarks = append(r.Remarks, Note{Text: "a run is " + string(run.Status), Detail: commitFact(run)})
		}
		for _, f := range run.Failures {
			failed.Items = append(failed.Items, Note{Text: "", Detail: strings.TrimSpace(run.Target+" "+f.Benchmark) + ": " + f.Reason})
		}
	}
	if len(failed.Items) > 0 {
		r.Lists = append(r.Lists, failed)
	}
}

// RunFacts are the target, the commit and the environment of a run.
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

// measuredFact says when a run was measured, which may be long after its commit was made.
func measuredFact(r *record.Run) string {
	if r.Start.IsZero() {
		return ""
	}
	return r.Start.UTC().Format("2006-01-02 15:04 UTC")
}

// commitFact is a run's commit with its branch and the date that it was made.
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
