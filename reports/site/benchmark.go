package site

// A Benchmark is everything of one benchmark.
type Benchmark struct {
	ID    string `json:"id"`
	Lines []Line `json:"lines"`
}

// A Line is one unit in one environment over the runs, the oldest first: columns of the
// same length.
type Line struct {
	Environment int      `json:"env"`
	Branch      string   `json:"branch,omitempty"` // "" is the site's
	Unit        string   `json:"unit"`
	Better      int      `json:"better"`
	Derived     bool     `json:"derived,omitempty"` // it follows from the time, which has the steps
	Commit      []int    `json:"commit"`
	Run         []int    `json:"run"`
	Value       []Number `json:"value"` // center of the run's samples
	Lo          []Number `json:"lo"`    // 95 % interval
	Hi          []Number `json:"hi"`
	N           []int    `json:"n"` // samples
	// Samples of the newest runs, in the order of rounds: those of the last len(Samples) points.
	Samples  [][]Number `json:"samples"`
	Ratio    []Number   `json:"ratio,omitempty"`    // to the baseline build that was measured beside it
	Levelled []int      `json:"levelled,omitempty"` // points whose values are told at the level of the anchor beside them
	Carried  []int      `json:"carried,omitempty"`  // points that were not measured: their machine code was
	Aside    []int      `json:"aside,omitempty"`    // points that may not stand in a history: partial, failed, dirty
	Levels   []Level    `json:"levels"`
	Steps    []Step     `json:"steps"`
	Outliers []Outlier  `json:"outliers"`
	Needs    int        `json:"needs"` // runs that a step takes
	Enough   bool       `json:"enough"`
}

// A Number is one that may be missing: NaN is written as null.
type Number float64

// A Level is a stretch of points without a step.
type Level struct {
	First  int    `json:"first"` // point
	End    int    `json:"end"`   // point after the last
	Center Number `json:"center"`
}

// A Step is where the level changes: after point Last, up to point First.
type Step struct {
	Last   int    `json:"last"`
	First  int    `json:"first"`
	Drift  int    `json:"drift"` // over so many runs, 0 for a step at one place
	From   Number `json:"from"`
	To     Number `json:"to"`
	Change Number `json:"change"`
	Lo     Number `json:"lo"` // 95 % interval of the change
	Hi     Number `json:"hi"`
	// Absolute says that Change, Lo and Hi are differences in the unit, as there is no ratio.
	Absolute bool   `json:"absolute,omitempty"`
	Now      Number `json:"now"`   // from the level before it to the newest one
	State    string `json:"state"` // regressed, improved, changed, accepted, recovered
	Reason   string `json:"reason,omitempty"`
	Bisect   string `json:"bisect,omitempty"` // command that finds the commit
	Accept   string `json:"accept,omitempty"` // command that says it was intended
	Commits  int    `json:"commits"`          // in the range, 0 where unknown
	Found    string `json:"found,omitempty"`  // whole hash of the commit that a bisection found
}

// An Outlier is a point far off its level, and by how much.
type Outlier struct {
	Point  int    `json:"point"`
	Change Number `json:"change"`
	Open   bool   `json:"open"` // the newest: nothing after it says what it is
}
