package site

import "github.com/perftrack/perftrack/reports/comparison"

// A Comparison is two sides: a trial, or runs that were measured apart.
type Comparison struct {
	Key          string           `json:"key"`
	Trial        bool             `json:"trial"`             // measured side by side: there are verdicts
	Trials       []string         `json:"trials,omitempty"`  // their ids; several are decided each by itself
	Several      bool             `json:"several,omitempty"` // so are they; else they are one measurement, or its parts
	Base         ComparisonSide   `json:"base"`
	Head         ComparisonSide   `json:"head"`
	Environments []int            `json:"envs"`
	Alpha        float64          `json:"alpha"`
	Threshold    float64          `json:"threshold"` // of the rows that name no other: the largest
	Rules        string           `json:"rules"`     // error rate, thresholds and rows tested, in words
	Legend       []string         `json:"legend,omitempty"`
	Tested       int              `json:"tested"`
	Summary      string           `json:"summary"` // the line that the terminal prints
	Tone         string           `json:"tone"`    // of the summary: good, bad, warn, muted
	Counts       map[string]int   `json:"counts"`  // rows that count, by verdict: see CountRows
	Rows         []ComparisonLine `json:"rows"`
	Geomeans     []Geomean        `json:"geomeans,omitempty"` // a package and unit; none of several trials
	NotJudged    []NotJudged      `json:"notJudged,omitempty"`
	Caveats      []string         `json:"caveats,omitempty"`
	Command      string           `json:"command"` // measures it again, or in a trial

	count comparison.Count
}

// Count is what became of its benchmarks.
func (d *Comparison) Count() comparison.Count { return d.count }

// A ComparisonSide is one side.
type ComparisonSide struct {
	Commit int    `json:"commit"`
	SHA    string `json:"sha,omitempty"` // "" outside a repository, or of several commits
	Label  string `json:"label,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"` // uncommitted changes were measured
	Start  int64  `json:"start"`           // of its first run
	Runs   []int  `json:"runs"`
}

// A ComparisonLine is one unit of a benchmark on both sides.
type ComparisonLine struct {
	Benchmark int    `json:"b"` // -1: not in the index, and only then the four below
	Name      string `json:"name,omitempty"`
	Package   string `json:"package,omitempty"`
	Target    string `json:"target,omitempty"`
	Scope     bool   `json:"scope,omitempty"` // of a profile: the name is a call path
	Of        string `json:"of,omitempty"`    // which of several trials
	Unit      string `json:"unit"`
	Better    int    `json:"better"`
	Verdict   string `json:"verdict"`
	Reason    string `json:"reason,omitempty"`
	Accepted  string `json:"accepted,omitempty"` // why it was intended
	Exact     bool   `json:"exact,omitempty"`
	Derived   bool   `json:"derived,omitempty"`
	With      string `json:"with,omitempty"`    // the row whose change this one shows too: it is not counted again
	Settled   bool   `json:"settled,omitempty"` // decided by another trial: it is not counted
	// Change is of a typical round, a fraction, or a difference in the unit where Absolute is set.
	Change    Number      `json:"change"`
	Lo        Number      `json:"lo"` // its interval, at 1-2*alpha; null where it has no bound
	Hi        Number      `json:"hi"`
	Absolute  bool        `json:"absolute,omitempty"`
	Threshold float64     `json:"threshold,omitempty"` // where it is not that of the comparison
	P         Number      `json:"p"`                   // adjusted
	Rounds    int         `json:"rounds,omitempty"`
	Noise     Number      `json:"noise"` // of a pair, the standard deviation of ln(head / base)
	Base      Number      `json:"baseCenter"`
	Head      Number      `json:"headCenter"`
	N         [2]int      `json:"n"`
	Shown     RowShown    `json:"shown"`
	Samples   [2][]Number `json:"samples"`         // base, head, in the order of rounds; null in a round without, one value where all are the same, none of unchanged rows among very many
	Every     int         `json:"every,omitempty"` // only every so many rounds are in Samples
	Limits    []LimitLine `json:"limits,omitempty"`
	Notes     []string    `json:"notes,omitempty"`
	Explain   string      `json:"explain,omitempty"` // command that says where a change comes from
}

// RowShown are the numbers of a row as the terminal shows them. Of a count that is the same on
// both sides there is the change alone.
type RowShown struct {
	Base     string `json:"base,omitempty"` // center and its interval: 1.718µ ± 1%
	Head     string `json:"head,omitempty"`
	Change   string `json:"change,omitempty"` // +3.1 % [+1.2, +5.0]
	Measured string `json:"measured,omitempty"`
	P        string `json:"p,omitempty"`
	Unpaired string `json:"unpaired,omitempty"` // benchstat's
}

// A LimitLine is a limit of a row, and what became of it.
type LimitLine struct {
	Text   string `json:"text"`
	Result string `json:"result"`
	Missed bool   `json:"missed,omitempty"`
}

// A Geomean is that of the changes of one unit of a package: in a trial of the rows that were
// decided and have a ratio, apart of all that have one.
type Geomean struct {
	Target  string `json:"target"`
	Package string `json:"package"`
	Unit    string `json:"unit"`
	Better  int    `json:"better"`
	Change  Number `json:"change"`
	Rows    int    `json:"rows"` // in it
	Of      int    `json:"of"`   // compared
}

// NotJudged is what a comparison leaves out for one reason.
type NotJudged struct {
	Kind string   `json:"kind"` // same-code, unreached, starved, lost, failed, missing, new, rewritten
	Why  string   `json:"why"`
	What []string `json:"what"`
}
