package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// withinReach is the largest number of rounds worth suggesting: a few checks of 40 rounds each can
// reach it.
const withinReach = 160

// someRounds formats an estimated number of rounds with three significant digits.
func someRounds(n int) string {
	for unit := 1; ; unit *= 10 {
		if n < 1000*unit {
			return reports.WithCommas(fmt.Sprint((n + unit/2) / unit * unit))
		}
	}
}

// undecided holds the rows without a decision, grouped by how to decide them.
type undecided struct {
	near, far []*compare.Row // near: a few more checks would decide them; far: too noisy to decide here
	hopeless  int            // number of rows in far that not even a thousand rounds would decide
	reasons   []string       // reasons why the other rows are undecided, in order of appearance
	others    map[string]int // number of other rows by reason
}

// openRows groups the undecided rows by how to decide them. It drops an allocation count that looks
// equal on both sides if the benchmark's time is too noisy to decide here.
func openRows(c *compare.Comparison) undecided {
	u := undecided{others: map[string]int{}}
	for r := range c.Rows() {
		switch {
		case r.Verdict != compare.Inconclusive || c.Settled(r):
		case r.Need > r.Rounds && r.Need <= withinReach:
			u.near = append(u.near, r)
		case r.Need > r.Rounds:
			u.far = append(u.far, r)
		case r.Reason == compare.TooNoisy:
			u.far, u.hopeless = append(u.far, r), u.hopeless+1
		default:
			if u.others[r.Reason]++; u.others[r.Reason] == 1 {
				u.reasons = append(u.reasons, r.Reason)
			}
		}
	}
	u.near = slices.DeleteFunc(u.near, func(r *compare.Row) bool {
		return rowcells.Allocates(r.Unit) && r.Base.Center == r.Head.Center && slices.ContainsFunc(u.far, func(f *compare.Row) bool {
			return f.Target == r.Target && f.BenchmarkID == r.BenchmarkID
		})
	})
	return u
}

// undecidedWords explains how to decide the undecided rows. It returns one sentence about the rows
// that need more rounds, one about the rows that are too noisy to decide here, and one for each
// other reason.
func undecidedWords(c *compare.Comparison) (sentences []string) {
	u := openRows(c)
	if len(u.near) > 0 {
		sentences = append(sentences, fmt.Sprintf("%s not decided yet: about %s would be enough; another check continues the trial", isAre(len(u.near)), roundsOf(u.near)))
	}
	if len(u.far) > 0 {
		text := isAre(len(u.far)) + " too noisy to decide here: "
		switch {
		case u.hopeless > 0:
			text += "even a thousand rounds would not be enough"
		default:
			text += "about " + roundsOf(u.far) + " would be needed"
		}
		text += "; use a quieter machine (perftrack doctor)"
		if t := surelyWithin(u.far); t != "" {
			text += "; but " + t
		}
		sentences = append(sentences, text)
	}
	for _, reason := range u.reasons {
		if reason != "" {
			sentences = append(sentences, isAre(u.others[reason])+" undecided: "+reason)
		}
	}
	return sentences
}

func isAre(rows int) string {
	if rows == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", rows)
}

// roundsOf formats the number of rounds the rows need: "600 rounds", "600 to 119,000 rounds".
func roundsOf(rows []*compare.Row) string {
	least, most := math.MaxInt, 0
	for _, r := range rows {
		least, most = min(least, r.Need), max(most, r.Need)
	}
	if someRounds(least) == someRounds(most) {
		return someRounds(most) + " rounds"
	}
	return someRounds(least) + " to " + someRounds(most) + " rounds"
}

// surelyWithin describes the largest change that the rows' intervals allow, such as "it certainly
// changed by less than 36 %". It returns "" if this change is unknown or too large to be worth
// stating.
func surelyWithin(rows []*compare.Row) string {
	most := 0.0
	for _, r := range rows {
		if math.IsNaN(r.Bound) || r.Bound > 0.5 {
			return ""
		}
		most = max(most, r.Bound)
	}
	which := "each"
	if len(rows) == 1 {
		which = "it"
	}
	return fmt.Sprintf("%s certainly changed by less than %.0f %%", which, math.Ceil(100*most))
}

// next returns the commands to run next. If there is a regression, they explain it, find the commit
// that caused it, or accept it; otherwise they decide the undecided rows. Names are filled in and
// quoted for a shell.
func (v View) next(c *compare.Comparison) (steps []reports.Step) {
	base, head, ok := revisions(c)
	if !ok {
		return nil
	}
	if worst := digest.Of(c, gates.Options{}).Worst; worst != nil {
		return v.afterRegression(c, worst, base, head)
	}
	again, ok := v.again(c, base, head, nil)
	if !ok {
		return nil
	}
	step := func(command, does string) []reports.Step { return []reports.Step{{Command: command, Does: does}} }
	switch u := c.NotChecked(); {
	case u.Benchmarks > 0 && u.Fixed:
		return step(again, "too few rounds for a verdict; to measure until there is one")
	case u.Benchmarks > 0 && u.Cut:
		return step(again, "to continue after the interruption")
	case u.Benchmarks > 0 && u.Budget > 0:
		return step(again+budgetFlag(u.Budget), "to check the benchmarks that did not fit the budget")
	case u.Benchmarks > 0:
		return step(again, "to check the missing benchmarks")
	case c.Count(compare.Suspect) > 0 && c.Trial(): // repeating the same check would give the same result
		return step("perftrack help placement", "perhaps only the placement of the code changed; to decide, set layout in perftrack.toml")
	case c.Count(compare.Suspect) > 0:
		return step(again, "a change between unpaired runs may be machine noise; to decide")
	}
	return v.afterUndecided(c, base, head)
}

