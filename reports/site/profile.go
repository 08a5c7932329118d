package site

// A Profile is a tree of calls, of the scopes of a program's run or of samples of pprof. It says
// where the time or the memory of an operation went, which is no measurement of how much: that
// is what comparisons are for.
type Profile struct {
	ProfileRow
	// Unit of Total, Self and Base of a Call: sec (scopes, of the whole run), sec/op or B/op.
	Unit   string       `json:"unit"`
	Flames []FlameGraph `json:"flames,omitempty"`
	// Functions are the functions or scopes by falling own cost, at most mostFunctions. What
	// the runtime does for a function is that function's own.
	Functions []Function `json:"functions"`
	Calls     []Call     `json:"calls"` // parents before children, those of one parent by falling Total
	Total     Number     `json:"total"` // of all roots
	// BaseTotal is Total of the base side, null without one.
	BaseTotal Number `json:"baseTotal"`
	// Samples are how many a sampling profile has, of both sides together; 0 where nothing was sampled.
	Samples int `json:"samples,omitempty"`
	// Notes say how it was taken and what it does not show.
	Notes []string `json:"notes,omitempty"`
}

// A FlameGraph is a page with the flame graph of a profile, of one side or of the difference.
type FlameGraph struct {
	File string `json:"file"` // its name in the folder flame of the site
	Side string `json:"side"` // head, base, difference
	What string `json:"what"` // time, bytes, objects
}

// A Function is all calls of one function, or one scope, whoever made them.
type Function struct {
	Name     string `json:"name"`
	Count    Number `json:"count"` // calls; null where they were not counted
	Self     Number `json:"self"`
	Total    Number `json:"total"` // with what it calls
	SelfBase Number `json:"selfBase"`
	Bytes    Number `json:"bytes"`  // its own; null where they were not counted
	Allocs   Number `json:"allocs"` // its own
}

// A Call is a place in the tree.
type Call struct {
	Name   string `json:"name"`
	Parent int    `json:"parent"` // place in Calls, -1 for a root
	Count  Number `json:"count"`  // calls; null where they were not counted
	Total  Number `json:"total"`  // with what it calls
	Self   Number `json:"self"`
	Max    Number `json:"max"` // of one call
	Bytes  Number `json:"bytes"`
	Allocs Number `json:"allocs"`
	Base   Number `json:"base"` // Total of the base side, of a difference
}
