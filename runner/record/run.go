package record

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Status describes how much of a run was measured.
type Status string

// The statuses of a run. Only a complete run becomes a baseline or a point in the history, unless
// the user asks for others.
const (
	Complete Status = "complete" // every planned round of every benchmark was measured
	Partial  Status = "partial"  // interrupted; has the samples measured before
	Failed   Status = "failed"   // at least one benchmark failed; the others have all their samples
)

// A Side identifies the side of a trial that a run belongs to.
type Side string

// The sides of a trial. A run measured alone has no side.
const (
	NoSide Side = ""
	Base   Side = "base"
	Head   Side = "head"
)

// A Kind distinguishes benchmarks from the scopes of a profile, whose names are call paths.
type Kind string

// The kinds of benchmark ids.
const (
	Bench Kind = "bench"
	Scope Kind = "scope"
)

// A Commit is the measured state of the source. SHA is empty for a target outside a git repository.
type Commit struct {
	SHA    string // 40 or 64 hex digits
	Tree   string // hash of the commit's tree
	Branch string // "" when detached or unknown
	Dirty  bool   // whether the work tree differed from the commit
	Time   time.Time
}

// A BenchmarkID identifies a benchmark within a target. Name has no "Benchmark" prefix. Except in a
// run with [ProcsInNames], it has no -N suffix, because GOMAXPROCS is part of the environment.
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

// A Unit describes a unit as the benchmark program declared it in `Unit` lines.
type Unit struct {
	Name   string `json:"name"`
	Better int    `json:"better,omitempty"` // +1 if higher is better, -1 if lower is better, 0 if not declared
	Exact  bool   `json:"exact,omitempty"`  // assume=exact: repeating the measurement adds no confidence
	From   string `json:"from,omitempty"`   // the unit in the imported file, if its values were converted: ms; see [Unit.AddFrom]
}

// A Run is the measurement of one target at one commit in one environment.
type Run struct {
	Target     string
	Commit     Commit
	Env        Settings // the environment's identity: only keys in EnvironmentKeys
	Facts      Settings // recorded, but not part of the identity: kernel, load, host ...
	Start, End time.Time
	Tool       string // perftrack's version
	Status     Status
	Trial      string // id shared by interleaved runs
	Side       Side
	Protocol   Protocol
	Units      []Unit
	Failures   []Failure
	Benchmarks []Benchmark // empty for an unmeasured side of a trial; see its Protocol for the reason
}

// Set sets a key in Env or in Facts, depending on its role.
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

// Baseline reports whether the run may serve as a baseline or as a point in the history: it must be
// complete, have benchmarks and be from a clean commit.
func (r *Run) Baseline() bool {
	return r.Status == Complete && !r.Commit.Dirty && len(r.Benchmarks) > 0
}

// OfClass reports whether the run measured rounds of a spread trial on a machine that its environment
// does not distinguish from others of the class. In a history, every change of machine would look
// like a step.
func (r *Run) OfClass() bool {
	return r.Protocol.Spread != nil && r.Env.Get(KeyMachine) == ""
}

// Measured returns the time at which the run ended. If that is unknown, it returns the time at
// which the run began, or else the time stated in an imported report. If these are all unknown,
// known is false, and at is the commit time, or zero if that is unknown too.
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

// Generated returns the time stated in an imported report, taken as UTC; ok is false if there is
// none.
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

// Rounds returns the largest number of samples of any benchmark.
func (r *Run) Rounds() int {
	n := 0
	for _, b := range r.Benchmarks {
		n = max(n, len(b.Rounds))
	}
	return n
}

// LastRound returns the number of the last round with a sample, or 0 if there are no samples. It
// may exceed [Run.Rounds], because a continued trial keeps counting its rounds but no longer
// measures benchmarks with a verdict.
func (r *Run) LastRound() int {
	last := 0
	for i := range r.Benchmarks {
		last = max(last, r.Benchmarks[i].LastRound())
	}
	return last
}

// Normalize puts the run into canonical order and removes everything that could not be written as
// text: settings and units without values, and benchmarks without rounds. Times are converted to
// UTC and truncated to microseconds, as in the database.
func (r *Run) Normalize() {
	r.Env, r.Facts = r.Env.normalize(), r.Facts.normalize()
	r.Start, r.End = r.Start.UTC().Truncate(time.Microsecond), r.End.UTC().Truncate(time.Microsecond)
	r.Commit.Time = r.Commit.Time.UTC().Truncate(time.Second)
	r.Protocol.normalize()
	slices.SortFunc(r.Units, func(a, b Unit) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Benchmarks, compareBenchmarks)
	for i := range r.Failures {
		f := &r.Failures[i]
		f.Benchmark, f.Reason = strings.ToValidUTF8(f.Benchmark, "\uFFFD"), strings.ToValidUTF8(f.Reason, "\uFFFD")
	}
	r.Benchmarks = slices.DeleteFunc(r.Benchmarks, func(b Benchmark) bool { return len(b.Rounds) == 0 })
	for i := range r.Benchmarks {
		r.Benchmarks[i].Normalize()
	}
}

func compareBenchmarks(a, b Benchmark) int { return a.BenchmarkID.Compare(b.BenchmarkID) }
