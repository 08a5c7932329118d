package family

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// What the rules of high severity find.

// regressed are the rows that regressed in the comparison's trial and that nobody accepted. Rows
// that show the change of another one are part of that.
func regressed(v *view) (out []action) {
	if v.Compared == nil {
		return nil
	}
	rows := slices.SortedStableFunc(v.Compared.Rows(), func(a, b *compare.Row) int { return largestFirst(a.Unit, a.Shift, b.Unit, b.Shift) })
	for _, r := range rows {
		if r.Verdict == compare.Regressed && !r.Accepted() && r.CorrelatedWith == nil {
			a := action{on: rowName(r), evidence: fmt.Sprintf("%s %s in the trial, %s", r.Unit, rowChange(r).Shown(), reports.Plural(r.Rounds, "round")), command: v.explainCommand(r)}
			base, head := sideCommit(v.Compared.Base), sideCommit(v.Compared.Head)
			if found := v.foundOf(r.Target, r.BenchmarkID, r.Unit); found.Commit != "" {
				out = append(out, v.afterSearch(a, r.Target, r.BenchmarkID, found))
				continue
			}
			out = append(out, v.keptOf(r.Target, r.BenchmarkID, base, head).explained(a))
		}
	}
	return out
}

// rowName names a row of the comparison.
func rowName(r *compare.Row) string { return reports.BenchmarkName(r.Target, r.BenchmarkID) }

// A regression in force, and how many others show the same because they contain it.
type regression struct {
	steps.Regression
	with []string
}

// regressions are those in force; a step of rows that lie in each other is that of the innermost.
func (v *view) regressions() (out []regression) {
	type key struct {
		target, environment, unit, suite, pkg, last, first string
		kind                                               record.Kind
	}
	groups := map[key][]string{}
	keyOf := func(r steps.Regression) key {
		return key{r.Target, r.Environment, r.Unit, r.Suite, r.Package, r.Step.Last.Commit, r.Step.First.Commit, r.Kind}
	}
	for _, r := range v.Regressions.List {
		groups[keyOf(r)] = append(groups[keyOf(r)], r.Name)
	}
	for _, r := range v.Regressions.List {
		if r.Kind == record.Scope && r.Tidied != "sec/op" && r.Tidied != "B/op" {
			continue // those of its parts say the same
		}
		around := naming.Nesting(r.Kind, groups[keyOf(r)])
		if containsOthers(around, r.Name) {
			continue // another one, within it, shows it
		}
		out = append(out, regression{r, outside(around, r.Name)})
	}
	return out
}

// outside are all rows that contain the row, directly or not.
func outside(around map[string][]string, name string) (all []string) {
	for _, p := range around[name] {
		if !slices.Contains(all, p) {
			all = append(all, p)
			for _, q := range outside(around, p) {
				if !slices.Contains(all, q) {
					all = append(all, q)
				}
			}
		}
	}
	return all
}

func inForce(v *view) (out []action) {
	for _, r := range v.regressions() {
		if r.Step.Drift == 0 {
			out = append(out, v.stepAction(r))
		}
	}
	return out
}

// drifts are those for the worse, which a machine can make, too.
func drifts(v *view) (out []action) {
	for _, r := range v.regressions() {
		if r.Step.Drift > 0 {
			out = append(out, v.stepAction(r))
		}
	}
	return out
}

func (v *view) stepAction(r regression) action {
	evidence := fmt.Sprintf("%s %s", r.Tidied, shiftCell(r.Tidied, r.Step.Shift).Shown())
	if r.Step.Drift > 0 {
		evidence += " over " + reports.Plural(r.Step.Drift, "run")
	}
	if at := commits(r.Step.Last.Commit, r.Step.First.Commit); at != "" {
		evidence += " in " + at
	}
	if day := reports.Day(r.When); day != "" {
		evidence += ", " + day
	}
	if now := relative(r.Step.Now).Text; now != "" {
		evidence += ", now " + now
	}
	if n := len(r.with); n > 0 {
		evidence += "; shows in " + reports.Plural(n, "row") + " around it"
	}
	a := action{on: reports.BenchmarkName(r.Target, r.BenchmarkID), evidence: evidence, command: v.findCommand(r.Regression)}
	if r.Step.Found.Commit != "" {
		return v.afterSearch(a, r.Target, r.BenchmarkID, r.Step.Found)
	}
	search := a.command
	a = v.keptOf(r.Target, r.BenchmarkID, record.ShortHash(r.Step.Last.Commit), record.ShortHash(r.Step.First.Commit)).explained(a)
	if v.Commits[[2]string{r.Step.Last.Commit, r.Step.First.Commit}] > 1 { // which of them it was, no profile tells
		a.command = search
	}
	return a
}

