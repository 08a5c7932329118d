package transformer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomTokens(seed uint64, n, vocab int) []int {
	rng := rand.New(rand.NewPCG(seed, 9))
	tokens := make([]int, n)
	for i := range tokens {
		tokens[i] = rng.IntN(vocab)
	}
	return tokens
}

func mustForward(t testing.TB, m *Model, tokens []int) []float32 {
	t.Helper()
	logits, err := m.Forward(nil, tokens)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{len(tokens), m.Vocab}; !slices.Equal(logits.Shape(), want) {
		t.Fatalf("logits have the shape %v, want %v", logits.Shape(), want)
	}
	return logits.Data()
}

// The largest error observed is 4.5e-7 of the largest logit.
func TestForwardAgainstReference(t *testing.T) {
	worst := 0.0
	for seed, c := range []Config{
		tiny,
		{Vocab: 7, Context: 5, Dim: 8, Layers: 1, Heads: 1},
		{Vocab: 5, Context: 9, Dim: 6, Layers: 2, Heads: 6},
		{Vocab: 17, Context: 16, Dim: 20, Layers: 2, Heads: 4},
	} {
		m := scrambled(c, uint64(seed))
		ref := newReference(m)
		tokens := randomTokens(uint64(seed), c.Context, c.Vocab)
		got := mustForward(t, m, tokens)
		for i := range tokens {
			want := ref.logits(tokens[:i+1])
			top := math.Max(slices.Max(want), -slices.Min(want))
			for j, w := range want {
				off := math.Abs(float64(got[i*c.Vocab+j])-w) / top
				worst = max(worst, off)
				if !(off <= 1e-5) {
					t.Fatalf("%+v: logit %d of position %d = %g, want %g", c, j, i, got[i*c.Vocab+j], w)
				}
			}
		}
	}
	t.Logf("largest error %.2g of the largest logit", worst)
}

// A token, even one with an embedding of NaN, does not change the logits of earlier positions, but
// it changes those of its own position and of later ones.
func TestCausality(t *testing.T) {
	m := scrambled(tiny, 3)
	broken := m.TokenEmbedding.Data()[12*tiny.Dim:][:tiny.Dim]
	for i := range broken {
		broken[i] = float32(math.NaN())
	}
	tokens := randomTokens(3, tiny.Context, 12)
	before := slices.Clone(mustForward(t, m, tokens))
	for at := range tokens {
		for _, other := range []int{(tokens[at] + 1) % 12, 12} {
			changed := slices.Clone(tokens)
			changed[at] = other
			after := mustForward(t, m, changed)
			if !sameBits(before[:at*tiny.Vocab], after[:at*tiny.Vocab]) {
				t.Errorf("token %d at %d changed the logits of an earlier position", other, at)
			}
			for i := at; i < len(tokens); i++ {
				if sameBits(before[i*tiny.Vocab:][:tiny.Vocab], after[i*tiny.Vocab:][:tiny.Vocab]) {
					t.Errorf("token %d at %d did not change the logits of position %d", other, at, i)
				}
			}
		}
	}
}

// sameBits reports whether x and y are equal bit by bit, so NaN equals NaN with the same bits.
func sameBits(x, y []float32) bool {
	return slices.EqualFunc(x, y, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
}

// Logits do not depend on the number of following positions: Forward over a prefix gives the same
// bits, for any position of a row within a tile or a pair of rows.
func TestForwardOfPrefixes(t *testing.T) {
	m := New(Small, 5)
	tokens := randomTokens(5, Small.Context, Small.Vocab)
	whole := mustForward(t, m, tokens)
	for n := 1; n <= len(tokens); n += 7 {
		if got := mustForward(t, m, tokens[:n]); !sameBits(got, whole[:n*Small.Vocab]) {
			t.Errorf("the logits of %d tokens differ from those of all %d", n, len(tokens))
		}
	}
}

// Recording changes where results are stored, not their values. A recorded pass stores the result
// of every stage, and the next pass overwrites them.
func TestRecord(t *testing.T) {
	m := scrambled(tiny, 4)
	a := m.NewActivations(tiny.Context)
	for _, n := range []int{tiny.Context, 3, 7} {
		tokens := randomTokens(uint64(n), n, tiny.Vocab)
		if err := m.Record(nil, a, tokens); err != nil {
			t.Fatal(err)
		}
		if want := mustForward(t, m, tokens); !sameBits(a.Logits[:n*tiny.Vocab], want) {
			t.Errorf("recorded logits of %d tokens differ from Forward's", n)
		}
		if !slices.Equal(a.Tokens, tokens) {
			t.Errorf("recorded tokens %v, want %v", a.Tokens, tokens)
		}
		for i, b := range a.Blocks {
			checkRecorded(t, tiny, i, b, n)
		}
	}
}

// checkRecorded checks the relations between a block's results that are cheap to compute.
func checkRecorded(t *testing.T, c Config, block int, b BlockActivations, n int) {
	t.Helper()
	for head := range c.Heads {
		for row := range n {
			sum := 0.0
			for _, w := range b.Weights[(head*c.Context+row)*c.Context:][:row+1] {
				sum += float64(w)
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("block %d head %d row %d: attention weights sum to %v", block, head, row, sum)
			}
			width := c.HeadDim()
			keys := make([]float32, width)
			for i := range keys {
				keys[i] = b.Keys[(head*width+i)*c.Context+row]
			}
			if !sameBits(keys, b.QKV[row*3*c.Dim+c.Dim+head*width:][:width]) ||
				!sameBits(b.Values[(head*c.Context+row)*width:][:width], b.QKV[row*3*c.Dim+2*c.Dim+head*width:][:width]) {
				t.Errorf("block %d head %d row %d: keys and values are not those of QKV", block, head, row)
			}
		}
	}
	for name, stage := range map[string][]float32{
		"AttentionNorm": b.AttentionNorm, "Mixed": b.Mixed, "Middle": b.Middle,
		"FeedForwardNorm": b.FeedForwardNorm, "Hidden": b.Hidden, "Activated": b.Activated, "Output": b.Output,
	} {
		rows := len(stage) / c.Context
		if slices.Contains(stage[:n*rows], 0) {
			t.Errorf("block %d: %s holds a zero, something was not written", block, name)
		}
	}
	for i := range n * c.Hidden() {
		if b.Hidden[i] == b.Activated[i] && math.Abs(float64(b.Hidden[i])) < 3 {
			t.Errorf("block %d: the hidden layer was overwritten by its activation", block)
			break
		}
	}
}

func TestForwardErrors(t *testing.T) {
	m := New(tiny, 1)
	a := m.NewActivations(4)
	for _, tc := range []struct {
		tokens          []int
		forward, record string
	}{
		{nil, "no tokens: at least one is needed to continue from", ""},
		{[]int{1, 13}, "token 13 at position 1 is not in the vocabulary of 13", ""},
		{[]int{-1}, "token -1 at position 0 is not in the vocabulary of 13", ""},
		{make([]int, 11), "11 tokens, the context holds 10", ""},
		{make([]int, 5), "", "5 tokens, the activations hold 4"},
	} {
		if tc.record == "" {
			tc.record = tc.forward
		}
		_, err := m.Forward(nil, tc.tokens)
		checkError(t, err, tc.forward, "forward: ")
		checkError(t, m.Record(nil, a, tc.tokens), tc.record, "record: ")
	}
}

func checkError(t *testing.T, err error, want, prefix string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("error %v, want none", err)
	case want != "" && (err == nil || err.Error() != prefix+want):
		t.Errorf("error %v, want %s", err, prefix+want)
	}
}
