package compare

import (
	"iter"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Comparison is the complete result of comparing two sides.
type Comparison struct {
	Base, Head Side
	Options    Options // with the defaults filled in
	Tables     []Table
	Missing    []OneSided // on the base side only
	New        []OneSided // on the head side only
	Cut        []OneSided // on one side only, because the measurement was interrupted before it reached the other side
	Failures   []Failure
	Same       []SameCode  // not measured, because nothing can have changed
	Unreached  []Unreached // not measured, because they reach no changed code
	Rewritten  []Rewritten // measured, but not comparable
	Shared     []Shared    // measured on both sides with the test files of one side
	Starved    []Starved   // not measured, because the budget ran out first
	Untried    []Untried   // known in the base but missing from the trial; added by the caller
	Caveats    []Caveat    // about runs and environments; a row has its own notes
	Tested     int         // number of tested rows: m in stat.Holm's correction
	Blind      bool        // the unpaired runs have too few samples for so many tests, so no row could become suspect
	Trials     int         // the number of trials if there are several, decided separately; otherwise 0

	pairings []*pairs.Pairing
	rankSum  stat.RankSum
	decided  map[seriesKey]bool // Series decided by any trial, if there are several trials
	parts    []trialPart        // for each trial, the part of its target that it measured
	newest   bool               // estimate the budget from the newest session, because a part was requested
}

// A Table holds the rows that benchstat would put in one table: those with the same unit, target,
// kind, package, suite and pair of environments.
type Table struct {
	*pairs.Pairing
	Kind    record.Kind
	Package string
	Suite   string
	Unit    string // tidied: sec/op, B/s, B/op
	Rows    []*Row // in the order they were measured
	Geomean Geomean
}

// OneSided is a benchmark, or one unit of a benchmark, missing on one side.
type OneSided struct {
	Target string
	record.BenchmarkID
	Unit string // "" when the whole benchmark is absent from the other side
}

// Rows iterates over all rows of all tables, in order.
func (c *Comparison) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, t := range c.Tables {
			for _, r := range t.Rows {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Trial reports whether the runs of each target were measured side by side in one trial, even if
// the trial found that nothing needed measuring.
func (c *Comparison) Trial() bool {
	for _, p := range c.pairings {
		if !p.Trial {
			return false
		}
	}
	return len(c.pairings) > 0
}

// Folded returns the number of rows with the verdict that only reflect the change in another row.
// Count minus Folded is the number of distinct changes.
func (c *Comparison) Folded(v Verdict) int {
	n := 0
	for r := range c.Rows() {
		if r.Verdict == v && r.CorrelatedWith != nil {
			n++
		}
	}
	return n
}

// Count returns the number of rows with the verdict.
func (c *Comparison) Count(v Verdict) int {
	n := 0
	for r := range c.Rows() {
		if r.Verdict == v {
			n++
		}
	}
	return n
}

// Isolated reports whether any benchmarks were isolated. If so, measuring them again must isolate
// them, too.
func (c *Comparison) Isolated() bool {
	return slices.ContainsFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool { return r.Facts.Get(record.KeyIsolated) != "" })
}

// IsolateFlag returns " --isolate" for a command to repeat the measurement, or "" if nothing was
// isolated.
func (c *Comparison) IsolateFlag() string {
	if c.Isolated() {
		return " --isolate"
	}
	return ""
}

// DecideCommand returns the command to decide suspect rows by measuring both sides in one trial. It
// names only commit hashes, because a label may be a file, or a branch that has moved since.
func (c *Comparison) DecideCommand() string {
	against := record.ShortHash(c.Base.Commit())
	if against == "" {
		return "perftrack run --against REV"
	}
	command := "perftrack run --against " + against
	if rev := c.Head.Revision(); rev != "" {
		command += " --rev " + rev
	}
	return command + c.IsolateFlag()
}

// Unreached counts the benchmarks of a package left out because nothing they can call or read has
// changed.
type Unreached struct {
	Target, Package string
	Benchmarks      int
}

// Rewritten is a benchmark that differs between the sides and could not be built on both sides with
// the test files of either side. Its times belong to two different benchmarks and prove nothing.
// The Name "*" stands for all benchmarks of a package and the Package "*" for all packages; both
// are used when there are too many to list.
type Rewritten struct{ Target, Package, Name string }

// Shared is an edited or new benchmark measured on both sides with the test files of one side, so a
// difference in its times is due to the code.
type Shared struct {
	Target, Package, Name string
	Of                    record.Side // the side of the test files
	New                   bool        // only head has the benchmark
}

// Starved counts the benchmarks of a target that got no round because the check's budget ran out.
// They are all of its benchmarks, or those left out by the plan.
type Starved struct {
	Target     string
	Benchmarks int
	Rounds     int           // number of rounds they need
	Setup      time.Duration // time spent before it became clear that there was no time for a round
	Round      time.Duration // duration of one round of all of them, estimated from the warm-up

	part   record.Part // the part of the target, or the zero Part
	beside int         // number of functions measured in the same trial
}

// A Failure is a failed benchmark, package or target. The failing side has no samples from it, or
// only those taken before the failure.
type Failure struct {
	Side   record.Side
	Target string
	record.Failure
}

// Untried lists benchmarks of base that the trial did not measure. If Benchmarks is empty, the
// trial did not measure the target at all.
type Untried struct {
	Target     string
	Benchmarks []string // empty for the whole target
	More       int      // number of further, unnamed benchmarks
}

// A seriesKey identifies a series in a comparison, regardless of its trial.
type seriesKey struct {
	target string
	pairs.SeriesUnit
}

// A trialPart is the part of a target measured by one trial, or the whole target if Of is 0.
type trialPart struct {
	target string
	record.Part
	failed   bool // nothing in it can be compared
	selected bool // only selected benchmarks were measured
}

// A Geomean is the last row of a table, computed as benchstat does: Base and Head are the means of
// each side's centers, and Ratio is the mean of the ratios in the rows that have both sides. A mean
// that cannot be computed is NaN, with a note.
type Geomean struct {
	Base, Head, Ratio float64
	// Change is the mean change of the rows, as a fraction. It uses [Row.Change], so in a trial it
	// differs from Ratio.
	Change float64
	Notes  []Caveat
}

// Indexes of arrays that have one element per side.
const base, head = 0, 1
