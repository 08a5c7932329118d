package family

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/runner/record"
)

// A status answers one question of the overview table.
type status struct {
	area, word, evidence string
	tone                 reports.Tone
}

// glance returns the overview table.
func (v *view) glance() reports.Table {
	t := reports.Table{Heading: "At a glance", Columns: []reports.Column{{Title: "question"}, {Title: "answer"}, {Title: "based on"}}}
	for _, s := range []status{v.history(), v.compared(), v.coverage(), v.noise(), v.fresh()} {
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(s.area), {Text: s.word, Tone: s.tone}, cells.Text(s.evidence)})
	}
	return t
}

func (v *view) history() status {
	s := status{area: "Did it get slower over the commits?"}
	words, tone := v.regressionWords()
	short, all := v.tooShort()
	s.tone = tone
	switch n, _ := v.unresolvedWords(); {
	case n > 0:
		s.word = "yes: " + reports.Plural(n, "benchmark")
	case len(v.Regressions.Unseen()) > 0:
		s.word = "yes: " + reports.Plural(len(v.Regressions.Unseen()), "benchmark") + " proved"
	case v.accepted() > 0:
		s.word = "yes, and accepted: " + reports.Plural(v.accepted(), "benchmark")
	case tone == reports.Good:
		s.word = "no"
	case short < all:
		s.word = "none found so far"
	default:
		s.word = "not known"
	}
	s.evidence = words
	return s
}

// compared reports whether the newest comparison shows a slower head.
func (v *view) compared() status {
	s := status{area: "Did the newest change make it slower?"}
	c := v.Compared
	if c == nil {
		s.word, s.tone, s.evidence = "not known", reports.Warn, v.notCompared()
		return s
	}
	n := digest.Of(c, gates.Options{}).Standing()
	switch line := comparisonreport.Report(c); {
	case n.Regressed > 0:
		s.word, s.tone = fmt.Sprintf("yes: %s regressed", reports.Plural(n.Regressed, "benchmark")), reports.Bad
	case n.Suspect > 0:
		s.word, s.tone = fmt.Sprintf("perhaps: %s suspect", reports.Plural(n.Suspect, "benchmark")), reports.Warn
	case n.Accepted > 0 && n.Undecided > 0:
		s.word, s.tone = fmt.Sprintf("yes, and accepted: %s regressed; %d undecided", reports.Plural(n.Accepted, "benchmark"), n.Undecided), reports.Warn
	case n.Accepted > 0:
		s.word, s.tone = fmt.Sprintf("yes, and accepted: %s regressed", reports.Plural(n.Accepted, "benchmark")), reports.Plain
	case n.Benchmarks == 0 && c.Trial() && line.Tone == reports.Good: // nothing had to be measured
		s.word, s.tone = "no", reports.Good
	case n.Decided == 0:
		s.word, s.tone = "not decided", reports.Warn
	case n.Undecided > 0:
		s.word, s.tone = fmt.Sprintf("not shown: %d of %s undecided", n.Undecided, reports.Plural(n.Benchmarks, "benchmark")), reports.Warn
	default:
		s.word, s.tone = "no", reports.Good
	}
	before := ""
	if head := v.unchecked(); head != "" {
		if before = "before it "; n.Regressed+n.Suspect > 0 {
			before = head + " was not checked; before it "
		} else {
			s.word, s.tone = head+": not checked", reports.Warn
		}
	}
	kind := "unpaired"
	if c.Trial() {
		kind = "a trial"
	}
	s.evidence = before + fmt.Sprintf("%s against %s, %s: %s", sideName(c.Head), sideName(c.Base), kind, comparisonreport.Counted(c))
	if slower, faster, all := v.unpaired(); n.Benchmarks == 0 && all > 0 {
		s.evidence += fmt.Sprintf("; of %d timings, %d increased and %d decreased by at least the threshold", all, slower, faster)
	}
	return s
}

// unchecked returns a name for the reported commit if the comparison has another head, and
// otherwise "".
func (v *view) unchecked() string {
	if v.Head == "" || slices.ContainsFunc(v.Compared.Head.Runs, func(r *record.Run) bool { return r.Commit.SHA == v.Head }) {
		return ""
	}
	return "HEAD " + record.ShortHash(v.Head)
}

