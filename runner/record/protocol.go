package record

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Protocol states how a run was planned: the procedure of its trial, the rules for its verdicts,
// and the benchmarks selected or left out. It is part of the run's identity. Each side of a trial
// has its own protocol. The zero value states nothing.
type Protocol struct {
	Procedure string `json:"procedure,omitempty"` // check, calibrate or anchor; "" for a fixed number of rounds
	Decision  string `json:"decision,omitempty"`  // name of the rules for the verdicts

	Selection  *Selection `json:"selection,omitempty"`   // which of the target's benchmarks were selected; nil if unknown
	Part       *Part      `json:"part,omitempty"`        // this run's share of a check divided among several machines
	Spread     *Spread    `json:"spread,omitempty"`      // how the rounds of the trial are spread over machines; nil for one machine
	Family     *Family    `json:"family,omitempty"`      // the targets sharing an error rate
	AlphaShare float64    `json:"alpha_share,omitempty"` // fraction of alpha, below 1; 0 means all of alpha
	Terms      *Terms     `json:"terms,omitempty"`

	SameCode  []Count         `json:"same_code,omitempty"` // benchmarks left out because both sides have the same machine code or, in a program, the same files
	Unreached []Count         `json:"unreached,omitempty"` // benchmarks left out because they reach no changed code
	Lacks     []Count         `json:"lacks,omitempty"`     // benchmarks that only the other side has
	Rewritten []BenchmarkFunc `json:"rewritten,omitempty"` // benchmarks that are not comparable because their code differs between the sides
	Tests     []SharedTests   `json:"tests,omitempty"`     // edited or new benchmarks, built on both sides with the test files from one side

	Starved *Starved `json:"starved,omitempty"`
	Pace    *Pace    `json:"pace,omitempty"`
	Methods []Method `json:"methods,omitempty"` // sorted by package and name

	// ofFacts is set if the protocol was read from the facts of a run that an older perftrack
	// wrote. When that run is written again, it keeps its facts and therefore its id.
	ofFacts bool
}

// Selects reports whether the run was supposed to measure exactly the selection s, spelled the same
// way. It returns false if the run does not state its selection.
func (p *Protocol) Selects(s Selection) bool { return p.Selection != nil && p.Selection.Equal(s) }

// SelectsAll reports whether the run was supposed to measure all benchmarks of its target.
func (p *Protocol) SelectsAll() bool { return p.Selects(Selection{}) }

// SelectsSome reports whether the run was supposed to measure only some of its target's benchmarks.
func (p *Protocol) SelectsSome() bool { return p.Selection != nil && !p.Selection.All() }

// Covers reports whether the run was supposed to measure exactly the selection s, or all
// benchmarks.
func (p *Protocol) Covers(s Selection) bool { return p.SelectsAll() || p.Selects(s) }

// A Selection describes the benchmarks of a target that a run was supposed to measure. The zero
// value selects all of them.
type Selection struct {
	Packages []string `json:"packages,omitempty"` // package patterns
	Suite    string   `json:"suite,omitempty"`    // the value of --suite
	Bench    string   `json:"bench,omitempty"`    // the value of --bench
}

// All reports whether every benchmark of the target is selected.
func (s Selection) All() bool { return len(s.Packages) == 0 && s.Suite == "" && s.Bench == "" }

// Equal reports whether two selections are spelled the same way.
func (s Selection) Equal(other Selection) bool {
	return slices.Equal(s.Packages, other.Packages) && s.Suite == other.Suite && s.Bench == other.Bench
}

// String returns the selection as it is written on the command line, or "" if it selects
// everything.
func (s Selection) String() string {
	words := slices.Clone(s.Packages)
	if s.Suite != "" {
		words = append(words, "--suite", strconv.Quote(s.Suite))
	}
	if s.Bench != "" {
		words = append(words, "--bench", strconv.Quote(s.Bench))
	}
	return strings.Join(words, " ")
}

// MaxCheckParts is the maximum number of machines sharing a check.
const MaxCheckParts = 64

// A Part is the share of a target's benchmarks that one of several machines measures.
type Part struct {
	N   int `json:"n"`             // number of this part, from 1
	Of  int `json:"of"`            // number of parts, at most MaxCheckParts
	Own int `json:"own,omitempty"` // benchmark functions in this part
	All int `json:"all,omitempty"` // benchmark functions in all parts
	// Division is a digest of how the functions were assigned to the parts; it is "" if the check
	// ended before they were assigned.
	Division string `json:"division,omitempty"`
}

// ParsePart parses the value of --shard. For example, 2/4 is the second of four parts.
func ParsePart(text string) (p Part, ok bool) {
	n, of, _ := strings.Cut(text, "/")
	var err1, err2 error
	p.N, err1 = strconv.Atoi(n)
	p.Of, err2 = strconv.Atoi(of)
	return p, err1 == nil && err2 == nil && p.numbered()
}

