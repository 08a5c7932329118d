package site

// A Comparison is two sides: a trial, or runs that were measured apart.
type Comparison struct {
	Key       string           `json:"key"`
	Trial     bool             `json:"trial"` // measured side by side: there are verdicts
	Base      ComparisonSide   `json:"base"`
	Head      ComparisonSide   `json:"head"`
	Alpha     float64          `json:"alpha"`
	Threshold float64          `json:"threshold"`
	Tested    int              `json:"tested"`
	Summary   string           `json:"summary"` // the line that the terminal prints
	Rows      []ComparisonLine `json:"rows"`
	Geomeans  []Geomean        `json:"geomeans"`  // of decided rows, a package and unit
	NotJudged []NotJudged      `json:"notJudged"` // what was not, and why
	Caveats   []string         `json:"caveats"`
	Command   string           `json:"command"` // measures it again, or in a trial
}

// A ComparisonSide is one side.
type ComparisonSide struct {
	Commit int    `json:"commit"`
	Label  string `json:"label"`
	Runs   []int  `json:"runs"`
}

// A ComparisonLine is one unit of a benchmark on both sides.
type ComparisonLine struct {
	Benchmark int         `json:"b"` // -1: not in the index
	Name      string      `json:"name"`
	Package   string      `json:"package"`
	Target    string      `json:"target"`
	Unit      string      `json:"unit"`
	Better    int         `json:"better"`
	Verdict   string      `json:"verdict"`
	Reason    string      `json:"reason,omitempty"`
	Accepted  string      `json:"accepted,omitempty"` // why it was intended
	Exact     bool        `json:"exact,omitempty"`
	Derived   bool        `json:"derived,omitempty"`
	Change    Number      `json:"change"` // of a typical round, a fraction
	Lo        Number      `json:"lo"`     // its interval, at 1-2*alpha
	Hi        Number      `json:"hi"`
	Threshold float64     `json:"threshold"`
	P         Number      `json:"p"` // adjusted
	Rounds    int         `json:"rounds"`
	Base      Number      `json:"baseCenter"`
	Head      Number      `json:"headCenter"`
	Samples   [2][]Number `json:"samples"` // base, head, in the order of rounds; null in a round without
	Notes     []string    `json:"notes,omitempty"`
}

// A Geomean is that of the decided rows of one unit of a package.
type Geomean struct {
	Package string `json:"package"`
	Unit    string `json:"unit"`
	Change  Number `json:"change"`
	Rows    int    `json:"rows"`
}

// A NotJudged is what a comparison leaves out.
type NotJudged struct {
	What string `json:"what"`
	Why  string `json:"why"`
}