// unpaired counts the times in the comparison, and the times that are slower or faster by at least
// the threshold, without testing them. It leaves out rows that only show the change of another row.
func (v *view) unpaired() (slower, faster, all int) {
	for r := range v.Compared.Rows() {
		if r.Unit != "sec/op" || !r.HasDelta() || r.CorrelatedWith != nil {
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

// sideName returns a name for a side of the comparison.
func sideName(side compare.Side) string {
	if len(side.Runs) == 0 {
		return reports.Printable(side.Label)
	}
	return cmp.Or(reports.CommitName(side.Runs[0].Commit), reports.Printable(side.Label))
}

// coverage reports whether everything was measured.
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
		missing = append(missing, reports.Plural(n, "target")+" whose newest run does not count in the history")
	}
	switch {
	case len(missing) > 0:
		s.word, s.tone, s.evidence = "no", reports.Warn, strings.Join(missing, ", ")
	case v.partly() != "":
		s.word, s.tone, s.evidence = "no", reports.Warn, v.partly()
	case v.chosen() != "":
		s.word, s.tone, s.evidence = "only a selection", reports.Warn, v.measuredWords()+"; "+v.chosen()
	case v.Compared == nil:
		s.word, s.tone, s.evidence = "not known", reports.Warn, v.measuredWords()+"; only a comparison shows whether anything is missing"
	case v.Compared.LostCoverage() || v.Compared.NotChecked().Benchmarks > 0:
		s.word, s.tone, s.evidence = "no", reports.Warn, "the comparison lists the unchecked benchmarks"
	default:
		s.word, s.tone, s.evidence = "yes", reports.Good, v.measuredWords()
	}
	return s
}

// partly lists the targets with fewer benchmarks at their newest commit than in their last complete
// run, with both numbers. It returns "" if there are none. It leaves out a target if a run selected
// all its benchmarks: the unmeasured ones then have the same code on both sides or reach no changed
// code.
func (v *view) partly() string {
	whole, newest := map[string]record.RunInfo{}, map[string]record.Commit{}
	for _, r := range v.Runs {
		if old, ok := whole[r.Target]; steps.IsWhole(r) && r.Facts.Get(record.KeyMeasured) == "" && !v.Elsewhere[r.Commit.SHA] && (!ok || !before(r, old)) {
			whole[r.Target] = r
		}
	}
	for _, run := range v.Current {
		if _, ok := newest[run.Target]; !ok {
			newest[run.Target] = run.Commit // the first run is the newest
		}
	}
	measured, asked := map[string]int{}, map[string]bool{}
	for _, r := range v.readings {
		if r.Kind == record.Bench && r.run.Commit.SHA == newest[r.run.Target].SHA {
			measured[r.run.Target]++
		}
	}
	for _, r := range v.Runs {
		if r.Commit.SHA == newest[r.Target].SHA && !r.Protocol.SelectsSome() {
			asked[r.Target] = true // all benchmarks were selected
		}
	}
	var words []string
	for _, target := range slices.Sorted(maps.Keys(newest)) {
		if all, ok := whole[target]; ok && !asked[target] && measured[target] < all.Benchmarks {
			words = append(words, fmt.Sprintf("%s has %d of the %d benchmarks in the last complete run of %s, at %s", reports.CommitName(newest[target]), measured[target], all.Benchmarks,
				reports.Printable(target), reports.CommitName(all.Commit)))
		}
	}
	return strings.Join(words, ", ")
}

// chosen lists the targets without a complete run, with the benchmarks selected instead. It returns
// "" if there are none.
func (v *view) chosen() string {
	whole := map[string]bool{}
	for _, r := range v.Runs {
		whole[r.Target] = whole[r.Target] || steps.IsWhole(r)
	}
	var words []string
	for _, r := range v.Current {
		if whole[r.Target] || !r.Protocol.SelectsSome() {
			continue
		}
		if one := reports.Printable(r.Target + " by " + r.Protocol.Selection.String()); !slices.Contains(words, one) {
			words = append(words, one)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "no run covers all benchmarks; selected were " + strings.Join(words, ", ")
}

// noise describes how much the numbers vary without a change of the code.
func (v *view) noise() status {
	s := status{area: "Can the numbers be trusted?"}
	if len(v.Calibrations) > 0 {
		c := slices.MaxFunc(v.Calibrations, func(a, b Calibration) int { return a.When.Compare(b.When) })
		s.word, s.tone = "pair noise of "+reports.Portion(c.Noise), reports.Plain
		s.evidence = fmt.Sprintf("calibration of %s on %s: median of %d rows; the worst is %s", reports.Printable(c.Target), cmp.Or(reports.Day(c.When), "an unknown day"), c.Rows, reports.Portion(c.Worst))
		if math.IsNaN(c.Noise) {
			s.word, s.tone = "not known", reports.Warn
		}
		return s
	}
	var noises []float64
	for _, c := range v.histories {
		if x := c.Noise(); c.Tidied == "sec/op" && !math.IsNaN(x) {
			noises = append(noises, x)
		}
	}
	if len(noises) > 0 {
		s.word, s.tone = "noise of "+reports.Portion(stat.Median(noises)), reports.Plain
		s.evidence = fmt.Sprintf("median scatter of the runs within the newest level, over %d benchmarks; never calibrated", len(noises))
		return s
	}
	s.word, s.tone, s.evidence = "not known", reports.Warn, "never calibrated, and too few runs to estimate their scatter"
	return s
}

// fresh describes the last measurement and its time.
func (v *view) fresh() status {
	s := status{area: "What was measured last?", word: "nothing", tone: reports.Warn, evidence: "no run is stored"}
	if len(v.Runs) == 0 {
		return s
	}
	newest := v.Runs[0]
	for _, r := range v.Runs {
		if here, was := !v.Elsewhere[r.Commit.SHA], !v.Elsewhere[newest.Commit.SHA]; here && !was || here == was && !before(r, newest) {
			newest = r
		}
	}
	s.word, s.tone = cmp.Or(reports.CommitName(newest.Commit), "an unknown commit"), reports.Plain
	at, known := newest.Measured()
	day := "measured on " + reports.Day(at)
	switch {
	case at.IsZero():
		day = "on an unknown day"
	case !known:
		day = "on an unknown day, for a commit from " + reports.Day(at)
	}
	s.evidence = fmt.Sprintf("target %s, %s, %s", reports.Printable(newest.Target), day, reports.Plural(newest.Benchmarks, "benchmark"))
	if v.Elsewhere[newest.Commit.SHA] {
		s.tone, s.evidence = reports.Warn, "on another branch; "+s.evidence
	}
	if env := cells.Environment(newest.Env); env != "" {
		s.evidence += "; " + reports.Printable(env)
	} else {
		s.evidence += "; the machine is unknown"
	}
	return s
}

// before reports whether run a was measured before run b.
func before(a, b record.RunInfo) bool {
	x, _ := a.Measured()
	y, _ := b.Measured()
	return x.Before(y)
}
