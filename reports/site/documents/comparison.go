package documents

import "github.com/perftrack/perftrack/compare/digest"

// A Comparison is the document comparing two sides: either the sides of a trial or unpaired runs.
type Comparison struct {
	Key          string           `json:"key"`
	Trial        bool             `json:"trial"`             // both sides were measured together, so rows have verdicts
	Trials       []string         `json:"trials,omitempty"`  // ids of the trials
	Several      bool             `json:"several,omitempty"` // each trial is decided separately; otherwise the trials are one measurement or its parts
	Base         ComparisonSide   `json:"base"`
	Head         ComparisonSide   `json:"head"`
	Environments []int            `json:"envs"`
	Alpha        float64          `json:"alpha"`
	Threshold    float64          `json:"threshold"` // the largest threshold, which applies to rows without a Threshold
	Rules        string           `json:"rules"`     // describes the error rate, the thresholds and the tested rows
	Legend       []string         `json:"legend,omitempty"`
	Tested       int              `json:"tested"`
	Summary      string           `json:"summary"` // the summary that the terminal shows
	Tone         string           `json:"tone"`    // tone of the summary: good, bad, warn or muted
	Counts       map[string]int   `json:"counts"`  // number of rows by verdict: see CountRows
	Rows         []ComparisonLine `json:"rows"`
	Trimmed      bool             `json:"trimmed,omitempty"`  // unchanged rows have no samples, because there are very many rows
	Geomeans     []Geomean        `json:"geomeans,omitempty"` // by package and unit; empty if there are several trials
	LeftOut      []LeftOut        `json:"notJudged,omitempty"`
	Caveats      []string         `json:"caveats,omitempty"`
	Command      string           `json:"command"` // command to measure the sides again, or to measure unpaired runs as a trial

	digest *digest.Digest
}

// Digest returns the digest that Counts is computed from.
func (d *Comparison) Digest() *digest.Digest { return d.digest }

// A ComparisonSide is one side of a comparison.
type ComparisonSide struct {
	Commit int    `json:"commit"`
	SHA    string `json:"sha,omitempty"` // "" outside a repository or if there are several commits
	Label  string `json:"label,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"` // uncommitted changes were measured
	Start  int64  `json:"start"`           // start of the first run
	Runs   []int  `json:"runs"`
}

// A ComparisonLine compares one unit of a benchmark on both sides.
type ComparisonLine struct {
	Benchmark int    `json:"b"` // -1 if not in the index; the next three fields name it then
	Name      string `json:"name,omitempty"`
	Package   string `json:"package,omitempty"`
	Target    string `json:"target,omitempty"`
	Scope     bool   `json:"scope,omitempty"` // scope of a profile; its name is a call path
	Of        string `json:"of,omitempty"`    // the trial, if there are several
	Unit      string `json:"unit"`
	Better    int    `json:"better"`
	Verdict   string `json:"verdict"`
	Reason    string `json:"reason,omitempty"`
	Accepted  string `json:"accepted,omitempty"` // why the change was accepted
	Exact     bool   `json:"exact,omitempty"`
	Derived   bool   `json:"derived,omitempty"`
	With      string `json:"with,omitempty"`    // row whose change this row repeats, so that this row is not counted
	Settled   bool   `json:"settled,omitempty"` // decided by another trial and therefore not counted
	// Change is the change of a typical round, as a fraction. If Absolute is set, it is a
	// difference in the unit.
	Change    Number      `json:"change"`
	Lo        Number      `json:"lo"` // bounds of the interval at the level 1-2*alpha; null means no bound
	Hi        Number      `json:"hi"`
	Absolute  bool        `json:"absolute,omitempty"`
	Threshold float64     `json:"threshold,omitempty"` // set only if it differs from the comparison's Threshold
	P         Number      `json:"p"`                   // adjusted p-value
	Rounds    int         `json:"rounds,omitempty"`
	Noise     Number      `json:"noise"` // noise of a pair: the standard deviation of ln(head / base)
	Base      Number      `json:"baseCenter"`
	Head      Number      `json:"headCenter"`
	N         [2]int      `json:"n"`
	Shown     RowShown    `json:"shown"`
	Samples   [2]Numbers  `json:"samples"`         // base and head, in the order of rounds; null for a missing round, a single value if all are equal
	Every     int         `json:"every,omitempty"` // n if Samples has only every n-th round
	Limits    []LimitLine `json:"limits,omitempty"`
	Notes     []string    `json:"notes,omitempty"`
	Explain   string      `json:"explain,omitempty"` // command to explain the change
}

// RowShown holds the numbers of a row as the terminal shows them. If a count is equal on both
// sides, only Change is set.
type RowShown struct {
	Base     string `json:"base,omitempty"` // center and interval, such as 1.718µ ± 1%
	Head     string `json:"head,omitempty"`
	Change   string `json:"change,omitempty"` // such as +3.1 % [+1.2, +5.0]
	Measured string `json:"measured,omitempty"`
	P        string `json:"p,omitempty"`
	Unpaired string `json:"unpaired,omitempty"` // result of benchstat's unpaired test
}

// A LimitLine is a limit on a row's value and the result.
type LimitLine struct {
	Text   string `json:"text"`
	Result string `json:"result"`
	Missed bool   `json:"missed,omitempty"`
}

// A Geomean is the geometric mean of the changes in one unit of a package. Only rows with a ratio
// are included, and in a trial only decided ones.
type Geomean struct {
	Target  string `json:"target"`
	Package string `json:"package"`
	Unit    string `json:"unit"`
	Better  int    `json:"better"`
	Change  Number `json:"change"`
	Rows    int    `json:"rows"` // rows included in the mean
	Of      int    `json:"of"`   // rows compared
}

// LeftOut lists items without a verdict, all for the same reason.
type LeftOut struct {
	Kind string   `json:"kind"` // same-code, unreached, starved, lost, failed, missing, new or rewritten
	Why  string   `json:"why"`
	What []string `json:"what"`
}
