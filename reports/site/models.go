package site

// Models are the models of the engine's suites and its kernels, as the newest run has them.
type Models struct {
	Run     int       `json:"run"` // -1 without one
	Models  []Model   `json:"models"`
	Kernels []Kernel  `json:"kernels"`
	Scaling []Scaling `json:"scaling"`
}

// A Model is one model. Parts are the shares of its forward pass.
type Model struct {
	Name       string  `json:"name"`
	Parameters int     `json:"parameters"`
	Tokens     Number  `json:"tokens"`  // tok/s
	Latency    Number  `json:"latency"` // sec a token
	Bytes      Number  `json:"bytes"`   // B a token
	Allocs     Number  `json:"allocs"`
	Parts      []Share `json:"parts"`
}

// A Share is a part of a whole.
type Share struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// A Kernel is one kernel at one size.
type Kernel struct {
	Name     string `json:"name"`
	Time     Number `json:"time"`
	GFLOPS   Number `json:"gflops"`
	Peak     Number `json:"peak"`     // fraction of the measured peak
	Elements Number `json:"elements"` // a second
}

// A Scaling says how time grows from one model to another: time ratio over parameter
// ratio.
type Scaling struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Parameters Number `json:"parameters"`
	Time       Number `json:"time"`
}
