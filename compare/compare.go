package compare

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A Side is what is compared: the runs of one commit, of one file, or of one
// side of a trial. The samples that its runs have of one series are put
// together in the order of the runs.
type Side struct {
	Label string // as the user named it: a branch, a file
	Runs  []*record.Run
	Older int // runs of the same commit left out, as newer ones have all that they measured
}

// Options are the error rates and the size of a change that matters. A field
// of 0 or less stands for its default.
type Options struct {
	// Alpha is the chance that a trial in which nothing changed has any row flagged as
	// regressed; that any is flagged as improved has the same. Default 0.01.
	Alpha float64
	// Threshold returns the smallest change worth reporting of a benchmark,
	// by its name without the -N suffix, as a fraction. Default 0.05.
	Threshold func(bench string) float64
	// MeanWithin returns the bound that a strict gate wants proven of the mean of all slices of a
	// benchmark that is unchanged, as a fraction; 0 is none. Default none.
	MeanWithin func(bench string) float64
	// Confidence is the level of the interval of each center. Default 0.95.
	Confidence float64
	// CompareAlpha is benchstat's own alpha: beyond it a delta is shown as ~,
	// and never flagged. Default 0.05.
	CompareAlpha float64
	// Ongoing says that the last session of a checked trial still goes on, so
	// that its end is no reason to decide.
	Ongoing bool
	// Noise returns the noise floor of a row of a checked trial as a fraction, 0
	// where it is unknown: see [NoiseFloor]. Nil knows none. The unit is the
	// stored one.
	Noise func(target string, id record.BenchmarkID, unit string) float64
	// Capped reports whether the ranks of a row of a checked trial are capped, as its rounds
	// are often far off: see [stat.Series]. Nil caps none. The unit is the stored one.
	Capped func(target string, id record.BenchmarkID, unit string) bool
	// Families is how many targets a checked trial has that share the error rate, measured
	// or not; those that are compared, if there are more. What the runs say goes first.
	Families int
	// Peers are runs of targets of the same trial that are not compared themselves, and
	// count where the error rate is divided.
	Peers []*record.Run
	// Known reports whether the history of the base has a benchmark in a unit, the
	// stored one. What it lacks is a family of its own and takes little of the error
	// rate from the others, however much it is. Nil knows all.
	Known func(target string, id record.BenchmarkID, unit string) bool
	// Limits bound the values of benchmarks, whatever they were before.
	Limits limit.List
	// OnePart says that a part of the benchmarks is compared on purpose: the others are not missed.
	OnePart bool
	// Edited says whether benchmarks of a package may differ between the sides. Others are judged,
	// whatever the trial says of itself. Nil believes it.
	Edited func(target, pkg string) bool
	// Each returns the options of one trial, where several are compared: each was
	// measured by its own. Nil stands for these here.
	Each func(base, head Side) Options
}

func (o Options) withDefaults() Options {
	if o.Alpha <= 0 {
		o.Alpha = 0.01
	}
	if o.Threshold == nil {
		o.Threshold = func(string) float64 { return 0.05 }
	}
	if o.MeanWithin == nil {
		o.MeanWithin = func(string) float64 { return 0 }
	}
	if o.Confidence <= 0 {
		o.Confidence = 0.95
	}
	if o.CompareAlpha <= 0 {
		o.CompareAlpha = 0.05
	}
	return o
}

// A Comparison is everything that can be said about two sides.
type Comparison struct {
	Base, Head Side
	Options    Options // with the defaults filled in
	Tables     []Table
	Missing    []Unpaired // on the base side only
	New        []Unpaired // on the head side only
	Cut        []Unpaired // on one side only, as the measurement was interrupted before the other one
	Failures   []Failure
	Same       []SameCode  // not measured: nothing can have changed
	Unreached  []Unreached // not measured: they reach no changed code
	Rewritten  []Rewritten // measured, but not comparable
	Shared     []Shared    // measured with the test files of one side on both
	Starved    []Starved   // not measured: the budget ended before
	Untried    []Untried   // that the base is known to have: whoever knows adds them
	Caveats    []Caveat    // about runs and environments; those of a row stand there
	Tested     int         // rows that were tested: the m of stat.Holm's correction
	Blind      bool        // of runs measured apart: so few samples for so many tests that no row could become suspect
	Trials     int         // of which the comparison is made, each decided by itself; 0 of less than two

	pairings []*Pairing
	decided  map[seriesKey]bool // by any trial, where there are several
	parts    []portionOf        // what each trial has of its targets
	newest   bool               // a part of it is asked for: what that takes the last session tells
}

// A Table holds the rows of one unit that benchstat would put in one table:
// of one target, kind, package, suite and pair of environments.
type Table struct {
	*Pairing
	Kind    record.Kind
	Package string
	Suite   string
	Unit    string // tidied: sec/op, B/s, B/op
	Rows    []*Row // in the order of measurement
	Geomean Geomean
}

