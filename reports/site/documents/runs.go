package documents

// Runs is the document that lists all runs, comparisons and profiles.
type Runs struct {
	List        []RunRow        `json:"list"`
	Comparisons []ComparisonRow `json:"comparisons"` // newest first
	Profiles    []ProfileRow    `json:"profiles"`    // newest first
}

// A RunRow is a run in a list.
type RunRow struct {
	ID          string `json:"id"` // the full id
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
	HasValues   bool   `json:"values"` // the site has a Run document for it
}

// A ComparisonRow is a comparison in a list.
type ComparisonRow struct {
	Key     string         `json:"key"`              // name of its document, derived from the id of its trial, or BASE..HEAD
	Trial   bool           `json:"trial"`            // both sides were measured together
	Trials  []string       `json:"trials,omitempty"` // ids of its trials, also used to find it
	Targets []string       `json:"targets"`
	Base    int            `json:"base"` // index of the commit, like Head
	Head    int            `json:"head"`
	Time    int64          `json:"time"`
	Counts  map[string]int `json:"counts"`         // number of rows by verdict: see CountRows; null if not counted
	LeftOut int            `json:"left,omitempty"` // number of reasons why benchmarks were skipped
}

// A ProfileRow is a profile in a list.
type ProfileRow struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // scopes, cpu or alloc
	Target    string `json:"target"`
	Package   string `json:"package,omitempty"`
	Suite     string `json:"suite,omitempty"`
	Benchmark string `json:"benchmark,omitempty"`
	Commit    int    `json:"commit"`
	Base      int    `json:"base"` // commit to compare the profile with, or -1
	// Hash and BaseHash are the hashes of Commit and Base. They are set even for commits without a
	// run (index -1). Hash is "" if the commit is unknown, and BaseHash is "" if the profile has
	// only one side.
	Hash     string `json:"hash"`
	BaseHash string `json:"baseHash,omitempty"`
	Time     int64  `json:"time"`
}

// A Run is the document with the values of one run. The browser can compare two such documents as
// unpaired runs, without verdicts.
type Run struct {
	ID       string      `json:"id"`
	Facts    [][2]string `json:"facts"` // the environment and other facts
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
