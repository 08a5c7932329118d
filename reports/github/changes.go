package github

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// A subject is a benchmark in one environment. It covers all units of the benchmark.
type subject struct {
	pairing *pairs.Pairing
	target  string
	record.BenchmarkID
}

func subjectOf(r row) subject { return subject{r.table.Pairing, r.row.Target, r.row.BenchmarkID} }

// A benchmark is a subject with changed rows.
type benchmark struct {
	subject
	rows []row          // changed rows, worst first
	all  map[string]row // all rows by unit
}

// benchmarks returns the changed benchmarks, ordered by their worst rows.
func (f *Finding) benchmarks() (list []*benchmark) {
	found := map[subject]*benchmark{}
	for _, r := range f.changed {
		b := found[subjectOf(r)]
		if b == nil {
			b = &benchmark{subject: subjectOf(r), all: map[string]row{}}
			found[b.subject] = b
			list = append(list, b)
		}
		b.rows = append(b.rows, r)
	}
	for i := range f.c.Tables {
		t := &f.c.Tables[i]
		for _, r := range t.Rows {
			if b := found[subjectOf(row{table: t, row: r})]; b != nil && r.Base.N > 0 && r.Head.N > 0 {
				b.all[r.Unit] = row{table: t, row: r}
			}
		}
	}
	for _, b := range list { // sort as the headline does
		slices.SortStableFunc(b.rows, func(x, y row) int {
			return cmp.Or(cmp.Compare(digest.Severity(x.verdict()), digest.Severity(y.verdict())), cmp.Compare(kindOf(x.row.Unit), kindOf(y.row.Unit)))
		})
	}
	slices.SortStableFunc(list, func(x, y *benchmark) int {
		a, b := x.rows[0], y.rows[0]
		return cmp.Or(cmp.Compare(digest.Severity(a.verdict()), digest.Severity(b.verdict())), cmp.Compare(group(a), group(b)), cmp.Compare(b.size(), a.size()))
	})
	return list
}

// group returns the kind of a row in the headline. Rates count as durations, because a lower rate
// means the same as a longer time.
func group(r row) kind {
	if k := kindOf(r.row.Unit); k != rates {
		return k
	}
	return durations
}

// changedTable returns a table with one line for each changed benchmark. The line shows all changed
// units of the benchmark.
func (f *Finding) changedTable() list {
	var lines []line
	var verdicts []compare.Verdict
	for _, b := range f.benchmarks() {
		lines = append(lines, f.changedLine(b))
		verdicts = append(verdicts, b.rows[0].verdict())
	}
	l := tabulate("result", "benchmark", []column{{title: "change"}, {title: "before → after", right: true}, {title: "allocations", right: true}}, lines)
	l.what, l.verdicts = "benchmarks that changed, by less,", verdicts
	return l
}

func (f *Finding) changedLine(b *benchmark) line {
	worst := b.rows[0]
	look := lookOf(worst.verdict())
	var changes, values, counts []string
	add := func(r row, what ...string) {
		changes = append(changes, what...)
		values = append(values, amounts(r.row))
	}
	for _, r := range b.rows {
		switch kindOf(r.row.Unit) {
		case allocations, memory: // shown in a separate column
			counts = append(counts, labelled(r.row))
		default:
			size := sizeOf(r.row).String()
			if len(b.rows) > 1 || r.row.ByMean {
				size = labelled(r.row)
			}
			add(r, size)
		}
	}
	if r, ok := b.all["sec/op"]; ok && len(changes) == 0 {
		if words := timeWords[r.row.Verdict]; words != "" {
			counts = append(counts, words)
		}
		add(r, counts...)
		counts = nil
	}
	l := line{
		first: look.mark + " " + look.of(kindOf(worst.row.Unit)).cell, name: f.named(b), link: f.page(b),
		cells: []string{strings.Join(slices.Concat(changes, counts), "<br>"), strings.Join(values, "<br>"), b.allocated()},
	}
	for _, r := range b.rows {
		for _, n := range r.row.Notes {
			if n.Code == compare.CodeMean {
				l.below = append(l.below, words(n.Text))
			}
		}
	}
	if why := f.why(b); why != "" {
		l.below = append(l.below, why)
	}
	for i, r := range b.rows {
		if r.accept != "" && !slices.ContainsFunc(b.rows[:i], func(s row) bool { return s.accept == r.accept }) {
			l.below = append(l.below, "accepted: "+inline(r.accept))
		}
	}
	return l
}

