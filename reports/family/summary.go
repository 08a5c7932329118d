package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
)

// summary is what a lead needs: how things stand, what takes the time, what is to be done.
func summary(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	r.Summary, r.Tone = v.verdict()
	r.Tables = append(r.Tables, v.glance())
	actions := v.actionTable("Actions, the most urgent first", func(rule) bool { return true })
	if len(actions.Rows) == 0 {
		actions.Columns, actions.Words = nil, []string{"No rule finds anything to do. perftrack help reports the-rules-of-the-actions lists the rules."}
	}
	r.Tables = append(r.Tables, actions, v.bottleneckTable())
	if v.Compared != nil {
		r.Tables = append(r.Tables, v.causes())
	}
	if len(v.Kept) > 0 {
		r.Tables = append(r.Tables, v.keptTable())
	}
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// A status is one line of the dashboard.
type status struct {
	area, word, evidence string
	tone                 reports.Tone
}

// verdict is the state of all in a sentence. It is good only where everything that is asked about is known
// and none of it bad.
func (v *view) verdict() (string, reports.Tone) {
	if len(v.Runs) == 0 {
		return "Nothing was measured yet: nothing is known. perftrack run measures what is here", reports.Warn
	}
	regressions, tone := v.regressionWords()
	parts := []string{regressions}
	if v.Compared != nil {
		s := v.compared()
		parts = append(parts, "newest comparison: "+s.word)
		tone = worse(tone, s.tone)
	} else {
		parts, tone = append(parts, "nothing was compared"), worse(tone, reports.Warn)
	}
	switch n := v.urgent(high); {
	case n > 0:
		parts, tone = append(parts, reports.Plural(n, "action")+" of high severity"), worse(tone, reports.Bad)
	case tone != reports.Good:
		parts = append(parts, "no action of high severity")
	}
	return capitalized(strings.Join(parts, "; ")), tone
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// worse is the worse of two tones.
func worse(a, b reports.Tone) reports.Tone {
	for _, t := range []reports.Tone{reports.Bad, reports.Warn, reports.Muted, reports.Plain, reports.Good} {
		if a == t || b == t {
			return t
		}
	}
	return a
}

// regressionWords say whether regressions are in force, as far as that can be known.
func (v *view) regressionWords() (string, reports.Tone) {
	found := len(v.regressions())
	short, all := v.tooShort()
	few := ""
	if short > 0 {
		few = fmt.Sprintf(" (%d of %d lines have too few runs to tell)", short, all)
	}
	proved := v.provedWords()
	switch {
	case found > 0 && proved != "":
		return reports.Plural(found, "regression") + " in force in the history" + few + ", " + proved, reports.Bad
	case found > 0:
		return reports.Plural(found, "regression") + " in force in the history" + few, reports.Bad
	case proved != "":
		return proved + "; no step in the history shows it yet" + few, reports.Bad
	case all == 0:
		return "no history to find regressions in", reports.Warn
	case short == all:
		return "not known whether a regression is in force: too few runs to tell in " + reports.Plural(all, "line"), reports.Warn
	case short > 0:
		return "no regression in force found" + few, reports.Warn
	}
	return "no regression in force in " + reports.Plural(all, "line"), reports.Good
}

// glance is the dashboard.
func (v *view) glance() reports.Table {
	t := reports.Table{Heading: "At a glance", Columns: []reports.Column{{Title: "question"}, {Title: "answer"}, {Title: "rests on"}}}
	for _, s := range []status{v.history(), v.compared(), v.coverage(), v.noise(), v.fresh()} {
		t.Rows = append(t.Rows, []reports.Cell{text(s.area), {Text: s.word, Tone: s.tone}, text(s.evidence)})
	}
	return t
}

func (v *view) history() status {
	s := status{area: "Did it get slower over the commits?"}
	words, tone := v.regressionWords()
	s.tone = tone
	switch n := len(v.regressions()); {
	case n > 0:
		s.word = fmt.Sprintf("yes: %d in force", n)
	case len(v.Regressions.Unseen()) > 0:
		s.word = fmt.Sprintf("yes: %d proved", len(v.Regressions.Unseen()))
	case tone == reports.Good:
		s.word = "no"
	case strings.HasPrefix(words, "no regression in force found"):
		s.word = "none found so far"
	default:
		s.word = "not known"
	}
	s.evidence = words
	return s
}

// compared is what the newest comparison says.
func (v *view) compared() status {
	s := status{area: "Did the newest change make it slower?"}
	c := v.Compared
	if c == nil {
		s.word, s.tone, s.evidence = "not known", reports.Warn, v.notCompared()
		return s
	}
	regressed, suspect := c.Unaccepted(), c.Count(compare.Suspect)
	undecided := c.Undecided() + c.Count(compare.NotChecked)
	decided := c.Count(compare.Unchanged) + c.Count(compare.Improved) + c.Count(compare.Regressed) + c.Count(compare.Changed)
	line := comparisonreport.Report(c)
	switch {
	case regressed > 0:
		s.word, s.tone = fmt.Sprintf("yes: %d regressed", regressed), reports.Bad
	case suspect > 0:
		s.word, s.tone = fmt.Sprintf("perhaps: %d suspect", suspect), reports.Warn
	case c.Count(compare.Regressed) > 0:
		s.word, s.tone = fmt.Sprintf("yes, and accepted: %d regressed", c.Count(compare.Regressed)), reports.Plain
	case decided == 0 && c.Trial() && line.Tone == reports.Good: // there was nothing to measure
		s.word, s.tone = "no", reports.Good
	case decided == 0:
		s.word, s.tone = "not decided", reports.Warn
	case undecided > 0:
		s.word, s.tone = fmt.Sprintf("not shown, %d undecided", undecided), reports.Warn
	default:
		s.word, s.tone = "no", reports.Good
	}
	kind := "measured apart"
	if c.Trial() {
		kind = "a trial"
	}
	s.evidence = fmt.Sprintf("%s against %s, %s: %s", sideName(c.Head), sideName(c.Base), kind, line.Summary)
	if slower, faster, all := v.apart(); decided+suspect+undecided+regressed == 0 && all > 0 {
		s.evidence += fmt.Sprintf("; of %d times %d are longer and %d shorter by the threshold or more", all, slower, faster)
	}
	return s
}

// apart counts the times of the comparison that differ by the threshold or more, whatever a test says.
// Those that show the change of another one are left out.
func (v *view) apart() (slower, faster, all int) {
	for r := range v.Compared.Rows() {
		if r.Unit != "sec/op" || !r.Compared() || r.CorrelatedWith != nil {
			continue
		}
		all++
		switch threshold := v.Compared.Options.Threshold(r.Name); {
		case r.Delta >= threshold:
			slower++
		case r.Delta <= -threshold:
			faster++
		}
	}
	return slower, faster, all
}

// sideName is how a side of the comparison is called.
func sideName(side compare.Side) string {
	if len(side.Runs) == 0 {
		return reports.Printable(side.Label)
	}
	return cmp.Or(reports.CommitName(side.Runs[0].Commit), reports.Printable(side.Label))
}

// coverage is whether all was measured.
func (v *view) coverage() status {
	s := status{area: "Was everything measured?"}
	var missing []string
	if n := len(failed(v)); n > 0 {
		missing = append(missing, fmt.Sprintf("%d failed", n))
	}
	if n := len(lost(v)); n > 0 {
		missing = append(missing, fmt.Sprintf("%d lost", n))
	}
	if n := len(notClean(v)); n > 0 {
		missing = append(missing, reports.Plural(n, "target")+" with a run that stands in no history")
	}
	switch {
	case len(missing) > 0:
		s.word, s.tone, s.evidence = "no", reports.Warn, strings.Join(missing, ", ")
	case v.chosen() != "":
		s.word, s.tone, s.evidence = "only what was chosen", reports.Warn, v.measuredWords()+"; "+v.chosen()
	case v.Compared == nil:
		s.word, s.tone, s.evidence = "not known", reports.Warn, v.measuredWords()+"; what else there is, only a comparison tells"
	case v.Compared.LostCoverage() || v.Compared.NotChecked().Benchmarks > 0:
		s.word, s.tone, s.evidence = "no", reports.Warn, "the comparison lists what it did not check"
	default:
		s.word, s.tone, s.evidence = "yes", reports.Good, v.measuredWords()
	}
	return s
}

// chosen says what the runs that are described were to measure of their targets, where no run of
// a target was of all of it; "" where each has one, or does not say.
func (v *view) chosen() string {
	whole := map[string]bool{}
	for _, r := range v.Runs {
		whole[r.Target] = whole[r.Target] || site.IsWhole(r)
	}
	var words []string
	for _, r := range v.Current {
		selection := r.Facts.Get(record.KeySelection)
		if whole[r.Target] || selection == "" || compare.SelectionIs(r, "") {
			continue
		}
		if one := reports.Printable(r.Target + " by " + selection); !slices.Contains(words, one) {
			words = append(words, one)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "no run is of all there is, some were chosen: " + strings.Join(words, ", ")
}

// noise is how much the numbers scatter by themselves.
func (v *view) noise() status {
	s := status{area: "Can the numbers be trusted?"}
	if len(v.Calibrations) > 0 {
		c := slices.MaxFunc(v.Calibrations, func(a, b Calibration) int { return a.When.Compare(b.When) })
		s.word, s.tone = "pair noise of "+reports.Portion(c.Noise), reports.Plain
		s.evidence = fmt.Sprintf("calibration of %s on %s: median of %d rows, the worst has %s", reports.Printable(c.Target), cmp.Or(reports.Day(c.When), "an unknown day"), c.Rows, reports.Portion(c.Worst))
		if math.IsNaN(c.Noise) {
			s.word, s.tone = "not known", reports.Warn
		}
		return s
	}
	var noises []float64
	for _, c := range v.courses {
		if x := c.Noise(); c.Tidied == "sec/op" && !math.IsNaN(x) {
			noises = append(noises, x)
		}
	}
	if len(noises) > 0 {
		s.word, s.tone = "noise of "+reports.Portion(median(noises)), reports.Plain
		s.evidence = fmt.Sprintf("median over %d benchmarks of how runs scatter within their newest level; never calibrated", len(noises))
		return s
	}
	s.word, s.tone, s.evidence = "not known", reports.Warn, "never calibrated, and too few runs to see how they scatter"
	return s
}

// fresh is how old the newest run is.
func (v *view) fresh() status {
	s := status{area: "What was measured last?", word: "nothing", tone: reports.Warn, evidence: "no run is stored"}
	if len(v.Runs) == 0 {
		return s
	}
	newest := v.Runs[0]
	for _, r := range v.Runs {
		if !before(r, newest) {
			newest = r
		}
	}
	s.word, s.tone = cmp.Or(reports.CommitName(newest.Commit), "a commit that nobody knows"), reports.Plain
	at, known := newest.Measured()
	day := "measured on " + reports.Day(at)
	switch {
	case at.IsZero():
		day = "on an unknown day"
	case !known:
		day = "on an unknown day, of a commit of " + reports.Day(at)
	}
	s.evidence = fmt.Sprintf("target %s, %s, %s", reports.Printable(newest.Target), day, reports.Plural(newest.Benchmarks, "benchmark"))
	if env := environment(newest.Env); env != "" {
		s.evidence += "; " + reports.Printable(env)
	} else {
		s.evidence += "; the machine is not known"
	}
	return s
}

// before reports whether a run was measured before another one.
func before(a, b record.RunInfo) bool {
	x, _ := a.Measured()
	y, _ := b.Measured()
	return x.Before(y)
}

// A bottleneck is a scope with much time of its own.
type bottleneck struct {
	run   *record.Run
	suite string
	name  string
	calls int
	self  float64 // nanoseconds
	share float64 // of all work
}

// shownBottlenecks is how many are named.
const shownBottlenecks = 5

// profiled is the newest profile that tells which scopes lie in which: of several suites the longest.
func (v *view) profiled() (run *record.Run, found *tree.Tree) {
	for _, r := range v.Current {
		for _, t := range v.trees[r] {
			if t.Placed && t.Base() > 0 && (found == nil || t.Total > found.Total) {
				run, found = r, t
			}
		}
		if found != nil {
			return run, found
		}
	}
	return nil, nil
}

// bottlenecks are the scopes with the most time of their own.
func (v *view) bottlenecks() (out []bottleneck) {
	run, t := v.profiled()
	if t == nil {
		return nil
	}
	for _, m := range t.Methods() {
		if m.Self > 0 && len(out) < shownBottlenecks {
			out = append(out, bottleneck{run, t.Suite, m.Name, m.Calls, m.Self, m.Self / t.Base()})
		}
	}
	return out
}

func (v *view) bottleneckTable() reports.Table {
	t := reports.Table{Heading: "Bottlenecks, top five"}
	all := v.bottlenecks()
	if len(all) == 0 {
		t.Words = []string{"Not known: no profile is stored that tells the own time of its scopes. " + v.profileCommand() + " shows where the time goes now."}
		return t
	}
	t.Facts = runFacts(all[0].run, all[0].suite)
	t.Columns = []reports.Column{{Title: "rank", Right: true}, {Title: "scope", Code: true}, {Title: "own time", Right: true}, {Title: "of all work", Right: true}, barColumn("to scale"), {Title: "calls", Right: true}}
	sum := 0.0
	for i, b := range all {
		sum += b.share
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1), Value: i + 1}, text(b.name), number(b.self/1e9, "sec/op"), share(b.share), bar(b.share), {Text: reports.WithCommas(fmt.Sprint(b.calls)), Value: b.calls},
		})
	}
	t.Caption = fmt.Sprintf("Together %s of the time that was profiled; own time is that without the scopes inside.", reports.Portion(sum))
	return t
}

// doubts are what a reader must know of the current values.
func (v *view) doubts() (notes []reports.Note) {
	for _, run := range v.Current {
		var why []string
		if run.Commit.Dirty {
			why = append(why, "of uncommitted changes")
		}
		if run.Status == record.Partial || run.Status == record.Failed {
			why = append(why, string(run.Status))
		}
		if len(why) > 0 {
			notes = append(notes, reports.Note{Text: "values are of a run that is " + strings.Join(why, " and ") + ", as there is no other", Detail: run.Target + " " + reports.CommitName(run.Commit)})
		}
	}
	single := 0
	for _, r := range v.readings {
		if s := r.get("sec/op"); s.N == 1 {
			single++
		}
	}
	if single > 0 {
		notes = append(notes, reports.Note{Text: fmt.Sprintf("%d of %d values are single samples: how much of them is noise cannot be told", single, len(v.readings))})
	}
	return notes
}
