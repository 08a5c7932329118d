package github

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// AcceptLabel is a label for pull requests. Setting it accepts the regressions in the comment at
// that time.
const AcceptLabel = "perf-accept"

// next lists the next steps for a reader.
func (f *Finding) next() string {
	var b strings.Builder
	for _, s := range f.digest.Steps {
		if ask, do := f.step(s); ask != "" {
			b.WriteString("- **" + ask + "** " + do + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// step describes a step as a question and its answer. Both are "" if the step does not apply to the
// comment.
func (f *Finding) step(s digest.Step) (ask, do string) {
	switch s {
	case digest.Explain:
		if f.digest.Worst != nil && slices.Contains(f.opt.Opaque, f.digest.Worst.Target) {
			return "", ""
		}
		if f.explained() {
			do = "Unfold it below the benchmark's line. "
		}
		return "Why?", do + "In a clone, " + f.explainCommand() + " shows the functions."
	case digest.Accept:
		return "Intended?", f.acceptance()
	case digest.MeasureAgain:
		return "Interrupted?", "Run the measuring workflow again." + f.log()
	case digest.ReadFailures:
		if f.opt.Link != "" {
			return "Failed?", "The section on coverage gives the reasons." + f.log()
		}
	case digest.ProveMeans:
		words, names := comparison.UnprovenMeans(f.c)
		return "Mean?", reports.Prose(words) + ": " + reports.CodeSpan(names) + "."
	case digest.CheckMissing:
		do = "Nothing, if it was renamed or removed on purpose."
		if f.opt.Strict {
			do += " It still blocks if strict is set."
		}
		return "Missing?", do
	case digest.ReadLog:
		return "What to do?", "Find out why the measurement left no result, and run it again." + f.log()
	}
	return "", ""
}

// log returns a link to the log of the workflow run, or "" if its address is unknown.
func (f *Finding) log() string {
	if f.opt.Link == "" {
		return ""
	}
	return " [Log of the run](" + f.opt.Link + ")"
}

// shellWord quotes a word of a shell command. It returns the placeholder if the word cannot be
// quoted or cannot be shown in a code span.
func shellWord(s, placeholder string) string {
	if quoted, ok := shell.Word(s); ok {
		return verbatim(quoted, placeholder)
	}
	return placeholder
}

// verbatim returns s, or the placeholder if a code span would change or cut s.
func verbatim(s, placeholder string) string {
	if reports.CodeSpan(s) == code(s) {
		return s
	}
	return placeholder
}

// code returns a command as a code span. All words of the command must have passed [verbatim] or be
// constant.
func code(command string) string { return "`" + command + "`" }

func (f *Finding) explainCommand() string {
	base, head := "BASE", "HEAD"
	if b, h := f.c.Base.Commit(), f.c.Head.Commit(); b != "" && h != "" {
		base, head = record.ShortHash(b), record.ShortHash(h)
	}
	return code("perftrack explain " + base + " " + head + " --bench " + shellWord(f.digest.Worst.Name, "NAME") + f.c.IsolateFlag())
}

// acceptance describes who may accept the worst regression, and how.
func (f *Finding) acceptance() string {
	name, trailer, of := "NAME", "NAME", ""
	if worst := f.digest.Worst; worst != nil {
		name, trailer = shellWord(worst.Name, name), verbatim(worst.Name, trailer)
		of = " --target " + shellWord(worst.Target, "TARGET")
		if worst.Package != "" {
			of += " --package " + shellWord(worst.Package, "PACKAGE")
		}
	}
	var by []string
	if f.opt.Accept == "trailer" && !f.opt.Fork {
		by = append(by, "its author, with "+code("perf-accept: "+trailer+" REASON")+" as the last paragraph of the head commit's message")
	}
	if f.opt.Accept == "trailer" || f.opt.Accept == "label" {
		by = append(by, "anyone with triage access, with the label "+code(AcceptLabel))
	}
	command := "perftrack ci accept " + name + of + " --commit " + cmp.Or(f.c.Head.Commit(), "HEAD") // the full hash, because a clone lacks the commits of forks and could not resolve a short one
	if f.opt.Pull > 0 {
		command += " --pull " + strconv.Itoa(f.opt.Pull)
	}
	by = append(by, "anyone with push access, with "+code(command+" --reason REASON")+" and "+code("perftrack sync"))
	return "It can be accepted by " + strings.Join(by, "; or by ") + "."
}
