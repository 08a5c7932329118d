// Package github writes what a pull request shows of a comparison: the one
// comment, the summary and the annotations of a job, the commit status.
//
// It is the end of the flow engine -> runner -> store -> compare -> reports, for
// readers who decide whether to merge. All four say the same, made from one
// [Finding]; a reader of the comment alone can tell what was proven, by how
// much, on which machine, and how to see it again. Names, units and
// environments come from a pull request: they stand in code spans only.
//
// Begin with github.go; comment.go writes the comment's sections, limits.go what benchmarks
// must keep to, annotations.go the job's lines, page.go fits them into GitHub's limits.
package github

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// The sizes that GitHub allows, with a margin, in bytes and numbers.
const (
	MaxComment     = 60_000  // GitHub cuts at 65,536 characters
	MaxSummary     = 900_000 // of a step: 1 MiB
	MaxDescription = 140     // characters of a commit status
	MaxAnnotations = 10      // of each kind, a step
)

// Options are what a comparison does not know itself. Its zero value will do.
type Options struct {
	// Workflow names the comment among those of other workflows, see [Marker].
	Workflow string
	// Link is the address of the run that measured, with its log and its full report; Commits
	// is what a hash is added to for the address of a commit, History that of the history. All
	// are made of trusted parts, or "".
	Link, Commits, History string
	// Site is the address of the published page, without a slash at the end, or "": a benchmark
	// that changed leads to its history there.
	Site string
	// Pull is the number of the pull request, 0 where there is none. Fork says that it is one
	// of a fork.
	Pull int
	Fork bool
	// Accept is the weakest way in which a regression may be accepted here: "trailer", "label",
	// or "record", which is also what "" stands for.
	Accept string
	// OwnWorkflow says that the pull request's own workflow measured, so that
	// whoever wrote it could have made up the samples.
	OwnWorkflow bool
	// Strict makes benchmarks that are inconclusive, failed or missing a failure.
	Strict bool
	// Accepted returns why a regression is intended, if it is. May be nil.
	Accepted func(*compare.Row) (reason string, ok bool)
	// Hidden is a line of the comment that no reader sees, or "": an HTML comment.
	Hidden string
	// Why says of regressions which functions make them, as far as somebody found out.
	Why []Why
	// Histories are drawn of the worst regressions; nil where nothing was measured before.
	Histories *Histories
	// Notes are sentences of perftrack's own words below the table.
	Notes []string
	// Overruled is the status that stands in the place of that of the comparison; nil for none.
	Overruled *Overruled
}

// An Overruled is a status that something else than the comparison decides.
type Overruled struct {
	State, Description string
	Why                string // a sentence of perftrack's own words
}

// A Finding is a comparison sorted by what its reader has to know first.
type Finding struct {
	c        *compare.Comparison
	opt      Options
	gate     compare.Gate
	changed  []row // worst first
	nested   []row // show the change of a row of changed
	open     []row // inconclusive
	short    []row // not checked
	same     []row // unchanged
	limits   []limited
	counts   map[compare.Verdict]int
	nests    int // benchmarks that only show the change of another one
	alike    int // benchmarks of the same machine code on both sides
	apart    int // benchmarks that reach no changed code
	family   bool
	targets  bool
	root     string                      // that the import paths have in common
	repeated map[record.BenchmarkID]bool // benchmarks that were measured in several environments
	verdicts map[counted]compare.Verdict // of each benchmark, the worst of its units
}

// A row is one row of the comparison, with its table and the reason for which it was
// accepted.
type row struct {
	table  *compare.Table
	row    *compare.Row
	accept string // why it is intended
}

// accepted stands beside the verdicts for a regression that is intended.
const accepted compare.Verdict = "accepted"

// New sorts a comparison for its readers.
func New(c *compare.Comparison, opt Options) *Finding {
	f := &Finding{c: c, opt: opt, counts: map[compare.Verdict]int{}}
	f.gate = c.Gate(compare.GateOptions{Strict: opt.Strict, Accepted: func(r *compare.Row) bool { _, ok := f.acceptedReason(r); return ok }})
	var packages []string
	pairings := map[record.BenchmarkID]*compare.Pairing{}
	f.repeated = map[record.BenchmarkID]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		packages = append(packages, t.Package)
		f.family = f.family || t.Package != c.Tables[0].Package || t.Suite != c.Tables[0].Suite
		f.targets = f.targets || t.Target != c.Tables[0].Target
		for _, r := range t.Rows {
			if p := pairings[r.BenchmarkID]; p != nil && p != t.Pairing && p.Target == t.Target {
				f.repeated[r.BenchmarkID] = true
			}
			pairings[r.BenchmarkID] = t.Pairing
			f.add(row{table: t, row: r})
			f.addLimits(row{table: t, row: r})
		}
	}
	f.root = commonRoot(packages)
	f.count()
	f.sortLimits()
	for _, s := range c.Same {
		f.alike += s.Benchmarks
	}
	for _, u := range c.Unreached {
		f.apart += u.Benchmarks
	}
	for _, s := range c.Starved {
		f.counts[compare.NotChecked] += s.Benchmarks
	}
	for _, list := range [][]row{f.changed, f.nested} {
		slices.SortStableFunc(list, func(a, b row) int {
			return cmp.Or(cmp.Compare(rank(a.verdict()), rank(b.verdict())), cmp.Compare(b.size(), a.size()))
		})
	}
	slices.SortStableFunc(f.short, func(a, b row) int { return cmp.Compare(b.ratio(), a.ratio()) })
	return f
}

