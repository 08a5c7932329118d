package github

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// Marker is the first line of a comment, by which it is found again. It tells
// apart the comments of several workflows; of the name only letters, digits,
// "-", "_" and "." are kept.
func Marker(workflow string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.", r) {
			return r
		}
		return '-'
	}, workflow)
	for strings.Contains(name, "--") { // would end the HTML comment
		name = strings.ReplaceAll(name, "--", "-")
	}
	return "<!-- perftrack:v1:" + name + " -->"
}

// Comment returns the body of the comment, at most MaxComment bytes.
func (f *Finding) Comment() string {
	marker := Marker(f.opt.Workflow) + "\n"
	if f.opt.Hidden != "" {
		marker += f.opt.Hidden + "\n"
	}
	return f.text(marker, MaxComment)
}

// Summary returns the same as the summary of a job, at most MaxSummary bytes.
func (f *Finding) Summary() string { return f.text("", MaxSummary) }

// Failed returns the body of a comment that says why there is no result for a
// commit, or with the state [Pending] none yet. The reason is of perftrack's own words.
func Failed(workflow, commit, state, reason string) string {
	what := "has no result for "
	if state == Pending {
		what = "has no result yet for "
	}
	return Marker(workflow) + "\n### perftrack " + what + reports.CodeSpan(record.ShortHash(commit)) + "\n\n" + Sentence(reason) + "\n"
}

// Unmeasured returns the body of a comment that says why a commit was not measured, and did not
// need to be. The reason is of perftrack's own words.
func Unmeasured(workflow, commit, reason string) string {
	return Marker(workflow) + "\n### perftrack had nothing to measure for " + reports.CodeSpan(record.ShortHash(commit)) + "\n\n" + Sentence(reason) + "\n"
}

// Sentence writes words as a sentence, in which nothing is a link, a mention or HTML.
func Sentence(words string) string { return reports.Prose(strings.TrimRight(words, ".\n")) + "." }

// text lays out the parts. What must be there comes first and is short; the lists share
// the rest of the room, the most important ones first.
func (f *Finding) text(marker string, limit int) string {
	head := marker + "### " + reports.Prose(f.Verdict()) + "\n\n" + f.unchecked()
	foot := f.foot()
	p := &page{left: limit - len(head) - len(foot)}
	p.lists(f.changedTable(), f.limitList(), f.nestedList(), f.lostList(), f.shortList(), f.openList(), f.caveats(), f.sameTable())
	return head + p.b.String() + foot
}

// unchecked says what the budget left out and which budget would do. A reader has to know
// that before any verdict.
func (f *Finding) unchecked() string {
	u := f.c.NotChecked()
	if u.Benchmarks == 0 {
		return ""
	}
	text := "**" + reports.Prose(u.String()) + ".**"
	if u.Budget > 0 && f.opt.OwnWorkflow {
		text += " In the measuring workflow that is " + reports.CodeSpan("budget: "+compare.ShortDuration(u.Budget)) + "."
	}
	return text + "\n\n"
}

const columns = "| benchmark | change | measured in | verdict | adj. p | raw medians, unpaired p |\n|---|---:|---|---|---:|---|\n"

func (f *Finding) changedTable() list {
	l := list{before: columns, what: "changed rows, smaller changes,"}
	for _, r := range f.changed {
		l.verdicts = append(l.verdicts, r.verdict())
	}
	return f.fill(l, f.changed, func(r row, w comparison.RowWords) []string {
		verdict := reports.Prose(string(r.verdict()))
		switch {
		case r.accept != "":
			verdict += ": " + reports.CodeSpan(r.accept)
		case r.verdict() == compare.Regressed:
			verdict = "**" + verdict + "**"
		}
		if w.Reason != "" && w.Reason != string(r.verdict()) { // an accepted row may have it as its reason already
			verdict += reports.Prose(" (" + w.Reason + ")")
		}
		return []string{unbroken(change(r, w)), reports.Prose(measured(w)), verdict, reports.Prose(w.P), raw(w)}
	})
}

