package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Status says how much of a run was measured.
type Status string

// Only complete runs become a baseline or a point of the history unless the
// user asks for the others.
const (
	Complete Status = "complete" // every planned round of every benchmark
	Partial  Status = "partial"  // interrupted: what had been measured until then
	Failed   Status = "failed"   // at least one benchmark failed; the others' samples are whole
)

// A Side is a run's place within a trial.
type Side string

// The sides of a trial. A run measured alone has none.
const (
	NoSide Side = ""
	Base   Side = "base"
	Head   Side = "head"
)

// A Kind separates benchmarks from the scopes of a profile, whose names are
// call paths.
type Kind string

// The kinds of rows.
const (
	Bench Kind = "bench"
	Scope Kind = "scope"
)

// A Commit is the state of the source that was measured. SHA is empty when the
// target stood outside a git repository.
type Commit struct {
	SHA    string // 40 or 64 hex digits
	Tree   string // hash of the commit's tree
	Branch string // "" when detached or unknown
	Dirty  bool   // the work tree differed from the commit
	Time   time.Time
}

// A BenchmarkID names a benchmark within a target. Name carries neither the
// "Benchmark" prefix nor the -N suffix of GOMAXPROCS, which is environment, unless
// that says [ProcsInNames].
type BenchmarkID struct {
	Kind    Kind
	Suite   string
	Package string
	Name    string
}

// Compare orders ids by kind, package, suite and name.
func (id BenchmarkID) Compare(other BenchmarkID) int {
	return cmp.Or(
		cmp.Compare(id.Kind, other.Kind),
		cmp.Compare(id.Package, other.Package),
		cmp.Compare(id.Suite, other.Suite),
		cmp.Compare(id.Name, other.Name),
	)
}

// A Round places one sample in the order of measurement, and says how it was made.
type Round struct {
	N     int    // round number, from 1 within the trial; the discarded warm-up is round 0 and never stored
	Order int    // position among all samples of the round, from 0
	Iters int    // iterations that the sample averages over
	Seed  uint64 // layout seed of the binary, 0 for the toolchain's default layout

	// A sample of a benchmark whose sides took turns is made of slices of the two
	// processes, and both sides say the same of them.
	Slices int     // pairs of slices that its values were made of; 0 for a process that ran alone
	Spread float64 // standard deviation of the log ratios, head to base, of the round's pairs of slices; 0 unknown

	// Of all slices of this side, where its values are of selected ones.
	Mean float64 // ns/op, without what the slices waited for a CPU; 0 unknown
	Slow float64 // part of the slices, 0 to 1, that take far longer than the others
}

// normalize makes -0 plain 0.
func (r *Round) normalize() {
	for _, v := range []*float64{&r.Spread, &r.Mean, &r.Slow} {
		if *v == 0 {
			*v = 0
		}
	}
}

// Samples are the values of one unit of one benchmark, in round order and as
// long as the benchmark's Rounds. NaN marks a round in which the benchmark
// did not report this unit; a measured NaN is rejected before it gets here.
type Samples struct {
	Unit   string // as the producer printed it: ns/op, MB/s, GFLOPS
	Values []float64
}

