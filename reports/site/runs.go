package site

// Runs are all runs and what can be opened of them, the newest first.
type Runs struct {
	List        []RunRow        `json:"list"`
	Comparisons []ComparisonRow `json:"comparisons"` // trials, the newest first
	Profiles    []ProfileRow    `json:"profiles"`    // the newest first
}

// A RunRow is a run in a list.
type RunRow struct {
	ID          string `json:"id"` // the whole id
	Target      string `json:"target"`
	Commit      int    `json:"commit"`
	Environment int    `json:"env"`
	Start       int64  `json:"start"`
	End         int64  `json:"end"`
	Status      string `json:"status"`
	Dirty       bool   `json:"dirty,omitempty"`
	Trial       string `json:"trial,omitempty"`
	Side        string `json:"side,omitempty"`
	Benchmarks  int    `json:"benchmarks"`
	Rounds      int    `json:"rounds"`
	HasValues   bool   `json:"values"` // the site has its Run document
}

// A ComparisonRow is a comparison in a list.
type ComparisonRow struct {
	Key     string         `json:"key"`              // names its document: made of the trial's id, or BASE..HEAD
	Trial   bool           `json:"trial"`            // measured side by side
	Trials  []string       `json:"trials,omitempty"` // ids of the trials in it, by which it is found too
	Targets []string       `json:"targets"`
	Base    int            `json:"base"` // commits
	Head    int            `json:"head"`
	Time    int64          `json:"time"`
	Counts  map[string]int `json:"counts"`         // rows by verdict, accepted ones apart: see CountRows; null where nobody counted
	Left    int            `json:"left,omitempty"` // reasons for which something was not judged though it should be
}

// A ProfileRow is a profile in a list.
type ProfileRow struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // scopes, cpu, alloc
	Target    string `json:"target"`
	Package   string `json:"package,omitempty"`
	Suite     string `json:"suite,omitempty"`
	Benchmark string `json:"benchmark,omitempty"`
	Commit    int    `json:"commit"`
	Base      int    `json:"base"` // of a difference, else -1
	// Hash and BaseHash are the hashes of Commit and Base, which may have no run: then they are -1.
	// BaseHash is "" of a profile of one side, Hash of a commit that is not known.
	Hash     string `json:"hash"`
	BaseHash string `json:"baseHash,omitempty"`
	Time     int64  `json:"time"`
}

// A Run is what one run measured. Two of them can be set against each other in the browser,
// as runs that were measured apart: without a verdict.
type Run struct {
	ID       string      `json:"id"`
	Facts    [][2]string `json:"facts"` // environment and what was recorded beside it
	Failures [][2]string `json:"failures"`
	Values   []Value     `json:"values"`
}

// A Value is one unit of a benchmark in a run.
type Value struct {
	Benchmark int    `json:"b"`
	Unit      string `json:"unit"`
	Better    int    `json:"better"`
	Center    Number `json:"center"`
	Lo        Number `json:"lo"`
	Hi        Number `json:"hi"`
	N         int    `json:"n"`
}