// measured says what a change rests on; of runs that were not measured in pairs, how many
// samples there are.
func measured(w comparison.RowWords) string {
	if w.Measured == "" {
		return w.Samples + " samples a side"
	}
	return w.Measured
}

// raw shows the medians of the samples of both sides, and benchstat's p of them.
func raw(w comparison.RowWords) string {
	text := unbroken(w.Base) + " → " + unbroken(w.Head)
	if w.Unpaired != "" {
		text += reports.Prose(" (p " + w.Unpaired + ")")
	}
	return text
}

// unbroken keeps a spread and an interval on one line. The table is narrow, and a browser
// breaks a cell at any space; it may break before them, or the verdict would be out of
// sight.
func unbroken(text string) string {
	return strings.NewReplacer("± ", "±\u00a0", ", ", ",\u00a0").Replace(reports.Prose(text))
}

// change is the estimated change with its interval, or the plain delta if there is no
// estimate.
func change(r row, w comparison.RowWords) string {
	if w.Change != "" || !r.row.Compared() || math.IsNaN(r.row.Delta) {
		return w.Change
	}
	return reports.Percent(r.row.Delta)
}

func (f *Finding) nestedList() list {
	l := list{title: reports.Plural(len(f.nested), "row") + " with the same change, not counted again", what: "such rows"}
	for _, r := range f.nested {
		w := comparison.Words(f.c, r.table, r.row)
		l.lines = append(l.lines, fmt.Sprintf("- %s %s: %s, correlated with %s\n", reports.CodeSpan(f.name(r, w)),
			reports.CodeSpan(r.row.Unit), reports.Prose(change(r, w)), reports.CodeSpan(r.row.CorrelatedWith.Name)))
	}
	return l
}

// lostList names the benchmarks that head lacks, has in addition, failed to measure, or
// did not need to measure.
func (f *Finding) lostList() list {
	c := f.c
	l := list{what: "benchmarks", title: fmt.Sprintf("coverage: %d of %s judged", len(f.changed)+len(f.nested)+len(f.open)+len(f.same), reports.Plural(f.rows(), "row"))}
	if n := len(c.Missing) + len(c.New) + len(c.Failures); n > 0 {
		l.title += fmt.Sprintf("; %d missing, %d new, %d failed", len(c.Missing), len(c.New), len(c.Failures))
	}
	if f.alike > 0 {
		l.title += fmt.Sprintf("; %d of the same machine code on both sides", f.alike)
	}
	if f.apart > 0 {
		l.title += fmt.Sprintf("; %d reach no changed code", f.apart)
	}
	for _, u := range c.Failures {
		l.lines = append(l.lines, fmt.Sprintf("- failed on the %s side: %s\n", reports.Prose(string(u.Side)), reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Benchmark)+": "+u.Reason)))
	}
	for _, side := range []struct {
		word string
		list []compare.Unpaired
	}{{"missing in head", c.Missing}, {"new in head", c.New}} {
		for _, u := range side.list {
			l.lines = append(l.lines, "- "+side.word+": "+reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Package+" "+u.Name+" "+u.Unit))+"\n")
		}
	}
	for _, lost := range c.LostParts() {
		l.lines = append(l.lines, fmt.Sprintf("- not checked: %v of %s: %s\n", lost.Part, reports.CodeSpan(lost.Target), lost.Why))
	}
	for _, s := range c.Same {
		l.lines = append(l.lines, fmt.Sprintf("- the same machine code on both sides, nothing to measure: %s of %s\n",
			reports.Plural(s.Benchmarks, "benchmark"), reports.CodeSpan(strings.TrimSpace(s.Target+" "+s.Package))))
	}
	for _, u := range c.Unreached {
		l.lines = append(l.lines, fmt.Sprintf("- reach no changed code, not measured: %s of %s\n",
			reports.Plural(u.Benchmarks, "benchmark"), reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Package))))
	}
	if len(l.lines)+len(f.short) == 0 && f.rows() > 0 {
		all := "Every benchmark was measured on both sides."
		said := func(code string) bool {
			return slices.ContainsFunc(c.Caveats, func(v compare.Caveat) bool { return v.Code == code })
		}
		switch {
		case said(compare.CodePart):
			all = "Every benchmark of this part was measured on both sides."
		case said(compare.CodeSelection):
			all = "Every benchmark that was selected was measured on both sides."
		}
		l.lines = []string{all + " Units that follow from the time, such as MB/s, are not judged again.\n"}
	}
	return l
}

