package transformer

// Activations holds the intermediate results of a pass. The matrices are row-major. A matrix with
// one row per token is valid only up to the number of tokens in the last pass.
type Activations struct {
	Capacity int // the largest number of tokens
	Tokens   []int
	Blocks   []BlockActivations
	Final    []float32 // tokens x Dim: the final norm's output
	Logits   []float32 // tokens x Vocab

	projected []float32 // tokens x Dim: a branch's addition to the residual stream
	heads     heads     // the attention heads being computed
}

// BlockActivations holds the results of one block, in the order of their computation.
// NewActivations gives each result its own storage. Otherwise, results not needed at the same time
// share storage, even across blocks.
type BlockActivations struct {
	Input           []float32 // tokens x Dim: the residual stream
	AttentionNorm   []float32 // tokens x Dim
	QKV             []float32 // tokens x 3*Dim
	Keys            []float32 // Heads x HeadDim x Capacity, copied from QKV, one column per token
	Values          []float32 // Heads x Capacity x HeadDim, copied from QKV
	Weights         []float32 // Heads x Capacity x Capacity: row i has i+1 attention weights
	Mixed           []float32 // tokens x Dim: the results of the heads side by side
	Middle          []float32 // tokens x Dim: the residual stream after attention
	FeedForwardNorm []float32 // tokens x Dim
	Hidden          []float32 // tokens x 4*Dim, before GELU
	Activated       []float32 // tokens x 4*Dim, after GELU
	Output          []float32 // tokens x Dim: the residual stream, the next block's Input

	// headStride is the distance between two heads in Weights, or 0 if each head overwrites the
	// previous one.
	headStride int
}

// NewActivations returns Activations that keep every intermediate result, for passes of
// Model.Record over at most capacity tokens.
func (c Config) NewActivations(capacity int) *Activations {
	a := c.newActivations(capacity, capacity)
	input := make([]float32, capacity*c.Dim)
	for i := range a.Blocks {
		a.Blocks[i] = c.recordingBlock(capacity, input)
		input = a.Blocks[i].Output
	}
	return a
}

// sharedActivations returns Activations whose buffers are used by every block in turn. Only the
// keys and values of each block are kept, along with the final norm and the logits.
func (c Config) sharedActivations(capacity, logitRows int) *Activations {
	a := c.newActivations(capacity, logitRows)
	stream := make([]float32, capacity*c.Dim)
	branch := make([]float32, capacity*c.Dim) // a norm's output, or the output of the heads
	hidden := make([]float32, capacity*c.Hidden())
	shared := BlockActivations{
		Input:           stream,
		AttentionNorm:   branch,
		QKV:             make([]float32, capacity*3*c.Dim),
		Weights:         make([]float32, capacity*capacity),
		Mixed:           branch,
		Middle:          stream,
		FeedForwardNorm: branch,
		Hidden:          hidden,
		Activated:       hidden,
		Output:          stream,
	}
	for i := range a.Blocks {
		a.Blocks[i] = shared
		a.Blocks[i].Keys = make([]float32, capacity*c.Dim)
		a.Blocks[i].Values = make([]float32, capacity*c.Dim)
	}
	return a
}

// separateHeads gives each head its own weights, so that the heads can be computed at the same
// time.
func (a *Activations) separateHeads(n int) {
	stride := a.Capacity * a.Capacity
	if a.Blocks[0].headStride == stride {
		return
	}
	weights := make([]float32, n*stride)
	for i := range a.Blocks {
		a.Blocks[i].Weights, a.Blocks[i].headStride = weights, stride
	}
}

func (c Config) newActivations(capacity, logitRows int) *Activations {
	return &Activations{
		Capacity:  capacity,
		Tokens:    make([]int, 0, capacity),
		Blocks:    make([]BlockActivations, c.Layers),
		Final:     make([]float32, logitRows*c.Dim),
		Logits:    make([]float32, logitRows*c.Vocab),
		projected: make([]float32, capacity*c.Dim),
	}
}

func (c Config) recordingBlock(capacity int, input []float32) BlockActivations {
	rows := func(cols int) []float32 { return make([]float32, capacity*cols) }
	return BlockActivations{
		Input:           input,
		AttentionNorm:   rows(c.Dim),
		QKV:             rows(3 * c.Dim),
		Keys:            rows(c.Dim),
		Values:          rows(c.Dim),
		Weights:         rows(c.Heads * capacity),
		Mixed:           rows(c.Dim),
		Middle:          rows(c.Dim),
		FeedForwardNorm: rows(c.Dim),
		Hidden:          rows(c.Hidden()),
		Activated:       rows(c.Hidden()),
		Output:          rows(c.Dim),
		headStride:      capacity * capacity,
	}
}
