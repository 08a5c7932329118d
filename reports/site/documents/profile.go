package documents

// A Profile is a document with a tree of calls, which are scopes in a run of the program or samples
// from pprof. It shows where an operation spends time or memory. Only comparisons measure how much
// it spends.
type Profile struct {
	ProfileRow
	// Unit is the unit of Total and of a call's Self, Total and Base: sec (scopes, for the whole
	// run), sec/op or B/op.
	Unit   string       `json:"unit"`
	Flames []FlameGraph `json:"flames,omitempty"`
	// Functions lists the functions or scopes in order of decreasing own cost, at most
	// mostFunctions. The cost of a function includes the runtime's work for it.
	Functions []Function `json:"functions"`
	Calls     []Call     `json:"calls"` // parents before their children, siblings by decreasing Total
	Total     Number     `json:"total"` // total of all roots
	// BaseTotal is the total on the base side, or null if there is no base.
	BaseTotal Number `json:"baseTotal"`
	// Samples is the number of samples on both sides of a sampled profile, or 0 if nothing was
	// sampled.
	Samples int `json:"samples,omitempty"`
	// Notes describe how the profile was taken and what it leaves out.
	Notes []string `json:"notes,omitempty"`
}

// A FlameGraph is an HTML page with a flame graph of a profile, for one side or for the difference.
type FlameGraph struct {
	File string `json:"file"` // file name in the site's folder flame
	Side string `json:"side"` // head, base or difference
	What string `json:"what"` // time, bytes or objects
}

// A Function is the sum over all calls of one function or scope.
type Function struct {
	Name     string `json:"name"`
	Count    Number `json:"count"` // number of calls; null if not counted
	Self     Number `json:"self"`
	Total    Number `json:"total"` // including its callees
	SelfBase Number `json:"selfBase"`
	Bytes    Number `json:"bytes"`  // without its callees; null if not counted
	Allocs   Number `json:"allocs"` // without its callees
}

// A Call is a node in the tree of calls.
type Call struct {
	Name   string `json:"name"`
	Parent int    `json:"parent"` // index in Calls; -1 for a root
	Count  Number `json:"count"`  // number of calls; null if not counted
	Total  Number `json:"total"`  // including its callees
	Self   Number `json:"self"`
	Max    Number `json:"max"` // longest single call
	Bytes  Number `json:"bytes"`
	Allocs Number `json:"allocs"`
	Base   Number `json:"base"` // Total on the base side
}