// labelled formats a change with its unit, for a benchmark with changes in several units or in its
// mean.
func labelled(r *compare.Row) string {
	size := sizeOf(r).String()
	switch {
	case r.Shift.Absolute: // already includes its unit
		return size
	case r.ByMean:
		return "mean " + size
	case r.Unit == "sec/op":
		return "time " + size
	case kindOf(r.Unit) == allocations:
		return "allocs " + size
	case kindOf(r.Unit) == memory:
		return "B " + size
	}
	return unitText(r.Unit) + " " + size
}

// page returns the address of a benchmark's history on the site, or "" if there is no site.
func (f *Finding) page(b *benchmark) string {
	if f.opt.Site == "" {
		return ""
	}
	return f.opt.Site + "/#/b/" + reports.BenchmarkFile(b.target, b.BenchmarkID)
}

// timeWords holds the words for the verdict on the time of a benchmark with changes only in its
// allocations.
var timeWords = map[compare.Verdict]string{compare.Unchanged: "time unchanged", compare.Inconclusive: "time undecided"}

// allocated formats the numbers of allocations on both sides and, if the bytes differ, also the
// numbers of bytes.
func (b *benchmark) allocated() string {
	var parts []string
	for _, unit := range []string{"allocs/op", "B/op"} {
		r, ok := b.all[unit]
		if !ok {
			continue
		}
		changed := slices.ContainsFunc(b.rows, func(c row) bool { return c.row.Unit == unit })
		if text := strings.ReplaceAll(amounts(r.row), "\n", " "); unit == "allocs/op" || changed || strings.Contains(text, "→") {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "<br>")
}

// named returns the name of a benchmark, followed by its home if there are several homes. If the
// benchmark was measured in several environments, the name has its -N suffix.
func (f *Finding) named(b *benchmark) []string {
	name := b.Name
	if f.repeated[b.BenchmarkID] {
		name = comparison.Words(f.c, b.rows[0].table, b.rows[0].row).Name
	}
	return f.withHome(b.rows[0], name)
}

// withHome returns names followed by the home of a row, if the comparison has several homes.
func (f *Finding) withHome(r row, names ...string) []string {
	if home := f.home(r); home != "" {
		return append(names, home)
	}
	return names
}

// home returns the parts of a row's target, suite and package that are not common to all rows,
// followed by its trial if the comparison has several.
func (f *Finding) home(r row) string {
	var parts []string
	add := func(show bool, p string) {
		if show && p != "" {
			parts = append(parts, p)
		}
	}
	add(f.targets, r.row.Target)
	add(f.family, r.row.Suite)
	add(f.family, strings.TrimPrefix(r.row.Package, f.root))
	add(r.row.Kind == record.Scope, "(scope)")
	if id, _, _ := strings.Cut(r.table.OfTrial, ","); id != "" {
		add(true, "(trial "+id+")")
	}
	return strings.Join(parts, " ")
}

// commonRoot returns the longest common prefix of import paths ending with a slash, or "".
func commonRoot(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	root := paths[0]
	for _, p := range paths {
		for !strings.HasPrefix(p, root) {
			root = root[:strings.LastIndex(strings.TrimSuffix(root, "/"), "/")+1]
		}
	}
	return root[:strings.LastIndex(root, "/")+1]
}
