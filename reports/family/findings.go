package family

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/family/histories"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// The following rules have high severity.

// regressed finds the regressions in the comparison that are not accepted. It leaves out rows that
// only show the change of another row.
func regressed(v *view) (out []action) {
	if v.Compared == nil {
		return nil
	}
	rows := slices.SortedStableFunc(v.Compared.Rows(), func(a, b *compare.Row) int { return largestFirst(a.Unit, a.Shift, b.Unit, b.Shift) })
	for _, r := range rows {
		if r.Verdict == compare.Regressed && !r.Accepted() && r.CorrelatedWith == nil {
			a := action{on: rowName(r), evidence: fmt.Sprintf("%s %s in the trial, %s", r.Unit, rowChange(r).Shown(), reports.Plural(r.Rounds, "round")), command: v.explainCommand(r)}
			base, head := v.Compared.Base.Revision(), v.Compared.Head.Revision()
			if found := v.foundOf(r.Target, r.BenchmarkID, r.Unit); found.Commit != "" {
				out = append(out, v.afterSearch(a, r.Target, r.BenchmarkID, found))
				continue
			}
			out = append(out, v.keptOf(r.Target, r.BenchmarkID, base, head).explained(a))
		}
	}
	return out
}

// rowName returns the name of a row of the comparison, including its target.
func rowName(r *compare.Row) string { return reports.BenchmarkName(r.Target, r.BenchmarkID) }

// A regression is an unresolved step or drift for the worse (neither accepted nor undone), with the
// names of the enclosing rows that show it.
type regression struct {
	steps.Regression
	with []string
}

// regressions returns the unresolved regressions. If nested rows show the same step, it returns only
// the innermost row.
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
			continue // a scope's other units show the same step
		}
		around := naming.Nesting(r.Kind, groups[keyOf(r)])
		if histories.ContainsOthers(around, r.Name) {
			continue // a row inside this one shows the same step
		}
		out = append(out, regression{r, histories.Outside(around, r.Name)})
	}
	return out
}

func unresolved(v *view) (out []action) {
	for _, r := range v.regressions() {
		if r.Step.Drift == 0 {
			out = append(out, v.stepAction(r))
		}
	}
	return out
}

// drifts finds the drifts for the worse. The machine may have caused them.
func drifts(v *view) (out []action) {
	for _, r := range v.regressions() {
		if r.Step.Drift > 0 {
			out = append(out, v.stepAction(r))
		}
	}
	return out
}

func (v *view) stepAction(r regression) action {
	evidence := fmt.Sprintf("%s %s", r.Tidied, cells.Shift(r.Tidied, r.Step.Shift).Shown())
	if r.Step.Drift > 0 {
		evidence += " over " + reports.Plural(r.Step.Drift, "run")
	}
	if at := commits(r.Step.Last.Commit, r.Step.First.Commit); at != "" {
		evidence += " in " + at
	}
	if day := reports.Day(r.When); day != "" {
		evidence += ", " + day
	}
	if now := cells.Relative(r.Step.Now).Text; now != "" {
		evidence += ", now " + now
	}
	if n := len(r.with); n > 0 {
		evidence += "; it also shows in " + reports.Plural(n, "enclosing row")
	}
	a := action{on: reports.BenchmarkName(r.Target, r.BenchmarkID), evidence: evidence, command: v.findCommand(r.Regression)}
	if r.Step.Found.Commit != "" {
		return v.afterSearch(a, r.Target, r.BenchmarkID, r.Step.Found)
	}
	search := a.command
	a = v.keptOf(r.Target, r.BenchmarkID, record.ShortHash(r.Step.Last.Commit), record.ShortHash(r.Step.First.Commit)).explained(a)
	if v.Commits[[2]string{r.Step.Last.Commit, r.Step.First.Commit}] > 1 { // the profiles do not show the one commit that caused the step
		a.command = search
	}
	return a
}

// findCommand returns the command to find the commit of a step. If that is not possible, as for a
// scope, it returns the command to compare the commits on both sides of the step, or "" if they are
// unknown.
func (v *view) findCommand(r steps.Regression) string {
	last, first := r.Step.Last.Commit, r.Step.First.Commit
	n := v.Commits[[2]string{last, first}]
	if n == 0 || r.Kind == record.Scope {
		if last == "" || first == "" {
			return ""
		}
		return shell.Command("perftrack compare %s %s", record.ShortHash(last), record.ShortHash(first))
	}
	targets := map[string]bool{}
	for i := range v.Runs {
		targets[v.Runs[i].Target] = true
	}
	return historyreport.StepRange{
		Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit, After: last, UpTo: first, Commits: n, Drift: r.Step.Drift,
		OneTarget: len(targets) == 1, DefaultUnits: r.Tidied == "sec/op", Opaque: slices.Contains(v.Opaque, r.Target),
	}.FindCommand()
}

// failed finds the failures in the head of the comparison and in the current runs.
func failed(v *view) (out []action) {
	seen := map[action]bool{}
	add := func(target string, f record.Failure) {
		a := action{on: reports.FailureName(target, f.Benchmark), evidence: reports.Printable(f.Reason)}
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
		return []action{{evidence: reports.Plural(v.Compared.FailedLimits(true), "limit") + " missed in head but met in base; the comparison lists them"}}
	}
	if n := v.limitsIn(limit.Missed); n > 0 {
		return []action{{evidence: reports.Plural(n, "limit") + " missed by the newest run; the summary lists them"}}
	}
	return nil
}