func (p Part) numbered() bool { return p.N >= 1 && p.N <= p.Of && p.Of <= MaxCheckParts }

func (p Part) String() string { return "part " + strconv.Itoa(p.N) + " of " + strconv.Itoa(p.Of) }

// Share returns the fraction of alpha that the part may use, so that all parts together stay within
// alpha (Bonferroni).
func (p Part) Share() float64 { return 1 / float64(max(1, p.Of)) }

// maxSpreadName is the maximum length in bytes of the name of a class or a machine.
const maxSpreadName = 128

// A Spread says that several machines measure the rounds of a trial. Both sides of a round are
// measured on one machine, and all rounds are decided together. A trial is spread only if all of
// its runs say so.
type Spread struct {
	Class    string `json:"class,omitempty"`    // class of the machines; the same in all runs of a trial
	Machine  string `json:"machine,omitempty"`  // the machine that measured this run; "" tells machines apart by environment only
	Machines int    `json:"machines,omitempty"` // number of machines that measured the trial; 0 means the number seen in its runs
	Session  int    `json:"session,omitempty"`  // session of this run, from 1: continuing the trial begins the next one; 0 means 1
}

// IsOf reports whether the rounds are spread over machines of the given class.
func (s *Spread) IsOf(class string) bool { return s != nil && s.Class == class }

// A Family is the set of targets first measured together and sharing an error rate.
type Family struct {
	Of      int      `json:"of"`                // number of targets sharing alpha, including those in this family
	Targets []string `json:"targets,omitempty"` // sorted
}

// Terms are the error rate, thresholds, limits and known noise for a check. They are fixed when the
// check is measured, so check, compare and comment later reach the same verdicts.
type Terms struct {
	Alpha      float64      `json:"alpha"`
	Families   int          `json:"families"` // number of targets that share alpha
	Threshold  float64      `json:"threshold"`
	MeanWithin float64      `json:"mean_within,omitempty"`
	Rules      []TermsRule  `json:"rules,omitempty"`
	Limits     []TermsLimit `json:"limits,omitempty"`
	Floors     []TermsFloor `json:"floors,omitempty"` // for the run's own target, largest first
}

// A TermsRule is a rule from perftrack.toml for some benchmarks.
type TermsRule struct {
	Bench      string  `json:"bench"`
	Threshold  float64 `json:"threshold,omitempty"`
	MeanWithin float64 `json:"mean_within,omitempty"`
	Unit       string  `json:"unit,omitempty"`   // glob of the units that have the direction Better
	Better     int     `json:"better,omitempty"` // +1 if higher values are better, -1 if lower, 0 if the rule does not say
}

// A TermsLimit is a limit from perftrack.toml for some benchmarks.
type TermsLimit struct {
	Bench string `json:"bench"`
	Limit string `json:"limit"`
}

// A TermsFloor is the known noise of one series of measurements.
type TermsFloor struct {
	Package string  `json:"package,omitempty"`
	Suite   string  `json:"suite,omitempty"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Noise   float64 `json:"noise"` // 0 if the entry only caps the ranks of the pairs
	Capped  bool    `json:"capped,omitempty"`
}

// A Count is a number of benchmarks in a package.
type Count struct {
	Package    string `json:"package"`
	Benchmarks int    `json:"benchmarks"`
}

// A BenchmarkFunc is a benchmark function in a package. In runs by older versions, "*" means any
// package or any function.
type BenchmarkFunc struct {
	Package string `json:"package"`
	Name    string `json:"name"`
}

// SharedTests lists benchmarks in a package that were built with the same test files on both sides.
type SharedTests struct {
	Package string   `json:"package"`
	Of      Side     `json:"of"`               // the side that the test files come from
	Edited  []string `json:"edited,omitempty"` // functions that differ between the sides
	New     []string `json:"new,omitempty"`    // functions that only head has
}

// Starved describes the benchmarks of a target that could not be measured within the time budget of
// a check.
type Starved struct {
	Benchmarks int           `json:"benchmarks"`
	Rounds     int           `json:"rounds"`          // rounds needed before the first verdict is possible
	Setup      time.Duration `json:"setup,omitempty"` // time before the first round, in ns
	Round      time.Duration `json:"round,omitempty"` // estimated duration of a round with all these benchmarks, in ns
}

// Pace states how long a check took to set up and to measure a round.
type Pace struct {
	Setup time.Duration `json:"setup,omitempty"` // time before the first round, in ns
	Round time.Duration `json:"round"`           // duration of the longest round, in ns
}

// normalize sorts the lists that have a canonical order.
func (p *Protocol) normalize() {
	slices.SortStableFunc(p.Methods, compareMethods)
	if p.Family != nil {
		slices.Sort(p.Family.Targets)
	}
}