// An Unpaired is a benchmark, or one unit of it, that only one side has.
type Unpaired struct {
	Target string
	record.BenchmarkID
	Unit string // "" when the whole benchmark is absent from the other side
}

// A Failure is a benchmark that gave no (further) samples on one side.
type Failure struct {
	Side   record.Side
	Target string
	record.Failure
}

// A Caveat is something the reader of a number must know.
type Caveat struct {
	Code   string // one of the constants below, stable, for programs
	Text   string // for people, in perftrack's own words
	Detail string // what it is about: a command, or words from outside, not to be trusted
}

func (c Caveat) String() string {
	if c.Detail == "" {
		return c.Text
	}
	return c.Text + ": " + c.Detail
}

// The codes of caveats.
const (
	CodeEnvironment = "environment" // the sides' environments differ
	CodeRunStatus   = "run-status"  // a run is partial or failed
	CodeDirty       = "dirty"       // a run measured uncommitted changes
	CodeBusy        = "busy"        // other programs were running when measuring began
	CodeOneSample   = "one-sample"  // no test is possible
	CodeFewSamples  = "few-samples" // no verdict, or no interval, is possible yet
	CodeZero        = "zero"        // values of 0 have no relative change
	CodeCapped      = "capped"      // rounds that are often far off weigh no more than usual ones
	CodeFurther     = "further"     // the trial of a check is not the first of its commits
	CodeRest        = "rest"        // of a check: what earlier ones of its trial say of other benchmarks
	CodeRounded     = "rounded"     // a 0 that a report printed for less than its last digit
	CodeDirection   = "direction"   // the sides disagree about which way is better
	CodeTerms       = "terms"       // the trial was measured by other rules than it is judged by
	CodeOverruled   = "overruled"   // the command line judges the trial by other terms than its own
	CodeLook        = "look"        // a row was decided before the last of its rounds
	CodeMean        = "mean"        // the numbers of a row are of the mean of all slices, and how many are slow
	CodeCalls       = "calls"       // a scope's calls are not what a total or a rate assumes
	CodeApart       = "apart"       // the runs were not measured side by side
	CodeNotChecked  = "not-checked" // benchmarks ended before any look could have flagged them
	CodeLayout      = "layout"      // the builds have one layout each, which may be all that changed
	CodeAccepted    = "accepted"    // the regression is intended, and why
	CodeAcceptances = "acceptances" // whether a regression was accepted could not be found out
	CodeLimit       = "limit"       // limits that bound nothing that was measured
	CodeDecision    = "decision"    // another procedure decides the trial than new ones
	CodeSelection   = "selection"   // only a part of a target was to be measured
	CodeSearches    = "searches"    // a bisection that was measured later is no part of it
	CodeOlder       = "older"       // a side has older runs of what is compared
	CodeTests       = "test-files"  // both sides were measured with the test files of one
	CodePart        = "part"        // a part of the benchmarks was not checked, or is judged alone
	CodeSample      = "sample"      // benchmath's own remark on a sample or a geomean
)

// Compare compares the head side h against the base side b. It never fails: what cannot be compared
// is listed with the reason. The runs are not modified.
func Compare(b, h Side, opt Options) *Comparison {
	if parts := sidesByTrial(b, h); len(parts) > 1 {
		return compareTrials(b, h, parts, opt)
	}
	c := &Comparison{Base: b, Head: h, Options: opt.withDefaults()}
	c.pairings = pairRuns(b.Runs, h.Runs)
	for _, p := range c.pairings {
		c.coverage(p)
		c.starved(p)
		c.addPairing(p)
	}
	c.findProcedures()
	c.decide()
	for i := range c.Tables {
		c.Tables[i].Geomean.Change = MeanChange(c.Tables[i].Rows)
		c.Tables[i].fold()
	}
	c.addFailures(record.Base, b.Runs)
	c.addFailures(record.Head, h.Runs)
	c.addRunCaveats("base", b)
	c.addRunCaveats("head", h)
	c.addBusy(slices.Concat(b.Runs, h.Runs))
	c.noteNotChecked()
	c.noteFurther()
	c.noteSelection()
	c.readParts()
	c.noteParts()
	c.addLimits()
	return c
}

// Rows returns all rows of all tables, in order.
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

// Trial reports whether the whole comparison is of runs that were measured
// side by side, or were found there to need no measurement.
func (c *Comparison) Trial() bool {
	for _, p := range c.pairings {
		if !p.Trial {
			return false
		}
	}
	return len(c.pairings) > 0
}

// Folded returns the number of rows with the verdict that show the change of
// another row: Count less Folded is how many changes there are.
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

var fullSHA = regexp.MustCompile(`^[0-9a-f]{12,64}$`)

// Isolated reports whether benchmarks were isolated: what measures them again is to isolate them, too.
func (c *Comparison) Isolated() bool {
	return slices.ContainsFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool { return r.Facts.Get(record.KeyIsolated) != "" })
}