// The following rules have medium severity.

func suspects(v *view) []action { return v.undecided(compare.Suspect, "differ in unpaired runs") }

func inconclusive(v *view) []action {
	return v.undecided(compare.Inconclusive, "inconclusive")
}

// undecided returns a single action for all rows of the comparison with the given verdict, or nil
// without such rows. words describes the rows.
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

// offWorse and offBetter find the benchmarks whose newest run is far worse, or far better, than its
// level.
func offWorse(v *view) []action  { return v.offLevel(true) }
func offBetter(v *view) []action { return v.offLevel(false) }

func (v *view) offLevel(worse bool) (out []action) {
	for _, c := range v.histories {
		n := len(c.Outliers)
		if n == 0 || !c.Outliers[n-1].Open || c.Kind == record.Scope && c.Tidied != "sec/op" {
			continue
		}
		o := c.Outliers[n-1]
		if (o.Change*float64(c.Better()) < 0) != worse {
			continue
		}
		size := reports.PlainChange(o.Change)
		if o.FromZero() {
			size = "+" + cells.Amount(o.Value, c.Tidied)
		}
		a := action{on: reports.BenchmarkName(c.Target, c.BenchmarkID), evidence: fmt.Sprintf("%s is %s off its level in the newest run, %s", c.Tidied, size, reports.HashOrDash(o.Commit))}
		if c.Kind == record.Bench {
			a.command = shell.Command("perftrack run %s --bench %s", c.Target, exactly(c.Name))
		}
		out = append(out, a)
	}
	return out
}

// notClean finds the targets whose newest run is left out of the history.
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
			why = append(why, "was measured with uncommitted changes")
		}
		if r.Status == record.Partial || r.Status == record.Failed {
			why = append(why, "is "+string(r.Status))
		}
		if len(why) > 0 {
			out = append(out, action{on: target, evidence: "its newest run " + strings.Join(why, " and "), command: shell.Command("perftrack run %s", target)})
		}
	}
	return out
}

// The following rules have low severity.

// muchOfWork is the share of all work at and above which a scope counts as a bottleneck.
const muchOfWork = 0.25

func hottest(v *view) (out []action) {
	for _, b := range v.bottlenecks() {
		if b.share >= muchOfWork {
			cmd := ""
			if sha := b.run.Commit.SHA; sha != "" {
				cmd = shell.Command("perftrack profile --show %s", record.ShortHash(sha))
			}
			out = append(out, action{on: b.name, evidence: fmt.Sprintf("its own time is %s of the profiled time: %s",
				reports.Portion(b.share), profile.GainWords(b.share)), command: cmd})
		}
	}
	return out
}

func noTrial(v *view) []action {
	for i := range v.Runs {
		if v.Runs[i].Trial != "" && v.Runs[i].Protocol.Procedure != pairs.ProcedureCalibrate {
			return nil
		}
	}
	if len(v.Runs) == 0 {
		return nil
	}
	return []action{{evidence: "no two commits have been measured side by side", command: v.checkCommand()}}
}

// uncalibrated finds the targets without a calibration in the environment of their newest run.
func uncalibrated(v *view) (out []action) {
	for _, run := range v.Current {
		env := run.Env.EnvironmentID()
		if run.Env.Get(record.KeyCPU) == "" || slices.ContainsFunc(out, func(a action) bool { return a.on == run.Target }) {
			continue // the run was imported and does not name its machine
		}
		if !slices.ContainsFunc(v.Calibrations, func(c Calibration) bool { return c.Target == run.Target && c.Environment == env }) {
			out = append(out, action{on: run.Target, evidence: "never calibrated in the environment of its newest run, so its noise is unknown", command: shell.Command("perftrack calibrate %s", run.Target)})
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
	command := v.profileCommand()
	if command == "" {
		return nil
	}
	return []action{{evidence: "no profile is stored", command: command}}
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
	a := action{evidence: fmt.Sprintf("%d of %d lines have too few runs: some have only %d, but finding a step takes up to %d", short, all, least, needs)}
	switch back := min(needs, v.Depth-1); {
	case back > 0:
		a.command = fmt.Sprintf("perftrack backfill HEAD~%d..HEAD", back)
	case v.Depth == 1:
		a.evidence += "; there is only one commit: measure it again, and then each new commit"
		a.command = "perftrack run"
	}
	return []action{a}
}

// environments finds the targets whose current values come from several environments.
func environments(v *view) (out []action) {
	of := map[string][]string{}
	for _, run := range v.Current {
		if id := run.Env.EnvironmentID(); !slices.Contains(of[run.Target], id) {
			of[run.Target] = append(of[run.Target], id)
		}
	}
	for _, run := range v.Current {
		if n := len(of[run.Target]); n > 1 {
			out = append(out, action{on: run.Target, evidence: fmt.Sprintf("its newest values come from %d environments", n)})
			delete(of, run.Target)
		}
	}
	return out
}

// exactly returns a pattern for `--bench` that matches only the named benchmark.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// commits returns the range last..first with abbreviated hashes, or "" if one of the commits is
// unknown.
func commits(last, first string) string {
	if last == "" || first == "" {
		return ""
	}
	return record.ShortHash(last) + ".." + record.ShortHash(first)
}
