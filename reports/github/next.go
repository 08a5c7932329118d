package github

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// AcceptLabel on a pull request accepts the regressions that were shown when it was set.
const AcceptLabel = "perf-accept"

// next says what whoever reads this can do: see why, accept it, or get a result.
func (f *Finding) next() string {
	var steps []string
	add := func(ask, do string) { steps = append(steps, "- **"+ask+"** "+do+"\n") }
	if worst, ok := f.worstOpen(); ok {
		before := ""
		if f.explained() {
			before = "Unfold it below the line of the benchmark. "
		}
		add("Why?", before+"In a clone, "+reports.CodeSpan(f.explainCommand(worst))+" names the functions.")
	}
	if f.gate.Cause == compare.CauseWorse {
		add("Intended?", f.acceptance())
	}
	switch failed := len(f.c.Failures); {
	case f.c.Interrupted():
		add("Interrupted?", "Run the measuring workflow again."+f.log())
	case failed > 0 && f.opt.Link != "":
		add("Failed?", "The fold on coverage names the reasons."+f.log())
	}
	if words, names := comparison.UnprovenMeans(f.c); words != "" && f.gate.Cause == compare.CauseGap {
		add("Mean?", reports.Prose(words)+": "+reports.CodeSpan(names)+".")
	}
	if n := f.c.CountMissing(); n > 0 {
		what := "Where it was renamed or taken out on purpose, nothing is to be done."
		if f.opt.Strict {
			what += " With strict it blocks all the same."
		}
		add("Missing?", what)
	}
	if len(f.c.Tables) == 0 && len(f.c.Same)+len(f.c.Unreached)+len(f.c.Failures)+len(f.c.Starved) == 0 {
		add("What to do?", "See why the measurement gave nothing, and run it again."+f.log())
	}
	if len(steps) == 0 {
		return ""
	}
	return strings.Join(steps, "") + "\n"
}

// log is where the cause is found.
func (f *Finding) log() string {
	if f.opt.Link == "" {
		return ""
	}
	return " [Log of the run](" + f.opt.Link + ")"
}

// worstOpen returns the worst regression that nobody accepted, if there is any.
func (f *Finding) worstOpen() (row, bool) {
	for _, b := range f.benchmarks() {
		if b.rows[0].verdict() == compare.Regressed {
			return b.rows[0], true
		}
	}
	return row{}, false
}

// simpleName matches the names that a shell takes as they are. Others stand in no command.
var simpleName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./=,:+-]{0,79}$`)

func inCommand(name string) string {
	if simpleName.MatchString(name) {
		return name
	}
	return "NAME"
}

func (f *Finding) explainCommand(r row) string {
	base, head := "BASE", "HEAD"
	if b, h := sideCommit(f.c.Base), sideCommit(f.c.Head); b != "" && h != "" {
		base, head = record.ShortHash(b), record.ShortHash(h)
	}
	return "perftrack explain " + base + " " + head + " --bench " + inCommand(r.row.Name) + f.c.IsolateFlag()
}

// acceptance says who may accept a regression, and how.
func (f *Finding) acceptance() string {
	name, of, head := "NAME", "", "HEAD"
	if worst, ok := f.worstOpen(); ok {
		name = inCommand(worst.row.Name)
		of = " --target " + inCommand(worst.row.Target)
		if worst.row.Package != "" {
			of += " --package " + inCommand(worst.row.Package)
		}
	}
	if h := sideCommit(f.c.Head); h != "" {
		head = h // whole: a clone does not have the commit of a fork
	}
	var ways []string
	if f.opt.Accept == "trailer" && !f.opt.Fork {
		ways = append(ways, "its author with "+reports.CodeSpan("perf-accept: "+name+" REASON")+" as the last paragraph of the head commit's message")
	}
	if f.opt.Accept == "trailer" || f.opt.Accept == "label" {
		ways = append(ways, "whoever may triage with the label "+reports.CodeSpan(AcceptLabel)+"")
	}
	command := "perftrack accept " + name + of + " --commit " + head
	if f.opt.Pull > 0 {
		command += " --pull " + strconv.Itoa(f.opt.Pull)
	}
	// Every word of the command is simple, and a CodeSpan would cut it.
	ways = append(ways, "whoever may push with `"+command+" --reason REASON` and "+reports.CodeSpan("perftrack sync"))
	return "It is accepted by " + strings.Join(ways, "; or by ") + "."
}