// findCommand finds the commit of a step. Scopes are not searched for: their two sides are
// compared.
func (v *view) findCommand(r steps.Regression) string {
	last, first := r.Step.Last.Commit, r.Step.First.Commit
	n := v.Commits[[2]string{last, first}]
	if n == 0 || r.Kind == record.Scope {
		if last == "" || first == "" {
			return ""
		}
		return command("perftrack", "compare", record.ShortHash(last), record.ShortHash(first))
	}
	targets := map[string]bool{}
	for i := range v.Runs {
		targets[v.Runs[i].Target] = true
	}
	return site.FindCommand(site.Place{
		Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit, After: last, UpTo: first, Commits: n, Drift: r.Step.Drift,
		OneTarget: len(targets) == 1, DefaultUnits: r.Tidied == "sec/op",
	})
}

// failed are the benchmarks that gave no samples: of the head of the comparison and of the
// current runs.
func failed(v *view) (out []action) {
	seen := map[action]bool{}
	add := func(target string, f record.Failure) {
		a := action{on: strings.TrimSpace(target + " " + f.Benchmark), evidence: reports.Printable(f.Reason)}
		if !seen[a] {
			seen[a], out = true, append(out, a)
		}
	}
	if v.Compared != nil {
		for _, f := range v.Compared.Failures {
			if f.Side == record.Head {
				add(f.Target, f.Failure)
			}
		}
	}
	for _, run := range v.Current {
		for _, f := range run.Failures {
			add(run.Target, f)
		}
	}
	return out
}

func missedLimits(v *view) []action {
	if v.Compared != nil && v.Compared.FailedLimits(true) > 0 {
		return []action{{evidence: reports.Plural(v.Compared.FailedLimits(true), "limit") + " missed that the base meets; the comparison names them"}}
	}
	if n := v.limitsIn(limit.Missed); n > 0 {
		return []action{{evidence: reports.Plural(n, "limit") + " missed by the newest run; the summary names them"}}
	}
	return nil
}

// What those of medium severity find.

func suspects(v *view) []action { return v.undecided(compare.Suspect, "differ, measured apart") }

func inconclusive(v *view) []action {
	return v.undecided(compare.Inconclusive, "inconclusive")
}

// undecided is one action for all rows of a verdict.
func (v *view) undecided(verdict compare.Verdict, words string) []action {
	if v.Compared == nil {
		return nil
	}
	n, rows, first := 0, 0, ""
	for r := range v.Compared.Rows() {
		if r.Compared() && !r.Derived {
			rows++
		}
		if r.Verdict == verdict && !v.Compared.Settled(r) {
			if n++; n == 1 {
				first = rowName(r)
			}
		}
	}
	if n == 0 {
		return nil
	}
	if n > 1 {
		first += fmt.Sprintf(" and %d more", n-1)
	}
	return []action{{on: first, evidence: fmt.Sprintf("%d of %d rows %s", n, rows, words), command: v.Compared.DecideCommand()}}
}

// offWorse and offBetter are the newest runs that lie far off their level, for the worse and not.
func offWorse(v *view) []action  { return v.offLevel(true) }
func offBetter(v *view) []action { return v.offLevel(false) }

func (v *view) offLevel(worse bool) (out []action) {
	for _, c := range v.courses {
		n := len(c.Outliers)
		if n == 0 || !c.Outliers[n-1].Open || c.Kind == record.Scope && c.Tidied != "sec/op" {
			continue
		}
		o := c.Outliers[n-1]
		if (o.Change*float64(c.better()) < 0) != worse {
			continue
		}
		size := reports.PlainChange(o.Change)
		if o.FromZero() {
			size = "+" + amount(o.Value, c.Tidied)
		}
		a := action{on: reports.BenchmarkName(c.Target, c.BenchmarkID), evidence: fmt.Sprintf("%s %s from its level at the newest run, %s", c.Tidied, size, reports.HashOrDash(o.Commit))}
		if c.Kind == record.Bench {
			a.command = command("perftrack", "run", c.Target, "--bench", exactly(c.Name))
		}
		out = append(out, a)
	}
	return out
}