// ratio is how far the medians of both sides lie apart, either way; -1 where that is not known.
func (r row) ratio() float64 {
	if x := math.Abs(math.Log1p(r.row.Delta)); !math.IsNaN(x) {
		return x
	}
	return -1
}

func (f *Finding) add(r row) {
	if f.c.Settled(r.row) {
		return // another trial says more of it
	}
	switch r.row.Verdict {
	case compare.Regressed, compare.Improved, compare.Changed, compare.Suspect, compare.NotComparable:
		r.accept = f.intended(r.row)
		if r.row.CorrelatedWith != nil {
			f.nested = append(f.nested, r)
		} else {
			f.changed = append(f.changed, r)
		}
	case compare.Inconclusive:
		f.open = append(f.open, r)
	case compare.NotChecked:
		f.short = append(f.short, r)
	case compare.Unchanged:
		f.same = append(f.same, r)
	}
}

// intended returns why a regression is accepted, or "". Whoever accepts a change accepts
// it in the rows that contain it, too.
func (f *Finding) intended(r *compare.Row) string {
	if r.Verdict != compare.Regressed {
		return ""
	}
	if reason, ok := r.Acceptance(); ok {
		return cmp.Or(reason, "no reason given")
	}
	if f.opt.Accepted == nil {
		return ""
	}
	for _, r := range []*compare.Row{r, r.CorrelatedWith} {
		if r == nil {
			continue
		}
		if reason, ok := f.opt.Accepted(r); ok {
			return cmp.Or(reason, "no reason given")
		}
	}
	return ""
}

func (r row) verdict() compare.Verdict {
	if r.accept != "" {
		return accepted
	}
	return r.row.Verdict
}

// size is how much a row changed, as the logarithm of a ratio. A change without a ratio,
// such as a first allocation, is larger than any other.
func (r row) size() float64 {
	change := r.row.Change()
	if math.IsNaN(change) {
		return math.Inf(1)
	}
	return math.Abs(math.Log1p(change))
}

// order is the order of the verdicts in the first line. worst is the order in which the
// verdict of one unit of a benchmark prevails over those of the others: inconclusive
// prevails over unchanged.
var (
	order = []compare.Verdict{compare.Regressed, compare.Changed, compare.Suspect, accepted, compare.NotChecked, compare.NotComparable, compare.Improved, compare.Unchanged, compare.Inconclusive}
	worst = []compare.Verdict{compare.Regressed, compare.Changed, compare.Suspect, accepted, compare.NotChecked, compare.NotComparable, compare.Improved, compare.Inconclusive, compare.Unchanged}
)

// rank is the place of a verdict in worst.
func rank(v compare.Verdict) int { return slices.Index(worst, v) }

// A counted benchmark is one to whoever counts benchmarks, however often it was measured.
type counted struct {
	target string
	record.BenchmarkID
}

func countedAs(r row) counted { return counted{r.row.Target, r.row.BenchmarkID} }

// count gives each benchmark the worst verdict of its units, because a reader counts
// benchmarks, not rows.
func (f *Finding) count() {
	ranks := map[counted]int{}
	for _, r := range slices.Concat(f.changed, f.open, f.short, f.same) {
		if have, ok := ranks[countedAs(r)]; !ok || rank(r.verdict()) < have {
			ranks[countedAs(r)] = rank(r.verdict())
		}
	}
	nested := map[counted]bool{}
	for _, r := range f.nested {
		if have, ok := ranks[countedAs(r)]; !ok || have > rank(compare.Improved) { // no change of its own
			nested[countedAs(r)] = true
		}
	}
	f.nests = len(nested)
	f.verdicts = map[counted]compare.Verdict{}
	for k, at := range ranks {
		if !nested[k] {
			f.counts[worst[at]]++
			f.verdicts[k] = worst[at]
		}
	}
}

// Changed reports whether there is anything that a reader should look at: a change, a
// lost benchmark, a failure, or a status that blocks.
func (f *Finding) Changed() bool {
	state, _ := f.Status()
	return state != Success || len(f.changed) > 0 || f.missed() || len(f.c.Missing)+len(f.c.Failures)+len(f.c.Untried)+len(f.c.Rewritten) > 0
}

