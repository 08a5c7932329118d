package site

// Regressions are all steps for the worse on the site's branch, the newest first: in force,
// accepted and recovered.
type Regressions struct {
	List []Regression `json:"list"`
	// TooFew counts the lines with too few runs to tell: none found there says nothing.
	TooFew int `json:"tooFew"`
	Lines  int `json:"lines"`
}

// A Regression is one of them.
type Regression struct {
	ID          string `json:"id"` // stable: of benchmark, environment, unit and commit
	Benchmark   int    `json:"b"`
	Environment int    `json:"env"`
	Unit        string `json:"unit"`
	After       int    `json:"after"` // commit
	UpTo        int    `json:"upTo"`  // commit
	Commits     int    `json:"commits"`
	Drift       int    `json:"drift"`
	Change      Number `json:"change"` // then
	Lo          Number `json:"lo"`
	Hi          Number `json:"hi"`
	From        Number `json:"from"`
	To          Number `json:"to"`
	Now         Number `json:"now"`
	State       string `json:"state"` // open, accepted, recovered
	Reason      string `json:"reason,omitempty"`
	Accept      string `json:"accept,omitempty"` // commands
	Bisect      string `json:"bisect,omitempty"`
}