// notClean are the targets whose newest run stands in no history.
func notClean(v *view) (out []action) {
	newest := map[string]record.RunInfo{}
	var targets []string
	for _, r := range v.Runs {
		if _, ok := newest[r.Target]; !ok {
			targets = append(targets, r.Target)
		}
		newest[r.Target] = r
	}
	for _, target := range targets {
		r := newest[target]
		var why []string
		if r.Commit.Dirty {
			why = append(why, "of uncommitted changes")
		}
		if r.Status == record.Partial || r.Status == record.Failed {
			why = append(why, string(r.Status))
		}
		if len(why) > 0 {
			out = append(out, action{on: target, evidence: "its newest run is " + strings.Join(why, " and "), command: command("perftrack", "run", target)})
		}
	}
	return out
}

// What those of low severity find.

// muchOfWork is the share of all work from which on a scope is named as a bottleneck.
const muchOfWork = 0.25

func hottest(v *view) (out []action) {
	for _, b := range v.bottlenecks() {
		if b.share >= muchOfWork {
			cmd := ""
			if sha := b.run.Commit.SHA; sha != "" {
				cmd = command("perftrack", "profile", "--show", record.ShortHash(sha))
			}
			out = append(out, action{on: b.name, evidence: fmt.Sprintf("%s of the profiled time is its own: %s",
				reports.Portion(b.share), profile.GainWords(b.share)), command: cmd})
		}
	}
	return out
}

func noTrial(v *view) []action {
	for i := range v.Runs {
		if v.Runs[i].Trial != "" && v.Runs[i].Facts.Get(record.KeyProcedure) != compare.ProcedureCalibrate {
			return nil
		}
	}
	if len(v.Runs) == 0 {
		return nil
	}
	return []action{{evidence: "no two commits were ever measured side by side", command: v.checkCommand()}}
}

// uncalibrated are the targets of which no calibration in their newest environment is stored.
func uncalibrated(v *view) (out []action) {
	for _, run := range v.Current {
		env := run.Env.EnvironmentID()
		if run.Env.Get(record.KeyCPU) == "" || slices.ContainsFunc(out, func(a action) bool { return a.on == run.Target }) {
			continue // of an import nothing tells where it was measured
		}
		if !slices.ContainsFunc(v.Calibrations, func(c Calibration) bool { return c.Target == run.Target && c.Environment == env }) {
			out = append(out, action{on: run.Target, evidence: "no calibration in the environment of its newest run: its noise is not known", command: command("perftrack", "calibrate", run.Target)})
		}
	}
	return out
}

func noProfile(v *view) []action {
	if len(v.readings) == 0 {
		return nil
	}
	for _, r := range v.readings {
		if r.Kind == record.Scope {
			return nil
		}
	}
	return []action{{evidence: "no profile is stored", command: v.profileCommand()}}
}

func tooFew(v *view) []action {
	short, all := v.tooShort()
	if short == 0 {
		return nil
	}
	least, needs := math.MaxInt, 0
	for _, l := range v.Regressions.Lines {
		if !l.Enough {
			least, needs = min(least, l.Runs), max(needs, l.Needs)
		}
	}
	a := action{evidence: fmt.Sprintf("%d of %d lines have too few runs: some have %d, a step takes up to %d", short, all, least, needs)}
	switch back := min(needs, v.Depth-1); {
	case back > 0:
		a.command = fmt.Sprintf("perftrack backfill HEAD~%d..HEAD", back)
	case v.Depth == 1:
		a.evidence += "; there is one commit: measure it again, and each that follows"
		a.command = "perftrack run"
	}
	return []action{a}
}

// environments are the targets whose current values are of several.
func environments(v *view) (out []action) {
	of := map[string][]string{}
	for _, run := range v.Current {
		if id := run.Env.EnvironmentID(); !slices.Contains(of[run.Target], id) {
			of[run.Target] = append(of[run.Target], id)
		}
	}
	for _, run := range v.Current {
		if n := len(of[run.Target]); n > 1 {
			out = append(out, action{on: run.Target, evidence: fmt.Sprintf("its newest values are of %d environments", n)})
			delete(of, run.Target)
		}
	}
	return out
}