// Present returns a copy of the values without the rounds that have none.
func (s Samples) Present() []float64 {
	out := make([]float64, 0, len(s.Values))
	for _, v := range s.Values {
		if !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

// normalize makes -0 plain 0 and reports whether there is any value.
func (s Samples) normalize() (any bool) {
	for i, v := range s.Values {
		if v == 0 {
			s.Values[i] = 0
		}
		any = any || !math.IsNaN(v)
	}
	return any
}

// A Benchmark is everything one run measured of one benchmark.
type Benchmark struct {
	BenchmarkID
	Rounds  []Round
	Samples []Samples // one a unit, in the order of CompareUnits
}

// Unit returns the samples of unit, as printed by the producer.
func (b *Benchmark) Unit(unit string) (Samples, bool) {
	for _, s := range b.Samples {
		if s.Unit == unit {
			return s, true
		}
	}
	return Samples{}, false
}

// A Unit is what the producer declared of a unit by `Unit` lines.
type Unit struct {
	Name   string `json:"name"`
	Better int    `json:"better,omitempty"` // +1 higher, -1 lower, 0 not declared
	Exact  bool   `json:"exact,omitempty"`  // assume=exact: repeated measurement adds no confidence
}

// A Failure is a benchmark that gave no (further) samples, and why.
type Failure struct {
	Benchmark string `json:"benchmark"` // package and name as far as known
	Reason    string `json:"reason"`
}

// NotBuilt begins the reason of a failure that is a whole package: none of its benchmarks
// could be measured, because it does not build or not start.
const NotBuilt = "not built: "

// Unbuilt reports whether the failure is a whole package.
func (f Failure) Unbuilt() bool { return strings.HasPrefix(f.Reason, NotBuilt) }

// A Run is one target measured at one commit in one environment.
type Run struct {
	Target     string
	Commit     Commit
	Env        Settings // identity: only keys of EnvironmentKeys
	Facts      Settings // recorded, not identity: kernel, load, host ...
	Start, End time.Time
	Tool       string // perftrack's version
	Status     Status
	Trial      string // id shared by the runs that were measured interleaved
	Side       Side
	Units      []Unit
	Failures   []Failure
	Benchmarks []Benchmark // none: a side of a trial that was not measured, see its facts
}

// Set sets a key of the environment or a fact, each where it belongs.
func (r *Run) Set(key, value string) {
	if RoleOf(key) == EnvironmentKey {
		r.Env = r.Env.Set(key, value)
	} else {
		r.Facts = r.Facts.Set(key, value)
	}
}

// Benchmark returns the benchmark with the given id.
func (r *Run) Benchmark(id BenchmarkID) (*Benchmark, bool) {
	i, ok := slices.BinarySearchFunc(r.Benchmarks, id, func(b Benchmark, id BenchmarkID) int {
		return b.BenchmarkID.Compare(id)
	})
	if !ok {
		return nil, false
	}
	return &r.Benchmarks[i], true
}

// Baseline reports whether the run may serve as a baseline or a point of the
// history: complete, of a clean commit, and measured.
func (r *Run) Baseline() bool {
	return r.Status == Complete && !r.Commit.Dirty && len(r.Benchmarks) > 0
}

// Measured is when a run ended, or began, or when the report that was imported was written, by its own
// account in no time zone. Where none is known, known is false and at is when its commit was made, zero
// where nobody knows that.
func (r *Run) Measured() (at time.Time, known bool) {
	switch {
	case !r.End.IsZero():
		return r.End, true
	case !r.Start.IsZero():
		return r.Start, true
	}
	if at, ok := r.Generated(); ok {
		return at, true
	}
	return r.Commit.Time, false
}

// Generated is when an imported report was written, by its own account, which is taken as UTC; ok is
// false where it does not say.
func (r *Run) Generated() (at time.Time, ok bool) {
	text := r.Facts.Get(KeyGenerated)
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if len(text) >= len(layout) {
			if at, err := time.Parse(layout, text[:len(layout)]); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// Rounds returns the largest number of samples that any benchmark has.
func (r *Run) Rounds() int {
	n := 0
	for _, b := range r.Benchmarks {
		n = max(n, len(b.Rounds))
	}
	return n
}

// LastRound returns the number of the last round that any benchmark has a
// sample of, 0 without one. It is not [Run.Rounds]: a trial that is continued
// goes on numbering, and a benchmark that is decided is measured no more.
func (r *Run) LastRound() int {
	last := 0
	for i := range r.Benchmarks {
		last = max(last, r.Benchmarks[i].LastRound())
	}
	return last
}

// LastRound returns the number of the last round that has a sample, 0 without one.
func (b *Benchmark) LastRound() int {
	last := 0
	for _, round := range b.Rounds {
		last = max(last, round.N)
	}
	return last
}

// AddFailure notes that benchmark gave no (further) samples, and why. A text
// longer than MaxFailureLen is cut there and ends in "...". Once the list is
// full, its last entry counts the rest.
func (r *Run) AddFailure(benchmark, reason string) {
	more := append(r.Failures, Failure{cut(benchmark, MaxFailureLen), cut(reason, MaxFailureLen)})
	if checkFailures(more) == nil {
		r.Failures = more
		return
	}
	last := &r.Failures[len(r.Failures)-1]
	count := 1
	if last.Benchmark == "" {
		_, _ = fmt.Sscanf(last.Reason, moreFailures, &count) // no match: one failure without a name
	}
	*last = Failure{Reason: fmt.Sprintf(moreFailures, count+1)}
}

const moreFailures = "%d more failed"

// cut returns the beginning of s in at most n bytes of valid UTF-8.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "..."
}

// Normalize brings the run into the one order that its canonical export has,
// and leaves out what has no text there: settings without a value, benchmarks
// without a round, units without a value. Times keep microseconds and UTC,
// which is what the database holds.
func (r *Run) Normalize() {
	r.Env, r.Facts = r.Env.normalize(), r.Facts.normalize()
	r.Start, r.End = r.Start.UTC().Truncate(time.Microsecond), r.End.UTC().Truncate(time.Microsecond)
	r.Commit.Time = r.Commit.Time.UTC().Truncate(time.Second)
	slices.SortFunc(r.Units, func(a, b Unit) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Benchmarks, func(a, b Benchmark) int { return a.BenchmarkID.Compare(b.BenchmarkID) })
	for i := range r.Failures {
		f := &r.Failures[i]
		f.Benchmark, f.Reason = strings.ToValidUTF8(f.Benchmark, "\uFFFD"), strings.ToValidUTF8(f.Reason, "\uFFFD")
	}
	r.Benchmarks = slices.DeleteFunc(r.Benchmarks, func(b Benchmark) bool { return len(b.Rounds) == 0 })
	for i := range r.Benchmarks {
		r.Benchmarks[i].normalize()
	}
}

// normalize is [Run.Normalize] of a benchmark.
func (b *Benchmark) normalize() {
	b.sortRounds()
	for k := range b.Rounds {
		b.Rounds[k].normalize()
	}
	b.Samples = slices.DeleteFunc(b.Samples, func(s Samples) bool { return !s.normalize() })
	slices.SortFunc(b.Samples, func(x, y Samples) int { return CompareUnits(x.Unit, y.Unit) })
}

// compareRounds orders the samples of a benchmark as they were measured.
func compareRounds(x, y Round) int {
	return cmp.Or(cmp.Compare(x.N, y.N), cmp.Compare(x.Order, y.Order))
}

func (b *Benchmark) sortRounds() {
	if slices.IsSortedFunc(b.Rounds, compareRounds) {
		return
	}
	perm := make([]int, len(b.Rounds))
	for i := range perm {
		perm[i] = i
	}
	slices.SortStableFunc(perm, func(i, j int) int { return compareRounds(b.Rounds[i], b.Rounds[j]) })
	rounds := make([]Round, len(perm))
	for to, from := range perm {
		rounds[to] = b.Rounds[from]
	}
	b.Rounds = rounds
	for s := range b.Samples {
		values := make([]float64, len(perm))
		for to, from := range perm {
			values[to] = b.Samples[s].Values[from]
		}
		b.Samples[s].Values = values
	}
}
