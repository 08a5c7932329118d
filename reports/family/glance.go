package family

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
)

// A status is one line of the dashboard.
type status struct {
	area, word, evidence string
	tone                 reports.Tone
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
	switch n, _ := v.inForceWords(); {
	case n > 0:
		s.word = "yes: " + reports.Plural(n, "benchmark")
	case len(v.Regressions.Unseen()) > 0:
		s.word = "yes: " + reports.Plural(len(v.Regressions.Unseen()), "benchmark") + " proved"
	case v.accepted() > 0:
		s.word = "yes, and accepted: " + reports.Plural(v.accepted(), "benchmark")
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
	n := comparisonreport.CountBenchmarks(c)
	switch line := comparisonreport.Report(c); {
	case n.Regressed > 0:
		s.word, s.tone = fmt.Sprintf("yes: %s regressed", reports.Plural(n.Regressed, "benchmark")), reports.Bad
	case n.Suspect > 0:
		s.word, s.tone = fmt.Sprintf("perhaps: %s suspect", reports.Plural(n.Suspect, "benchmark")), reports.Warn
	case n.Accepted > 0 && n.Undecided > 0:
		s.word, s.tone = fmt.Sprintf("yes, and accepted: %s regressed; %d undecided", reports.Plural(n.Accepted, "benchmark"), n.Undecided), reports.Warn
	case n.Accepted > 0:
		s.word, s.tone = fmt.Sprintf("yes, and accepted: %s regressed", reports.Plural(n.Accepted, "benchmark")), reports.Plain
	case n.Benchmarks == 0 && c.Trial() && line.Tone == reports.Good: // there was nothing to measure
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
	kind := "measured apart"
	if c.Trial() {
		kind = "a trial"
	}
	s.evidence = before + fmt.Sprintf("%s against %s, %s: %s", sideName(c.Head), sideName(c.Base), kind, comparisonreport.Sentence(c))
	if slower, faster, all := v.apart(); n.Benchmarks == 0 && all > 0 {
		s.evidence += fmt.Sprintf("; of %d times %d are longer and %d shorter by the threshold or more", all, slower, faster)
	}
	return s
}

// unchecked names the commit that the reports are of where the comparison is not of it, but of one
// before: what holds for that is not known of this one. Else it is "".
func (v *view) unchecked() string {
	if v.Head == "" || slices.ContainsFunc(v.Compared.Head.Runs, func(r *record.Run) bool { return r.Commit.SHA == v.Head }) {
		return ""
	}
	return "HEAD " + record.ShortHash(v.Head)
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
	case v.partly() != "":
		s.word, s.tone, s.evidence = "no", reports.Warn, v.partly()
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

// partly says of how many benchmarks the newest runs of a target are, where the last run of all there
// is was of more; "" where none is, or nobody ever measured all. What reaches no changed code, or was of the
// same code, nobody had to measure.
func (v *view) partly() string {
	whole, newest := map[string]record.RunInfo{}, map[string]record.Commit{}
	for _, r := range v.Runs {
		if old, ok := whole[r.Target]; site.IsWhole(r) && r.Facts.Get(record.KeyMeasured) == "" && !v.Elsewhere[r.Commit.SHA] && (!ok || !before(r, old)) {
			whole[r.Target] = r
		}
	}
	for _, run := range v.Current {
		if _, ok := newest[run.Target]; !ok {
			newest[run.Target] = run.Commit // the newest is the first
		}
	}
	measured, asked := map[string]int{}, map[string]bool{}
	for _, r := range v.readings {
		if r.Kind == record.Bench && r.run.Commit.SHA == newest[r.run.Target].SHA {
			measured[r.run.Target]++
		}
	}
	for _, r := range v.Runs {
		if r.Commit.SHA == newest[r.Target].SHA && (r.Facts.Get(record.KeySelection) == "" || compare.SelectionIs(&r.Run, "")) {
			asked[r.Target] = true // for all there is
		}
	}
	var words []string
	for _, target := range slices.Sorted(maps.Keys(newest)) {
		if all, ok := whole[target]; ok && !asked[target] && measured[target] < all.Benchmarks {
			words = append(words, fmt.Sprintf("%s has %d of the %d benchmarks of the last whole suite of %s, of %s", reports.CommitName(newest[target]), measured[target], all.Benchmarks,
				reports.Printable(target), reports.CommitName(all.Commit)))
		}
	}
	return strings.Join(words, ", ")
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
		if here, was := !v.Elsewhere[r.Commit.SHA], !v.Elsewhere[newest.Commit.SHA]; here && !was || here == was && !before(r, newest) {
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
	if v.Elsewhere[newest.Commit.SHA] {
		s.tone, s.evidence = reports.Warn, "of another branch; "+s.evidence
	}
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
