package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// withinReach is how many rounds a person can still bring together: a check makes 40, and the
// next one goes on with them.
const withinReach = 160

// someRounds shows a number of rounds with three digits: it is an estimate.
func someRounds(n int) string {
	for unit := 1; ; unit *= 10 {
		if n < 1000*unit {
			return reports.WithCommas(fmt.Sprint((n + unit/2) / unit * unit))
		}
	}
}

// An undecided is the rows that are open, by what would decide them.
type undecided struct {
	near, far []*compare.Row // what a few more checks decide, and what no number of rounds does that anybody makes
	hopeless  int            // of far, those of which no number is known
	reasons   []string       // of the others, in order
	others    map[string]int // how many for each reason
}

// openRows sorts what is open. An allocation that was the same in all rounds is not worth a word
// beside a time of the same benchmark that no round decides.
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
		return allocates(r.Unit) && r.Base.Center == r.Head.Center && slices.ContainsFunc(u.far, func(f *compare.Row) bool {
			return f.Target == r.Target && f.BenchmarkID == r.BenchmarkID
		})
	})
	return u
}

// undecidedWords says of the rows that are open what it would take to decide them, and what is
// realistic: a sentence for those that more rounds decide, and one for those that they do not.
func undecidedWords(c *compare.Comparison) (sentences []string) {
	u := openRows(c)
	if len(u.near) > 0 {
		sentences = append(sentences, fmt.Sprintf("%s not decided yet: about %s would do; checked again, the same trial goes on", isAre(len(u.near)), roundsOf(u.near)))
	}
	if len(u.far) > 0 {
		text := isAre(len(u.far)) + " too noisy to tell here: "
		switch {
		case u.hopeless > 0:
			text += "a thousand rounds would not do"
		default:
			text += "about " + roundsOf(u.far) + " would be needed"
		}
		text += "; a quieter machine is what helps (perftrack doctor)"
		if t := surelyWithin(u.far); t != "" {
			text += "; sure is only that " + t
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

// roundsOf says how many rounds rows need: "600 rounds", "600 to 119,000 rounds".
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

// surelyWithin says how large a change of the rows may be at most, by their intervals: "it changed by
// less than 36 %"; "" where that says little.
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
	return fmt.Sprintf("%s changed by less than %.0f %%", which, math.Ceil(100*most))
}

// next returns what to type now: why something regressed, which commit it was, how it is
// accepted; or what decides what is open. Names are filled in, and quoted for a shell.
func (v View) next(c *compare.Comparison) (steps []reports.Step) {
	base, head, ok := revisions(c)
	if !ok {
		return nil
	}
	if worst := worstOpen(c); worst != nil {
		return v.afterRegression(c, worst, base, head)
	}
	again, ok := v.again(c, base, head, nil)
	if !ok {
		return nil
	}
	step := func(command, does string) []reports.Step { return []reports.Step{{Command: command, Does: does}} }
	switch u := c.NotChecked(); {
	case u.Benchmarks > 0 && u.Fixed:
		return step(again, "too few rounds to see anything; to measure until it is decided")
	case u.Benchmarks > 0 && u.Cut:
		return step(again, "to go on where it was interrupted")
	case u.Benchmarks > 0 && u.Budget > 0:
		return step(again+budgetFlag(u.Budget), "to check what the budget left out")
	case u.Benchmarks > 0:
		return step(again, "to check what is missing")
	case c.Count(compare.Suspect) > 0 && c.Trial(): // the check that just ran would say the same
		return step("perftrack help placement", "where the code of a build happens to lie may be all that changed; to decide it, declare layout in perftrack.toml")
	case c.Count(compare.Suspect) > 0:
		return step(again, "a change between runs that were measured apart may be the machine's; to decide it")
	}
	return v.afterUndecided(c, base, head)
}

// afterUndecided is what decides the rows that are open: more rounds, where these are within
// reach, and else a quieter machine. No threshold is suggested by which what was seen would pass: it
// would hide a change that is as large.
func (v View) afterUndecided(c *compare.Comparison, base, head string) (steps []reports.Step) {
	u := openRows(c)
	add := func(does, command string) { steps = append(steps, reports.Step{Command: command, Does: does}) }
	if len(u.near) > 0 {
		only := u.near
		if len(u.far) == 0 {
			only = nil // what was selected is what is open
		}
		if again, ok := v.again(c, base, head, only); ok {
			add("to go on where this ended", again+budgetFlag(c.BudgetOf(u.near)))
		}
	}
	if len(u.far) > 0 {
		add("what makes timings noisy on this machine", "perftrack doctor")
	}
	if len(u.far) == 0 && slices.Contains(u.reasons, compare.Drifted) {
		add("what makes timings noisy on this machine", "perftrack doctor")
	}
	if len(u.far) > 0 || slices.Contains(u.reasons, compare.Drifted) {
		if again, ok := v.again(c, base, head, nil); ok && beganBusy(c) && checked(c) {
			add("when the machine is quieter: how this trial measures was chosen when it was busy, a new one chooses anew", again+" --new-trial")
		}
	}
	if steps == nil && len(u.reasons) > 0 {
		add("what undecided rows mean, and what helps", "perftrack help verdicts")
	}
	return steps
}

// beganBusy reports whether other programs were running when the first session of a trial began:
// how benchmarks are measured was chosen then.
func beganBusy(c *compare.Comparison) bool {
	return slices.ContainsFunc(c.Caveats, func(x compare.Caveat) bool { return x.Code == compare.CodeBusy })
}

// checked reports whether all is of one check, of a commit: of a changed work tree each check is a new trial.
func checked(c *compare.Comparison) bool {
	return !dirty(c.Head) && c.Trials < 2 && !slices.ContainsFunc(c.Head.Runs, func(r *record.Run) bool {
		return r.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck
	})
}

// procsOf are the GOMAXPROCS at which the head was measured, "" where it was at the usual one.
func procsOf(c *compare.Comparison) string {
	for _, r := range c.Head.Runs {
		if list := r.Facts.Get(record.KeyProcs); list != "" {
			return list
		}
	}
	return ""
}

// budgetFlag is the budget of a check, nothing where none is known.
func budgetFlag(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " --budget " + compare.ShortDuration(d)
}

// afterRegression is what to do about the worst regression.
func (v View) afterRegression(c *compare.Comparison, worst *compare.Row, base, head string) (steps []reports.Step) {
	name, ok := reports.ShellWord(worst.Name)
	if !ok {
		return nil
	}
	of := " --bench " + name + ambiguity(c, worst) + c.IsolateFlag()
	add := func(does, command string) { steps = append(steps, reports.Step{Command: command, Does: does}) }
	explains := worst.Kind == record.Bench && !slices.Contains(v.Opaque, worst.Target)
	switch {
	case dirty(c.Head) && explains:
		add("commit the work tree, and then, to see which functions make the difference", "perftrack explain "+base+" HEAD"+of)
		return steps
	case dirty(c.Head):
		return nil
	case explains:
		add("which functions make the difference", "perftrack explain "+base+" "+head+of)
	}
	if v.Between > 1 && worst.Kind == record.Bench {
		unit := ""
		if word, ok := reports.ShellWord(worst.OrigUnit); ok && worst.OrigUnit != "ns/op" {
			unit = " --unit " + word
		}
		add(fmt.Sprintf("which of the %d commits it was", v.Between), "perftrack bisect-helper auto "+base+".."+head+of+unit)
	}
	add("if it is intended", "perftrack accept "+name+" --commit "+head+" --reason '"+WhyAccept+"'")
	return steps
}

// WhyAccept stands in a suggested command for the reason of an acceptance, which only a person knows.
const WhyAccept = "why it is worth it"

// worstOpen is the largest regression that nobody accepted and that stands for itself; nil
// where there is none.
func worstOpen(c *compare.Comparison) (worst *compare.Row) {
	for r := range c.Rows() {
		if r.Verdict == compare.Regressed && !r.Accepted() && r.CorrelatedWith == nil && (worst == nil || magnitude(r) > magnitude(worst)) {
			worst = r
		}
	}
	return worst
}

// ambiguity says of which target and package a benchmark is, where others have its name.
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
	if word, ok := reports.ShellWord(of.Target); ok && len(targets) > 1 {
		flags += " --target " + word
	}
	if word, ok := reports.ShellWord(of.Package); ok && len(packages) > 1 {
		flags += " --package " + word
	}
	return flags
}

// revisions are the commits of both sides as they are typed; ok is false where one is no
// commit, as of files.
func revisions(c *compare.Comparison) (base, head string, ok bool) {
	b, h := onlyCommit(c.Base), onlyCommit(c.Head)
	if b == "" || h == "" {
		return "", "", false
	}
	return record.ShortHash(b), record.ShortHash(h), true
}

// onlyCommit is the commit that all runs of a side are of, "" without one.
func onlyCommit(s compare.Side) (sha string) {
	for i, r := range s.Runs {
		if i > 0 && r.Commit.SHA != sha {
			return ""
		}
		sha = r.Commit.SHA
	}
	if strings.Trim(sha, "0123456789abcdef") != "" {
		return ""
	}
	return sha
}

func dirty(s compare.Side) bool {
	return slices.ContainsFunc(s.Runs, func(r *record.Run) bool { return r.Commit.Dirty })
}
