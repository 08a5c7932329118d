package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/record"
)

// mostNamed is the maximum number of benchmarks named in a command.
const mostNamed = 6

// again returns the check command to continue the trial with the same commits and the same
// selection of benchmarks, or with only the benchmarks in the given rows if there are not too many.
// ok is false if a word of the command cannot be quoted for a shell.
func (v View) again(c *compare.Comparison, base, head string, only []*compare.Row) (command string, ok bool) {
	command = "perftrack check"
	flags := " --base " + base
	if !c.Head.Dirty() { // otherwise the check measured the work tree
		flags += " --head " + head
	}
	for _, t := range v.namedTargets(c) {
		word, ok := shell.Word(t)
		if !ok || strings.HasPrefix(t, "-") {
			return "", false
		}
		command += " " + word
	}
	selected := selectedAgain(c)
	if names := patternOf(only); names != "" {
		selected.Bench = names
	}
	for _, f := range []struct{ name, value string }{{"suite", selected.Suite}, {"bench", selected.Bench}, {"procs", procsOf(c)}, {"shard", partAgain(c)}} {
		if f.value == "" {
			continue
		}
		word, ok := shell.Word(f.value)
		if !ok {
			return "", false
		}
		flags += " --" + f.name + " " + word
	}
	for _, f := range v.Flags {
		flags += " " + f
	}
	return command + flags + c.IsolateFlag(), true
}

// namedTargets returns the arguments of the check command: the same package patterns as before, or
// the measured targets if these are not all of the configured ones.
func (v View) namedTargets(c *compare.Comparison) (names []string) {
	var measured []string
	for _, r := range c.Head.Runs {
		if s := r.Protocol.Selection; s != nil {
			for _, pattern := range s.Packages {
				if !slices.Contains(names, pattern) {
					names = append(names, pattern)
				}
			}
		}
		if !slices.Contains(measured, r.Target) {
			measured = append(measured, r.Target)
		}
	}
	others := func(t string) bool { return !slices.Contains(measured, t) }
	if len(names) == 0 && slices.ContainsFunc(v.Targets, others) && !slices.ContainsFunc(measured, func(t string) bool { return !slices.Contains(v.Targets, t) }) {
		return measured
	}
	return names
}

// selectedAgain returns the newest selection of a run that includes all undecided benchmarks. If
// there is none, it returns an empty selection.
func selectedAgain(c *compare.Comparison) (all record.Selection) {
	open := map[digest.Key]bool{}
	for r := range c.Rows() {
		if r.Kind == record.Bench && !c.Settled(r) && (r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked) {
			open[digest.KeyOf(r)] = true
		}
	}
	var order []record.Selection // newest first
	has := map[string]map[digest.Key]bool{}
	for _, r := range slices.Backward(c.Head.Runs) {
		if r.Protocol.Selection == nil {
			return all
		}
		s := *r.Protocol.Selection
		s.Packages = nil
		key := s.Suite + "\x00" + s.Bench
		if has[key] == nil {
			has[key], order = map[digest.Key]bool{}, append(order, s)
		}
		for _, b := range r.Benchmarks {
			has[key][digest.Key{Target: r.Target, BenchmarkID: b.BenchmarkID}] = true
		}
	}
	for _, s := range order {
		covers := true
		for b := range open {
			covers = covers && has[s.Suite+"\x00"+s.Bench][b]
		}
		if covers {
			return s
		}
	}
	return all
}

// partAgain returns the value of the --shard flag if all runs of the trial measured the same shard,
// or else "".
func partAgain(c *compare.Comparison) (part string) {
	for i, r := range c.Head.Runs {
		p := r.Protocol.Part
		if p == nil {
			return ""
		}
		this := fmt.Sprintf("%d/%d", p.N, p.Of)
		if i > 0 && this != part {
			return ""
		}
		part = this
	}
	return part
}

// patternOf returns a regular expression matching exactly the benchmarks in rows, or "" if there
// are too many or a row is not a benchmark.
func patternOf(rows []*compare.Row) string {
	var names []string
	for _, r := range rows {
		if r.Kind != record.Bench {
			return ""
		}
		if name := gobench.Expression(r.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > mostNamed {
		return ""
	}
	return strings.Join(names, "|")
}
