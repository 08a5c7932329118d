// Package digest turns a comparison into values: the verdict on each benchmark, the number of
// benchmarks with each verdict, the benchmarks left out, and whether the change may be merged. The
// reports present these values and count nothing themselves.
//
// Four terms describe why there is no verdict, here and in all reports:
//
//   - undecided: measured on both sides, but neither a change nor its absence is proven.
//   - not checked: the rounds ended before any look, that is, any planned analysis, could find a
//     change.
//   - not comparable: measured, but the benchmark, its environment or the decision procedure of
//     the trial differs, so no verdict is possible.
//   - left out: there is no row, because the benchmark was not measured on both sides. It has the
//     same machine code or files, reaches no changed code, or is new, missing, failed or
//     interrupted.
//
// The rows of unpaired runs have no verdict other than suspect.
package digest

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/runner/record"
)

// These verdicts depend on other rows or on the policy.
const (
	Accepted compare.Verdict = "accepted" // regressed, but intended
	Nested   compare.Verdict = "nested"   // only reflects the change in another row
)

// severity lists the verdicts, worst first. A benchmark gets the worst verdict of its rows.
// Verdicts that block a merge come before improvements.
var severity = []compare.Verdict{
	compare.Regressed, compare.Changed, compare.Suspect, compare.NotComparable, Accepted, compare.NotChecked,
	compare.Improved, compare.Inconclusive, Nested, compare.Unchanged,
}

// Severity returns the rank of a verdict, where 0 is the worst one. Rows without a verdict come
// last.
func Severity(v compare.Verdict) int {
	if i := slices.Index(severity, v); i >= 0 {
		return i
	}
	return len(severity)
}

// A Key identifies a benchmark in a comparison.
type Key struct {
	Target string
	record.BenchmarkID
}

// KeyOf returns the key of a row's benchmark.
func KeyOf(r *compare.Row) Key { return Key{r.Target, r.BenchmarkID} }

// A Benchmark is the outcome for a benchmark with a verdict in at least one unit.
type Benchmark struct {
	Verdict compare.Verdict // the worst verdict of its rows
	Open    []string        // the undecided units
}

// A Digest summarizes a comparison for the reports.
type Digest struct {
	Gate       gates.Gate
	Benchmarks map[Key]Benchmark
	Counts     map[compare.Verdict]int // number of benchmarks with each verdict; those without a round count as not checked
	Rows       map[compare.Verdict]int // number of rows with each verdict, without those in Settled
	Measured   int                     // number of benchmarks with a row
	Settled    int                     // number of rows undecided here but decided by another trial
	SameCode   int                     // number of benchmarks left out because their code is the same
	Unreached  int                     // number of benchmarks left out because they reach no changed code
	Starved    int                     // number of benchmarks without a round
	New        int                     // number of benchmarks missing from base
	Cut        int                     // number of benchmarks with only one side measured before an interruption
	Missing    int                     // number of benchmarks missing from head
	Beyond     int                     // number of benchmarks newly missing a limit and not accepted
	Worst      *compare.Row            // the largest unaccepted regression, allocations last, or nil
	Steps      []Step                  // the next steps for the reader, in order
}

// Of returns the digest of a comparison under a policy.
func Of(c *compare.Comparison, policy gates.Options) *Digest {
	d := &Digest{
		Gate: gates.Decide(c, policy), Benchmarks: map[Key]Benchmark{}, Counts: map[compare.Verdict]int{}, Rows: map[compare.Verdict]int{},
		New: whole(c.New), Cut: whole(c.Cut), Missing: c.CountMissing(),
	}
	for _, s := range c.Same {
		d.SameCode += s.Benchmarks
	}
	for _, u := range c.Unreached {
		d.Unreached += u.Benchmarks
	}
	for _, s := range c.Starved {
		d.Starved += s.Benchmarks
	}
	all, beyond := map[Key]bool{}, map[Key]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			all[KeyOf(r)] = true
			d.add(c, r, policy)
			if slices.ContainsFunc(r.Limits, func(l compare.RowLimit) bool { return policy.Misses(t, r, l) }) {
				beyond[KeyOf(r)] = true
			}
		}
	}
	d.Measured, d.Beyond = len(all), len(beyond)
	for _, b := range d.Benchmarks {
		d.Counts[b.Verdict]++
	}
	if d.Starved > 0 {
		d.Counts[compare.NotChecked] += d.Starved
	}
	d.Steps = d.steps(c)
	return d
}

func (d *Digest) add(c *compare.Comparison, r *compare.Row, policy gates.Options) {
	if c.Settled(r) {
		d.Settled++
		return
	}
	v := VerdictOf(r, policy)
	if v == compare.NoVerdict {
		return
	}
	d.Rows[v]++
	b, known := d.Benchmarks[KeyOf(r)]
	if !known || Severity(v) < Severity(b.Verdict) {
		b.Verdict = v
	}
	if (v == compare.Inconclusive || v == compare.NotChecked) && !slices.Contains(b.Open, r.Unit) {
		b.Open = append(b.Open, r.Unit)
	}
	d.Benchmarks[KeyOf(r)] = b
	if v == compare.Regressed && (d.Worst == nil || worse(r, d.Worst)) {
		d.Worst = r
	}
}

// VerdictOf returns the verdict on a row under a policy: Nested if another row explains its change,
// and Accepted for an intended regression.
func VerdictOf(r *compare.Row, policy gates.Options) compare.Verdict {
	switch {
	case r.Verdict == compare.NoVerdict:
		return compare.NoVerdict
	case r.CorrelatedWith != nil:
		return Nested
	case r.Verdict == compare.Regressed && policy.Intended(r):
		return Accepted
	}
	return r.Verdict
}

// Size returns how much a row changed in either direction, as the logarithm of a ratio. A change
// without a ratio, such as a first allocation, is infinite.
func Size(r *compare.Row) float64 {
	size := math.Abs(math.Log1p(r.Change()))
	if math.IsNaN(size) {
		return math.Inf(1)
	}
	return size
}

// worse reports whether a regression is worse than another one. Regressions in allocations come
// last; otherwise the larger regression is worse.
func worse(r, other *compare.Row) bool {
	allocates := func(r *compare.Row) bool { return r.Unit == "B/op" || r.Unit == "allocs/op" }
	if allocates(r) != allocates(other) {
		return allocates(other)
	}
	return Size(r) > Size(other)
}

// Judged reports whether any benchmark has a verdict of its own.
func (d *Digest) Judged() bool { return len(d.Benchmarks) > d.Counts[Nested] }

// A Standing counts the benchmarks with a verdict of their own.
type Standing struct {
	Benchmarks int
	Regressed  int // and not accepted
	Accepted   int
	Suspect    int
	Undecided  int // not counted above, but undecided in some unit
	Decided    int // all others
}

// Standing counts the benchmarks by outcome.
func (d *Digest) Standing() (n Standing) {
	for _, b := range d.Benchmarks {
		switch {
		case b.Verdict == Nested:
			continue
		case b.Verdict == compare.Regressed:
			n.Regressed++
		case b.Verdict == Accepted:
			n.Accepted++
		case b.Verdict == compare.Suspect:
			n.Suspect++
		case len(b.Open) > 0:
			n.Undecided++
		default:
			n.Decided++
		}
		n.Benchmarks++
	}
	return n
}

// whole returns the number of benchmarks in list with every unit missing on one side.
func whole(list []compare.OneSided) (n int) {
	for _, u := range list {
		if u.Unit == "" {
			n++
		}
	}
	return n
}
