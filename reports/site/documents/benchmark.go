package documents

// A Benchmark is the document with the history of one benchmark.
type Benchmark struct {
	ID    string `json:"id"`
	Lines []Line `json:"lines"`
}

// A Line holds the points of one unit in one environment, oldest run first. All columns have the
// same length, except where noted.
type Line struct {
	Environment int     `json:"env"`
	Branch      string  `json:"branch,omitempty"` // "" for the site's branch
	Unit        string  `json:"unit"`
	Better      int     `json:"better"`
	Derived     bool    `json:"derived,omitempty"` // the unit follows from the time, so only the time has steps
	Commit      []int   `json:"commit"`
	Run         []int   `json:"run"`
	Value       Numbers `json:"value"` // center of each run's samples
	Lo          Numbers `json:"lo"`    // 95 % interval
	Hi          Numbers `json:"hi"`
	N           []int   `json:"n"` // number of samples
	// Samples lists the samples of each run in the order of rounds, but only for the newest runs:
	// those of the last len(Samples) points.
	Samples  []Numbers `json:"samples"`
	Ratio    Numbers   `json:"ratio,omitempty"`    // ratio to the baseline build (anchor) measured next to the point
	Levelled []int     `json:"levelled,omitempty"` // points whose values were moved to the level of their anchor
	Carried  []int     `json:"carried,omitempty"`  // points taken from another commit with the same machine code
	Aside    []int     `json:"aside,omitempty"`    // points excluded from the history: partial, failed or dirty runs
	Levels   []Level   `json:"levels"`
	Steps    []Step    `json:"steps"`
	Outliers []Outlier `json:"outliers"`
	Needs    int       `json:"needs"` // number of runs needed to find a step
	Enough   bool      `json:"enough"`
}

// A Number is a float64, written to JSON as null if it is NaN or infinite.
type Number float64

// Numbers are written to JSON as an array, or as null if the slice is nil.
type Numbers []Number

// A Level is a range of points with no step between them.
type Level struct {
	First  int    `json:"first"` // first point
	End    int    `json:"end"`   // point after the last one
	Center Number `json:"center"`
}

// A Step is a change of the level. Last is the last point before it, and First is the first point
// after it.
type Step struct {
	Last   int    `json:"last"`
	First  int    `json:"first"`
	Drift  int    `json:"drift"` // number of runs over which the change happened; 0 for a step between two runs
	From   Number `json:"from"`
	To     Number `json:"to"`
	Change Number `json:"change"`
	Lo     Number `json:"lo"` // 95 % interval of the change
	Hi     Number `json:"hi"`
	// Absolute is set if Change, Lo and Hi are differences in the unit, because there is no ratio.
	Absolute bool   `json:"absolute,omitempty"`
	Now      Number `json:"now"`   // change from the level before the step to the newest level
	State    string `json:"state"` // regressed, improved, changed, accepted or recovered
	Reason   string `json:"reason,omitempty"`
	Bisect   string `json:"bisect,omitempty"` // command to find the commit
	Accept   string `json:"accept,omitempty"` // command to accept the step
	Commits  int    `json:"commits"`          // number of commits in the range; 0 if unknown
	Found    string `json:"found,omitempty"`  // full hash of the commit found by a bisection
}

// An Outlier is a point far away from its level.
type Outlier struct {
	Point  int    `json:"point"`
	Change Number `json:"change"`
	Open   bool   `json:"open"` // it is the newest point, so it may begin a new level
}
