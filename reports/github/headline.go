package github

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// A tally counts the benchmarks with a particular outcome, or makes a statement about the whole
// comparison.
type tally struct {
	mark    string
	n       int    // 0 for a statement
	words   string // for the headline
	plain   string // for the commit status
	largest string // the largest of the counted changes, as Markdown
}

// A counter formats the counts in a line. Only the first count is followed by a noun, as in "2
// benchmarks slower".
type counter struct{ counted bool }

func (n *counter) words(count int, words string) string {
	switch {
	case count == 0:
		return words
	case n.counted:
		return fmt.Sprintf("%d %s", count, words)
	}
	n.counted = true
	return reports.Plural(count, "benchmark") + " " + words
}

// maxHeadlineName is the maximum length of a name in the headline, in characters.
const maxHeadlineName = 40

// headline returns the first line of the comment. It starts with the worst outcomes and names the
// benchmarks with the largest changes.
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
	var n counter
	for i, t := range all {
		if i > 0 {
			text += " · "
		}
		if i > 0 || t.mark != mark {
			text += t.mark + " "
		}
		text += reports.Prose(n.words(t.n, t.words)) + t.largest
	}
	return text + " — " + comparison.Blocks(state)
}

// tallies returns the parts of the headline and the status, worst first. It returns at least one.
func (f *Finding) tallies() (all []tally) {
	gap := "⚠️" // blocks a merge only if the check is strict
	if f.opt.Strict {
		gap = "❌"
	}
	add := func(n int, mark, words string) {
		if n > 0 {
			all = append(all, tally{mark: mark, words: words, plain: words, n: n})
		}
	}
	state := func(mark, words string) {
		if words != "" {
			all = append(all, tally{mark: mark, words: words, plain: words})
		}
	}
	count := func(v compare.Verdict, mark string) { add(f.digest.Counts[v], mark, looks[v].kinds[0].one) }
	all = append(all, f.byKind(compare.Regressed)...)
	add(f.digest.Beyond, "❌", "beyond a limit")
	for _, failed := range f.c.CountFailures() {
		mark := gap
		if failed.What == compare.FailedBenchmark && failed.Side == record.Head {
			mark = "❌"
		}
		if words, whole := comparison.FailedWords(failed); whole {
			state(mark, words)
		} else {
			add(failed.N, mark, words)
		}
	}
	if f.c.Interrupted() {
		state("⚠️", "the measurement was interrupted")
	}
	state("⚠️", compare.DescribeLost(f.c.LostParts()))
	count(compare.NotChecked, "⚠️")
	if f.opt.Strict {
		count(compare.Inconclusive, gap)
		add(len(f.c.UnprovenMeans()), gap, "with a mean proven less precisely than required")
	}
	add(f.digest.Missing, gap, "missing")
	state(gap, comparison.UntriedWords(f.c))
	edited := max(f.digest.Counts[compare.NotComparable], len(f.c.Rewritten)) // some of the edited benchmarks have a result on one side only
	words := "not comparable: the benchmark changed"
	if edited > 1 {
		words = "not comparable: the benchmarks changed"
	}
	add(edited, gap, words)
	count(compare.Changed, "⚠️")
	count(compare.Suspect, "⚠️")
	all = append(all, f.byKind(digest.Accepted)...)
	all = append(all, f.byKind(compare.Improved)...)
	count(compare.Unchanged, "✅")
	add(f.digest.Counts[digest.Nested], "↪️", "nested, not counted again")
	if !f.opt.Strict {
		count(compare.Inconclusive, "❔")
	}
	add(f.digest.New, "🆕", "new")
	if len(all) == 0 {
		return []tally{f.nothing()}
	}
	unchanged := "with unchanged code"
	if compare.SamenessOf(f.c.Same...) == compare.SameInputs {
		unchanged = "with nothing changed"
	}
	add(f.digest.SameCode, "✅", unchanged)
	add(f.digest.Unreached, "✅", "reaching no changed code")
	return all
}

// nothing returns the statement about a comparison with nothing to count.
func (f *Finding) nothing() tally {
	mark, words := "⚠️", "nothing could be compared"
	switch {
	case compare.SamenessOf(f.c.Same...) == compare.SameInputs:
		mark, words = "✅", compare.SameInputs.String()+": there was nothing to measure"
	case f.digest.SameCode+f.digest.Unreached > 0:
		mark, words = "✅", "no benchmark's code changed: there was nothing to measure"
	case f.judged() > 0: // everything judged is represented by other rows
		mark, words = "✅", "nothing changed"
	}
	return tally{mark: mark, words: words, plain: words}
}

// judged returns the number of rows with a verdict.
func (f *Finding) judged() int { return len(f.changed) + len(f.nested) + len(f.open) + len(f.same) }

// byKind counts the benchmarks with the given verdict by the kind of their changed unit, and names
// the largest change of each kind.
func (f *Finding) byKind(v compare.Verdict) (all []tally) {
	found := map[kind][]row{}
	counted := map[digest.Key]bool{}
	for _, b := range f.benchmarks() {
		key, worst := digest.KeyOf(b.rows[0].row), b.rows[0]
		if f.digest.Benchmarks[key].Verdict != v || worst.verdict() != v || counted[key] {
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
		t := tally{mark: lookOf(v).mark, words: p.many, plain: plainWords(v), n: len(list)}
		largest := slices.MaxFunc(list, func(a, b row) int { return cmp.Compare(a.size(), b.size()) })
		word := ", most "
		switch {
		case t.n == 1:
			t.words, word = p.one, ", "
		case v == compare.Regressed:
			word = ", worst "
		}
		if size := sizeOf(largest.row).amount; size != "" {
			t.largest = word + reports.CodeSpan(cut(largest.row.Name, maxHeadlineName)) + " " + reports.Prose(size)
		}
		all = append(all, t)
	}
	return all
}

// plainWords returns the words for a verdict in the commit status.
func plainWords(v compare.Verdict) string {
	if v == digest.Accepted {
		return "regressed as accepted"
	}
	return string(v)
}
