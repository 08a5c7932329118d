package site

// A Profile is a tree of calls, of the scopes of an engine's run or of samples of pprof.
type Profile struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"` // scopes, cpu, alloc
	Unit  string `json:"unit"`
	Flame string `json:"flame,omitempty"` // path of its flame graph page in the site
	// Difference is the path of the flame graph of head less base.
	Difference string  `json:"difference,omitempty"`
	Calls      []Call  `json:"calls"` // parents before children
	Total      float64 `json:"total"`
}

// A Call is a place in the tree.
type Call struct {
	Name   string `json:"name"`
	Parent int    `json:"parent"` // place in Calls, -1 for a root
	Count  Number `json:"count"`  // calls
	Total  Number `json:"total"`  // with what it calls
	Self   Number `json:"self"`
	Max    Number `json:"max"` // of one call
	Bytes  Number `json:"bytes"`
	Allocs Number `json:"allocs"`
	Base   Number `json:"base"` // total of the base side, of a difference
}