// Verdict sums the comparison up in one line.
func (f *Finding) Verdict() string {
	var parts []string
	counted := false
	say := func(n int, words string) {
		switch {
		case n == 0:
			return
		case counted:
			words = fmt.Sprint(n) + " " + words
		default:
			words, counted = reports.Plural(n, "benchmark")+" "+words, true
		}
		parts = append(parts, words)
	}
	for _, v := range order {
		words := string(v)
		if v == accepted {
			words = "regressed as accepted"
		}
		say(f.counts[v], words)
		if v == compare.Regressed {
			say(f.beyond(), "beyond a limit")
			for _, failed := range f.c.CountFailures() {
				if words, whole := comparison.FailedWords(failed); whole {
					parts = append(parts, words)
				} else {
					say(failed.N, words)
				}
			}
		}
	}
	say(f.nests, "nested, not counted again")
	say(f.c.CountMissing(), "missing")
	if words := comparison.UntriedWords(f.c); words != "" {
		parts = append(parts, words)
	}
	say(whole(f.c.New), "new")
	lost := compare.DescribeLost(f.c.LostParts())
	if len(parts) == 0 && len(f.c.Same)+len(f.c.Unreached) > 0 && lost == "" {
		return "no benchmark's code changed: there was nothing to measure"
	}
	say(f.alike, "of unchanged code")
	say(f.apart, "reaching no changed code")
	if len(parts) == 0 && lost == "" {
		return "nothing could be compared"
	} else if len(parts) == 0 {
		return lost
	}
	line := strings.Join(parts, ", ")
	if lost != "" {
		line += ", and " + lost
	}
	if f.c.Interrupted() {
		line += ", and the measurement was interrupted"
	}
	if noise, ok := f.Noise(); ok {
		line += fmt.Sprintf("; machine noise floor %s %%", short(100*noise))
	}
	return line
}

// whole counts the benchmarks that one side lacks altogether, not only in one unit.
func whole(list []compare.Unpaired) (n int) {
	for _, u := range list {
		if u.Unit == "" {
			n++
		}
	}
	return n
}

// Noise is the machine's noise floor in this trial: what a change typically
// has to exceed to be seen, which is half the interval of the change, the
// median over the tested times. It is a fraction.
func (f *Finding) Noise() (noise float64, ok bool) {
	var halves []float64
	for _, list := range [][]row{f.changed, f.nested, f.open, f.same} {
		for _, r := range list {
			s := r.row.Shift
			half := (math.Log1p(s.Hi) - math.Log1p(s.Lo)) / 2
			if !r.row.Exact && !s.Absolute && half-half == 0 && strings.HasPrefix(r.row.Unit, "sec") {
				halves = append(halves, half)
			}
		}
	}
	if len(halves) == 0 {
		return 0, false
	}
	slices.Sort(halves)
	return math.Expm1(halves[len(halves)/2]), true
}

// The states of a commit status.
const (
	Success = comparison.StateSuccess
	Failure = comparison.StateFailure // the change is at fault: it regressed, misses a limit or breaks a benchmark, and nobody accepted it; with Strict any gap
	Broken  = comparison.StateError   // there is no result: nothing compared, interrupted, a package not built, a budget too small to check all
	Pending = "pending"               // there is no result yet, which is nobody's error; it blocks
)

// Status returns the state of the commit status and its description.
func (f *Finding) Status() (state, description string) {
	if o := f.opt.Overruled; o != nil {
		return o.State, o.Description
	}
	description = f.Verdict()
	switch f.gate.Cause {
	case compare.CauseLost:
		description = compare.DescribeLost(f.c.LostParts()) + ": see the log of the measuring workflow"
	case compare.CauseUnchecked:
		description = f.c.NotChecked().String()
	}
	return comparison.StateOf(f.gate), cut(description, MaxDescription)
}

// Overrule has everything say that another status stands than the comparison's.
func (f *Finding) Overrule(o Overruled) { f.opt.Overruled = &o }

// Description shortens the description of a status so that it ends in `end` and fits.
func Description(words, end string) string {
	return cut(words, MaxDescription-len([]rune(end))) + end
}

// name is what a row is called outside of its table.
func (f *Finding) name(r row, w comparison.RowWords) string {
	var parts []string
	add := func(show bool, p string) {
		if show && p != "" {
			parts = append(parts, p)
		}
	}
	add(f.targets, r.row.Target)
	add(f.family, r.row.Suite)
	add(f.family, r.row.Package)
	add(true, w.Name)
	add(r.row.Kind == record.Scope, "(scope)")
	if id, _, _ := strings.Cut(r.table.OfTrial, ","); id != "" {
		add(true, "(trial "+id+")")
	}
	return strings.Join(parts, " ")
}

// cut shortens a line to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// short shows a number with two significant digits.
func short(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.1f", x)
	case x > 999999:
		return "> 999999"
	}
	return fmt.Sprintf("%.0f", x)
}
