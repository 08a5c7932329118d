package github

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Marker returns the first line of a comment. perftrack uses it to find the comment again. The name
// of the workflow distinguishes it from the comments of other workflows. Marker keeps only the
// ASCII letters, digits, "_" and "." of the name and replaces everything else by "-".
func Marker(workflow string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.", r) {
			return r
		}
		return '-'
	}, workflow)
	for strings.Contains(name, "--") { // "--" would end the HTML comment
		name = strings.ReplaceAll(name, "--", "-")
	}
	return "<!-- perftrack:v1:" + name + " -->"
}

// Comment returns the comment, of at most MaxComment bytes.
func (f *Finding) Comment() string {
	marker := Marker(f.opt.Workflow) + "\n"
	if f.opt.Hidden != "" {
		marker += f.opt.Hidden + "\n"
	}
	return f.text(marker, MaxComment)
}

// Summary returns the text of the comment as a job summary, of at most MaxSummary bytes.
func (f *Finding) Summary() string { return f.text("", MaxSummary) }

// text puts the parts of a comment together, in at most limit bytes. The head, the next steps and
// the foot are short and always included. The lists share the remaining space, in the order of
// their importance.
func (f *Finding) text(marker string, limit int) string {
	head := marker + "### " + f.headline() + "\n\n" + f.overruled() + f.unchecked() + f.failures() + f.edited()
	next, foot := f.next(), f.foot()
	p := &page{left: limit - len(head) - len(next) - len(foot)}
	// Both tables come before the next steps, and everything folded comes after them.
	changed := f.changedTable()
	p.lists(changed, f.limitList(), list{always: next}, f.charts(),
		f.numbers(), f.nestedList(), f.lostList(), f.shortList(), f.openList(), f.caveats(), f.fullNames(changed), f.sameTable())
	return head + p.b.String() + foot
}

// overruled explains why the status differs from the verdict of the numbers below it. It returns ""
// if the status is not overruled.
func (f *Finding) overruled() string {
	if o := f.opt.Overruled; o != nil && o.Why != "" {
		return Sentence(o.Why) + "\n\n"
	}
	return ""
}

// unchecked counts the benchmarks that were not checked because they had too few rounds, and names
// a sufficient budget. Readers should see this before any verdict.
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

// openFailures is the number of failures shown without unfolding.
const openFailures = 3

// failures lists the first few failures with the message from the compiler or the program.
func (f *Finding) failures() string {
	var lines []string
	for _, u := range f.c.Failures {
		where := "in " + string(u.Side)
		if f.c.FailsInBoth(u) {
			if where = "on both sides"; u.Side == record.Base {
				continue
			}
		}
		does, reason := "fails", u.Reason
		if u.Unbuilt() {
			does, reason = "does not build", strings.TrimPrefix(reason, record.NotBuilt)
		}
		lines = append(lines, fmt.Sprintf("- %s %s %s: %s\n", reports.CodeSpan(cmp.Or(u.Benchmark, u.Target)), does, where, reports.CodeSpan(reason)))
	}
	if len(lines) == 0 {
		return ""
	}
	if n := len(lines) - openFailures; n > 0 {
		lines = append(lines[:openFailures], fmt.Sprintf("- and %d more, in the section on coverage\n", n))
	}
	return strings.Join(lines, "") + "\n"
}

// maxEdited is the maximum number of edited benchmarks named in a comment.
const maxEdited = 5

// edited names the benchmarks edited by the pull request. Reviewers have to check these edits,
// because a benchmark that does less work is faster, too.
func (f *Finding) edited() string {
	say := func(names []string, words string) string {
		if len(names) == 0 {
			return ""
		}
		text, more := strings.Join(names[:min(len(names), maxEdited)], ", "), len(names)-maxEdited
		if more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		return words + " " + text + ".\n\n"
	}
	var shared, other []string
	for _, s := range f.c.Shared {
		if !s.New {
			shared = append(shared, reports.CodeSpan(cut(s.Name, maxHeadlineName)))
		}
	}
	for _, w := range f.c.Rewritten {
		name := w.Name
		if name == "*" {
			name = w.Package
		}
		other = append(other, reports.CodeSpan(cut(name, maxHeadlineName)))
	}
	return say(other, "**Not comparable**, because neither side's test files build with the other side's code:") +
		say(shared, "Edited benchmarks, measured with the same test files on both sides:")
}

// foot describes how the numbers were measured and links to further information. Its size does not
// depend on the number of benchmarks.
func (f *Finding) foot() string {
	var b strings.Builder
	b.WriteString("<details><summary>how this was measured</summary>\n\n" + f.method() + "</details>\n\n")
	for _, n := range f.opt.Notes {
		b.WriteString(prose(n) + "\n\n")
	}
	var parts []string
	if base, head := f.c.Base.Commit(), f.c.Head.Commit(); base != "" && head != "" {
		parts = append(parts, "base "+f.opt.commit(base), "head "+f.opt.commit(head))
	}
	if f.opt.Link != "" {
		parts = append(parts, "[full report]("+f.opt.Link+")")
	}
	if f.opt.History != "" {
		parts = append(parts, "[history]("+f.opt.History+")")
	}
	if len(parts) > 0 {
		b.WriteString(strings.Join(parts, " · ") + "\n")
	}
	if f.opt.OwnWorkflow {
		b.WriteString("\nMeasured by the pull request's own workflow; judged from its samples with the base branch's thresholds.\n")
	}
	return b.String()
}

// commit returns the short hash of a commit, as a link if o.Commits is set.
func (o Options) commit(sha string) string {
	name := reports.CodeSpan(record.ShortHash(sha))
	if o.Commits == "" || !record.IsShortHash(sha) {
		return name
	}
	return "[" + name + "](" + o.Commits + sha + ")"
}