func (f *Finding) rows() (n int) {
	for range f.c.Rows() {
		n++
	}
	return n
}

func (f *Finding) openList() list {
	l := list{title: reports.Plural(len(f.open), "row") + " inconclusive", what: "inconclusive rows",
		before: "| benchmark | change | measured in | why | raw medians, unpaired p |\n|---|---:|---|---|---|\n"}
	return f.fill(l, f.open, func(_ row, w comparison.RowWords) []string {
		return []string{unbroken(w.Change), reports.Prose(measured(w)), reports.Prose(w.Reason), raw(w)}
	})
}

func (f *Finding) shortList() list {
	l := list{title: reports.Plural(len(f.short), "row") + " not checked", what: "such rows",
		before: "| benchmark | change so far | measured |\n|---|---:|---|\n"}
	return f.fill(l, f.short, func(_ row, w comparison.RowWords) []string {
		return []string{unbroken(w.Change), reports.Prose(w.Reason)}
	})
}

func (f *Finding) sameTable() list {
	l := list{title: reports.Plural(len(f.same), "row") + " unchanged", what: "unchanged rows",
		before: "| benchmark | change | measured in | proven | raw medians, unpaired p |\n|---|---:|---|---|---|\n"}
	return f.fill(l, f.same, func(_ row, w comparison.RowWords) []string {
		return []string{unbroken(w.Change), reports.Prose(measured(w)), reports.Prose(w.Reason), raw(w)}
	})
}

// fill adds a line of a table for each row: its name, followed by the cells.
func (f *Finding) fill(l list, rows []row, cells func(row, comparison.RowWords) []string) list {
	for _, r := range rows {
		w := comparison.Words(f.c, r.table, r.row)
		line := append([]string{reports.CodeSpan(f.name(r, w)) + " " + reports.CodeSpan(r.row.Unit)}, cells(r, w)...)
		l.lines = append(l.lines, "| "+strings.Join(line, " | ")+" |\n")
	}
	return l
}

// caveats are what the reader must know of the whole.
func (f *Finding) caveats() list {
	l := list{what: "remarks"}
	for _, c := range f.c.Caveats {
		if c.Code != compare.CodeNotChecked { // stands above everything
			l.lines = append(l.lines, "- "+note(c.Text, c.Detail)+"\n")
		}
	}
	l.title = reports.Plural(len(l.lines), "remark")
	return l
}

func note(text, detail string) string {
	if detail == "" {
		return reports.Prose(text)
	}
	return reports.Prose(text) + ": " + reports.CodeSpan(detail)
}

// maxEnvironments is how many environments the foot describes.
const maxEnvironments = 3

