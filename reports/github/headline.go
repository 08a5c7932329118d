package github

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// A tally is how many benchmarks something became of.
type tally struct {
	mark, words string
	n           int
	largest     string // change among them, as Markdown
	alone       bool   // is a sentence, and counts nothing
}

// maxHeadlineName is how many characters of a name the headline has.
const maxHeadlineName = 40

// headline says in one line what happened: the worst first, with the largest change.
func (f *Finding) headline() string {
	all := f.tallies()
	state, _ := f.Status()
	mark := all[0].mark
	switch state {
	case Failure:
		mark = looks[compare.Regressed].mark
	case Broken:
		mark = looks[compare.NotChecked].mark
	case Pending:
		mark = "⏳"
	}
	text := mark + " perftrack: "
	counted := false
	for i, t := range all {
		if i > 0 {
			text += " · "
		}
		if i > 0 || t.mark != mark {
			text += t.mark + " "
		}
		switch {
		case t.alone:
			text += reports.Prose(t.words)
		case !counted:
			text += reports.Prose(reports.Plural(t.n, "benchmark")+" "+t.words) + t.largest
			counted = true
		default:
			text += reports.Prose(fmt.Sprintf("%d %s", t.n, t.words)) + t.largest
		}
	}
	return text + " — " + comparison.Blocks(state)
}

// tallies are the parts of the headline, the worst first; there is one at least.
func (f *Finding) tallies() (all []tally) {
	add := func(n int, mark, words string) {
		if n > 0 {
			all = append(all, tally{mark: mark, words: words, n: n})
		}
	}
	count := func(v compare.Verdict) { add(f.counts[v], looks[v].mark, looks[v].kinds[0].one) }
	open, gap := f.counts[compare.Inconclusive], "⚠️"
	all = append(all, f.byKind(compare.Regressed)...)
	add(f.beyond(), "❌", "beyond a limit")
	for _, failed := range f.c.CountFailures() {
		words, whole := comparison.FailedWords(failed)
		t := tally{mark: gap, words: words, n: failed.N, alone: whole}
		if f.opt.Strict || failed.What == compare.FailedBenchmark && failed.Side == record.Head {
			t.mark = "❌"
		}
		all = append(all, t)
	}
	if f.c.Interrupted() {
		all = append(all, tally{mark: gap, words: "the measurement was interrupted", alone: true})
	}
	if lost := compare.DescribeLost(f.c.LostParts()); lost != "" {
		all = append(all, tally{mark: gap, words: lost, alone: true})
	}
	count(compare.NotChecked)
	if f.opt.Strict {
		gap = "❌"
		add(open, gap, "undecided")
		add(len(f.c.UnprovenMeans()), gap, "with a mean that is proven less than asked")
	}
	add(f.c.CountMissing(), gap, "missing")
	if words := comparison.UntriedWords(f.c); words != "" {
		all = append(all, tally{mark: gap, words: words, alone: true})
	}
	apart := max(f.counts[compare.NotComparable], len(f.c.Rewritten)) // of some only one side has a result
	words := "not comparable: the benchmark changed"
	if apart > 1 {
		words = "not comparable: the benchmarks changed"
	}
	add(apart, gap, words)
	count(compare.Changed)
	count(compare.Suspect)
	all = append(all, f.byKind(accepted)...)
	all = append(all, f.byKind(compare.Improved)...)
	count(compare.Unchanged)
	add(f.nests, "↪️", "nested, not counted again")
	if !f.opt.Strict {
		add(open, "❔", "undecided")
	}
	add(whole(f.c.New), "🆕", "new")
	switch {
	case len(all) == 0 && len(f.c.Same)+len(f.c.Unreached) > 0:
		return []tally{{mark: "✅", words: "no benchmark's code changed: there was nothing to measure", alone: true}}
	case len(all) == 0 && f.judged() > 0: // benchmarks that others stand for
		return []tally{{mark: "✅", words: "nothing changed", alone: true}}
	case len(all) == 0:
		return []tally{{mark: "⚠️", words: "nothing could be compared", alone: true}}
	}
	add(f.alike, "✅", "of unchanged code")
	add(f.apart, "✅", "reaching no changed code")
	return all
}

// judged counts the rows that a reader finds a verdict of.
func (f *Finding) judged() int { return len(f.changed) + len(f.nested) + len(f.open) + len(f.same) }

// byKind counts the benchmarks with a verdict by what changed of them, each with the largest
// change.
func (f *Finding) byKind(v compare.Verdict) (all []tally) {
	found := map[kind][]row{}
	counted := map[counted]bool{}
	for _, b := range f.benchmarks() {
		key, worst := countedAs(b.rows[0]), b.rows[0]
		if f.verdicts[key] != v || worst.verdict() != v || counted[key] {
			continue
		}
		counted[key] = true
		found[group(worst)] = append(found[group(worst)], worst)
	}
	for k := durations; k <= others; k++ {
		list := found[k]
		if len(list) == 0 {
			continue
		}
		p := lookOf(v).of(k)
		t := tally{mark: lookOf(v).mark, words: p.many, n: len(list)}
		largest := slices.MaxFunc(list, func(a, b row) int { return cmp.Compare(a.size(), b.size()) })
		word := ", most "
		switch {
		case t.n == 1:
			t.words, word = p.one, ", "
		case v == compare.Regressed:
			word = ", worst "
		}
		if size := sizeOf(largest.row).short(); size != "" {
			t.largest = word + reports.CodeSpan(cut(largest.row.Name, maxHeadlineName)) + " " + reports.Prose(size)
		}
		all = append(all, t)
	}
	return all
}
