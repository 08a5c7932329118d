package github

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
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

// text lays out the parts. What must be there comes first and is short; the lists share
// the rest of the room, the most important ones first.
func (f *Finding) text(marker string, limit int) string {
	head := marker + "### " + f.headline() + "\n\n" + f.overruled() + f.unchecked() + f.failures() + f.edited()
	next, foot := f.next(), f.foot()
	p := &page{left: limit - len(head) - len(next) - len(foot)}
	// Both tables stand above what is to be done next, and all folds below it.
	changed := f.changedTable()
	p.lists(changed, f.limitList(), list{always: next}, f.charts(),
		f.numbers(), f.nestedList(), f.lostList(), f.shortList(), f.openList(), f.caveats(), f.fullNames(changed), f.sameTable())
	return head + p.b.String() + foot
}

// overruled says why another status stands than that of the numbers below.
func (f *Finding) overruled() string {
	if o := f.opt.Overruled; o != nil && o.Why != "" {
		return Sentence(o.Why) + "\n\n"
	}
	return ""
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

// openFailures is how many failures stand above the folds.
const openFailures = 3

// failures names what failed first, with what a compiler or a program said of it.
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
		lines = append(lines[:openFailures], fmt.Sprintf("- and %d more, in the fold on coverage\n", n))
	}
	return strings.Join(lines, "") + "\n"
}

// maxEdited is how many edited benchmarks a comment names.
const maxEdited = 5

// edited names the benchmarks that the change edits: whoever reviews it has to look at these, as one
// that does less is quicker.
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
	var shared, apart []string
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
		apart = append(apart, reports.CodeSpan(cut(name, maxHeadlineName)))
	}
	return say(apart, "**Not comparable**, because the test files of neither side build with the code of the other:") +
		say(shared, "Edited benchmarks, measured by the same test files on both sides:")
}

// foot has what every comment has: where the numbers come from, and how to see them again.
// Its size does not grow with the number of benchmarks.
func (f *Finding) foot() string {
	var b strings.Builder
	b.WriteString("<details><summary>how this was measured</summary>\n\n" + f.method() + "</details>\n\n")
	for _, n := range f.opt.Notes {
		b.WriteString(prose(n) + "\n\n")
	}
	var parts []string
	if base, head := sideCommit(f.c.Base), sideCommit(f.c.Head); base != "" && head != "" {
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
		b.WriteString("\nMeasured by the pull request's own workflow; judged from its samples with the thresholds of the base branch.\n")
	}
	return b.String()
}

// commit shows the short hash of a commit, as a link where there is somewhere to link to.
func (o Options) commit(sha string) string {
	name := reports.CodeSpan(record.ShortHash(sha))
	if o.Commits == "" || !hex(sha) {
		return name
	}
	return "[" + name + "](" + o.Commits + sha + ")"
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
