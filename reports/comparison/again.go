package comparison

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// mostNamed is how many benchmarks a command names one by one.
const mostNamed = 6

// again is the check that goes on with the trial: of the same commits, and of what was selected
// then, so that who pastes it measures nothing else. With only, it is of these benchmarks alone.
// ok is false where no line of a shell can say it.
func (v View) again(c *compare.Comparison, base, head string, only []*compare.Row) (command string, ok bool) {
	command = "perftrack check"
	flags := " --base " + base
	if !dirty(c.Head) { // else it is the work tree that was checked
		flags += " --head " + head
	}
	for _, t := range v.namedTargets(c) {
		word, ok := reports.ShellWord(t)
		if !ok {
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
		word, ok := reports.ShellWord(f.value)
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

// namedTargets are those to be named: the patterns of packages that were, or the targets where
// the configuration has others, too.
func (v View) namedTargets(c *compare.Comparison) (names []string) {
	var measured []string
	for _, r := range c.Head.Runs {
		s, _ := compare.SelectedOf(r)
		for _, pattern := range s.Only {
			if !slices.Contains(names, pattern) {
				names = append(names, pattern)
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

// selectedAgain is what the newest measurement selected that has all that is still open. Where none
// has, nothing is left out.
func selectedAgain(c *compare.Comparison) (all compare.Selected) {
	open := map[benchmark]bool{}
	for r := range c.Rows() {
		if r.Kind == record.Bench && !c.Settled(r) && (r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked) {
			open[benchmark{r.Target, r.BenchmarkID}] = true
		}
	}
	var order []compare.Selected // newest first
	has := map[string]map[benchmark]bool{}
	for _, r := range slices.Backward(c.Head.Runs) {
		s, ok := compare.SelectedOf(r)
		if !ok {
			return all
		}
		s.Only = nil
		key := s.Suite + "\x00" + s.Bench
		if has[key] == nil {
			has[key], order = map[benchmark]bool{}, append(order, s)
		}
		for _, b := range r.Benchmarks {
			has[key][benchmark{r.Target, b.BenchmarkID}] = true
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

// partAgain is the part that all of the trial is of, as a flag says it; "" of none, or of several.
func partAgain(c *compare.Comparison) (part string) {
	for i, r := range c.Head.Runs {
		p, ok := compare.PartOf(r)
		this := fmt.Sprintf("%d/%d", p.N, p.Of)
		if !ok || i > 0 && this != part {
			return ""
		}
		part = this
	}
	return part
}

// patternOf is the regular expression of exactly these benchmarks, "" where they are too many to
// be named.
func patternOf(rows []*compare.Row) string {
	var names []string
	for _, r := range rows {
		if r.Kind != record.Bench {
			return ""
		}
		levels := strings.Split(r.Name, "/")
		levels[0] = "Benchmark" + levels[0]
		for i, level := range levels {
			levels[i] = "^" + regexp.QuoteMeta(level) + "$"
		}
		if name := strings.Join(levels, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > mostNamed {
		return ""
	}
	return strings.Join(names, "|")
}