// IsolateFlag is --isolate after a space, for a command that measures again; "" where nothing was isolated.
func (c *Comparison) IsolateFlag() string {
	if c.Isolated() {
		return " --isolate"
	}
	return ""
}

// DecideCommand returns the command that measures both sides in one trial and
// so decides what is suspect. It names only commit hashes: a label may be a
// file or a branch that has moved since.
func (c *Comparison) DecideCommand() string {
	against, _ := commit(c.Base.Runs)
	if against == "" {
		return "perftrack run --against REV"
	}
	command := "perftrack run --against " + against
	if rev, dirty := commit(c.Head.Runs); rev != "" && !dirty {
		command += " --rev " + rev
	}
	return command + c.IsolateFlag()
}

// commit returns the short hash that all runs share, or "".
func commit(runs []*record.Run) (short string, dirty bool) {
	for _, r := range runs {
		if !fullSHA.MatchString(r.Commit.SHA) {
			return "", false
		}
		sha := record.ShortHash(r.Commit.SHA)
		if short != "" && sha != short {
			return "", false
		}
		short, dirty = sha, dirty || r.Commit.Dirty
	}
	return short, dirty
}

func (c *Comparison) addFailures(side record.Side, runs []*record.Run) {
	for i, r := range runs {
		if len(r.Benchmarks) == 0 && slices.ContainsFunc(runs[i+1:], func(later *record.Run) bool { return later.Target == r.Target }) {
			continue // the trial was continued, so that the later run says what there is to say
		}
		for _, failure := range r.Failures {
			f := Failure{Side: side, Target: r.Target, Failure: failure}
			// What failed for a passing reason was measured when the trial was continued.
			if !slices.ContainsFunc(runs[i+1:], f.passed) {
				c.Failures = append(c.Failures, f)
			}
		}
	}
}

// passed reports whether the later run has samples of what failed.
func (f Failure) passed(later *record.Run) bool {
	return slices.ContainsFunc(later.Benchmarks, func(b record.Benchmark) bool { return f.Names(later.Target, b.BenchmarkID) })
}

func (c *Comparison) addRunCaveats(side string, of Side) {
	if of.Older > 0 {
		text := fmt.Sprintf("%d older runs of the %s side measured the same and are left out", of.Older, side)
		if of.Older == 1 {
			text = "an older run of the " + side + " side measured the same and is left out"
		}
		c.addCaveat(Caveat{CodeOlder, text, "perftrack list runs"})
	}
	blamed := func(r *record.Run) bool { // the run is stored as failed only because the other side failed
		return len(r.Failures) == 0 && slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Target == r.Target })
	}
	for _, r := range of.Runs {
		switch {
		case r.Status == record.Partial:
			c.addCaveat(Caveat{CodeRunStatus, "a run of the " + side + " side was interrupted", r.Target})
		case r.Status == record.Failed && !blamed(r):
			c.addCaveat(Caveat{CodeRunStatus, "in a run of the " + side + " side something failed", r.Target})
		}
		if r.Commit.Dirty {
			c.addCaveat(Caveat{CodeDirty, "a run of the " + side + " side measured uncommitted changes", r.Target})
		}
	}
}

// busyLoad is from which load for each processor on other programs must have been
// running: perftrack's own building takes one.
const busyLoad = 2

// Busy reports whether other programs kept the machine busy when a run began, and its load: how many
// processes wanted to run.
func Busy(r *record.Run) (load float64, busy bool) {
	load, err1 := strconv.ParseFloat(r.Facts.Get(record.KeyLoad), 64)
	cpus, err2 := strconv.ParseFloat(r.Env.Get(record.KeyCPUCount), 64)
	return load, len(r.Benchmarks) > 0 && err1 == nil && err2 == nil && load >= busyLoad*cpus // NaN is not
}

// BusyWords says of a load that it was too much, and what to do.
func BusyWords(load float64) string {
	return fmt.Sprintf("other programs kept the machine busy when measuring began (load %.3g): `perftrack doctor` shows them", load)
}

// addBusy notes for each target that the machine was busy when a trial of it began.
func (c *Comparison) addBusy(runs []*record.Run) {
	loads := map[string]float64{}
	var targets []string
	for _, r := range runs {
		load, busy := Busy(r)
		if r.Trial == "" || !busy {
			continue
		}
		if loads[r.Target] == 0 {
			targets = append(targets, r.Target)
		}
		loads[r.Target] = max(loads[r.Target], load)
	}
	for _, t := range targets {
		c.addCaveat(Caveat{CodeBusy, BusyWords(loads[t]), t})
	}
}

func (c *Comparison) addCaveat(added Caveat) {
	if !slices.Contains(c.Caveats, added) {
		c.Caveats = append(c.Caveats, added)
	}
}