// foot has what every comment has: means, environment, commits, and how to see it again.
// Its size does not grow with the number of benchmarks.
func (f *Finding) foot() string {
	var b strings.Builder
	for _, n := range f.opt.Notes {
		b.WriteString(reports.Prose(n) + "\n\n")
	}
	for _, sentence := range comparison.Legend(f.c) {
		first, size := utf8.DecodeRuneInString(sentence)
		b.WriteString(Sentence(string(unicode.ToUpper(first))+sentence[size:]) + "\n\n")
	}
	for _, m := range f.means() {
		b.WriteString(m)
	}
	var shown [][]reports.Fact
	for i := range f.c.Tables {
		facts := comparison.Environment(&f.c.Tables[i])
		if slices.ContainsFunc(shown, func(s []reports.Fact) bool { return slices.Equal(s, facts) }) {
			continue
		}
		if len(shown) == maxEnvironments {
			b.WriteString("Further environments are left out.\n\n")
			break
		}
		shown = append(shown, facts)
		var parts []string
		for _, fact := range facts {
			parts = append(parts, reports.Prose(fact.Key)+" "+reports.CodeSpan(fact.Value))
		}
		if len(parts) > 0 {
			b.WriteString("Measured side by side on " + strings.Join(parts, ", ") + ".\n\n")
		}
	}
	base, head := sideCommit(f.c.Base), sideCommit(f.c.Head)
	if base != "" && head != "" {
		fmt.Fprintf(&b, "Base %s, head %s. ", reports.CodeSpan(record.ShortHash(base)), reports.CodeSpan(record.ShortHash(head)))
	}
	if f.rows() > 0 {
		b.WriteString(reports.Prose(f.rules()) + " ")
	}
	fmt.Fprintf(&b, "To measure this again on your machine:\n\n```sh\n%s\n```\n", command(base, head))
	if f.opt.OwnWorkflow {
		b.WriteString("\nMeasured by the pull request's own workflow; judged from its samples with the thresholds of the base branch.\n")
	}
	if f.opt.Link != "" {
		b.WriteString("\n[Full report](" + f.opt.Link + ")\n")
	}
	return b.String()
}

// rules states the error rate and the threshold of the verdicts.
func (f *Finding) rules() string {
	least, most := math.Inf(1), 0.0
	for r := range f.c.Rows() {
		least, most = min(least, r.Threshold), max(most, r.Threshold)
	}
	threshold := fmt.Sprintf("%.3g%%", 100*most)
	if least < most {
		threshold = fmt.Sprintf("%.3g%%..%.3g%%", 100*least, 100*most)
	}
	return fmt.Sprintf("Threshold %s; alpha %.3g%% over %s, for which p is corrected.", threshold, 100*f.c.Options.Alpha, reports.Plural(f.c.Tested, "test"))
}

// means are the geometric means of the changes over all benchmarks, of the time and of
// each unit that changed. Several trials have none: a benchmark would count as often as
// it was measured.
func (f *Finding) means() (lines []string) {
	if f.c.Trials > 1 {
		return nil
	}
	type mean struct {
		sum float64
		n   int
	}
	units := []string{"sec/op"}
	for _, r := range f.changed {
		if !slices.Contains(units, r.row.Unit) && len(units) < 8 {
			units = append(units, r.row.Unit)
		}
	}
	means := map[string]mean{}
	for r := range f.c.Rows() {
		if d := math.Log1p(r.Change()); r.Compared() && r.Verdict != compare.NotChecked && d-d == 0 {
			m := means[r.Unit]
			means[r.Unit] = mean{m.sum + d, m.n + 1}
		}
	}
	for _, u := range units {
		if m := means[u]; m.n > 1 {
			lines = append(lines, fmt.Sprintf("Geomean of the changes of %s over %s: %s\n\n", reports.CodeSpan(u), reports.Plural(m.n, "benchmark"),
				reports.Prose(reports.PlainChange(math.Expm1(m.sum/float64(m.n))))))
		}
	}
	return lines
}

// command is the command that measures the same again. It names nothing but commit
// hashes.
func command(base, head string) string {
	if base == "" || head == "" {
		return "perftrack check --base REV"
	}
	return "perftrack check --base " + record.ShortHash(base) + " --head " + record.ShortHash(head)
}

// sideCommit returns the hash of the commit that all runs of the side share,
// or "".
func sideCommit(s compare.Side) (sha string) {
	for i, r := range s.Runs {
		if i > 0 && r.Commit.SHA != sha || !hex(r.Commit.SHA) {
			return ""
		}
		sha = r.Commit.SHA
	}
	return sha
}

func hex(s string) bool {
	return len(s) >= 12 && strings.Trim(s, "0123456789abcdef") == ""
}