// afterUndecided returns the commands for undecided rows: to measure more rounds if a few are
// enough, and otherwise to find the causes of noise. It never suggests a higher threshold, which
// would hide changes.
func (v View) afterUndecided(c *compare.Comparison, base, head string) (steps []reports.Step) {
	u := openRows(c)
	add := func(does, command string) { steps = append(steps, reports.Step{Command: command, Does: does}) }
	if len(u.near) > 0 {
		only := u.near
		if len(u.far) == 0 {
			only = nil // the original selection includes them all
		}
		if again, ok := v.again(c, base, head, only); ok {
			add("to continue this trial", again+budgetFlag(c.BudgetOf(u.near)))
		}
	}
	if len(u.far) > 0 || slices.Contains(u.reasons, compare.Drifted) {
		add("to find the causes of noise on this machine", "perftrack doctor")
		if again, ok := v.again(c, base, head, nil); ok && beganBusy(c) && checked(c) {
			add("once the machine is quieter, to start a new trial, because this one chose its method on a busy machine", again+" --new-trial")
		}
	}
	if steps == nil && len(u.reasons) > 0 {
		add("to read what undecided rows mean and what helps", "perftrack help verdicts")
	}
	return steps
}

// beganBusy reports whether other programs were running when the trial chose its method.
func beganBusy(c *compare.Comparison) bool {
	return slices.ContainsFunc(c.Caveats, func(x compare.Caveat) bool { return x.Code == compare.CodeBusy })
}

// checked reports whether all runs belong to one trial of a commit, measured by perftrack check. It
// is false for a modified work tree, because each check of a work tree begins a new trial.
func checked(c *compare.Comparison) bool {
	return !c.Head.Dirty() && c.Trials < 2 && !slices.ContainsFunc(c.Head.Runs, func(r *record.Run) bool {
		return r.Protocol.Procedure != pairs.ProcedureCheck
	})
}

// procsOf returns the list of GOMAXPROCS values that the head was measured with, or "" for the
// default.
func procsOf(c *compare.Comparison) string {
	for _, r := range c.Head.Runs {
		if list := r.Facts.Get(record.KeyProcs); list != "" {
			return list
		}
	}
	return ""
}

// budgetFlag returns the flag for a budget, or "" if the budget is unknown.
func budgetFlag(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " --budget " + compare.ShortDuration(d)
}

// afterRegression returns the commands to run next for the worst regression.
func (v View) afterRegression(c *compare.Comparison, worst *compare.Row, base, head string) (steps []reports.Step) {
	name, ok := shell.Word(worst.Name)
	if !ok {
		return nil
	}
	of := " --bench " + name + ambiguity(c, worst) + c.IsolateFlag()
	add := func(does, command string) { steps = append(steps, reports.Step{Command: command, Does: does}) }
	explains := worst.Kind == record.Bench && !slices.Contains(v.Opaque, worst.Target)
	switch {
	case c.Head.Dirty() && explains:
		add("to find the functions that changed, commit the work tree and then run", "perftrack explain "+base+" HEAD"+of)
		return steps
	case c.Head.Dirty():
		return nil
	case explains:
		add("to find the functions that changed", "perftrack explain "+base+" "+head+of)
	}
	if v.Between > 1 && worst.Kind == record.Bench {
		unit := ""
		if word, ok := shell.Word(worst.OrigUnit); ok && worst.OrigUnit != "ns/op" {
			unit = " --unit " + word
		}
		add(fmt.Sprintf("to find the commit among the %d", v.Between), "perftrack bisect-helper auto "+base+".."+head+of+unit)
	}
	if !strings.HasPrefix(name, "'-") { // a leading "-" would make the name a flag
		add("if it is intended", "perftrack ci accept "+name+" --commit "+head+" --reason '"+WhyAccept+"'")
	}
	return steps
}

// WhyAccept is the placeholder, in a suggested command, for the reason to accept a regression.
const WhyAccept = "why it is worth it"

// ambiguity returns the flags for a benchmark's target and package if its name alone is ambiguous,
// and otherwise "".
func ambiguity(c *compare.Comparison, of *compare.Row) (flags string) {
	targets, packages := []string{}, []string{}
	for r := range c.Rows() {
		if r.Name != of.Name && of.Kind == record.Bench && r.Target == of.Target {
			continue
		}
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
		if r.Name == of.Name && !slices.Contains(packages, r.Package) {
			packages = append(packages, r.Package)
		}
	}
	if word, ok := shell.Word(of.Target); ok && len(targets) > 1 {
		flags += " --target " + word
	}
	if word, ok := shell.Word(of.Package); ok && len(packages) > 1 {
		flags += " --package " + word
	}
	return flags
}

// revisions returns the short hashes of both sides. ok is false if a side is not a commit.
func revisions(c *compare.Comparison) (base, head string, ok bool) {
	b, h := c.Base.Commit(), c.Head.Commit()
	if b == "" || h == "" {
		return "", "", false
	}
	return record.ShortHash(b), record.ShortHash(h), true
}
