package train

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

func newTrainer(t testing.TB, m *transformer.Model, o Options) *Trainer {
	t.Helper()
	trainer, err := NewTrainer(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

func digest(tensors [][]float32) uint64 {
	h := fnv.New64a()
	for _, s := range tensors {
		for _, v := range s {
			bits := math.Float32bits(v)
			h.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
		}
	}
	return h.Sum64()
}

func weightsOf(m *transformer.Model) (tensors [][]float32) {
	for _, p := range m.Parameters() {
		tensors = append(tensors, p.Data())
	}
	return tensors
}

// randomBatch returns n sequences with random lengths of at most length.
func randomBatch(seed uint64, c transformer.Config, n, length int) (batch []Sequence) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for range n {
		s := Sequence{make([]int, 1+rng.IntN(length)), nil}
		for i := range s.Tokens {
			s.Tokens[i] = rng.IntN(c.Vocab)
			s.Targets = append(s.Targets, rng.IntN(c.Vocab))
		}
		batch = append(batch, s)
	}
	return batch
}

// repeating returns a text of n tokens with a period of 11.
func repeating(n int) (text []int) {
	for i := range n {
		text = append(text, []int{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 8}[i%11])
	}
	return text
}

// The loss starts at the value for an untrained model, and ends near 0, because in a repeating text
// only the first tokens of a window are uncertain.
func TestLossFalls(t *testing.T) {
	c := transformer.Config{Vocab: 32, Context: 16, Dim: 24, Layers: 2, Heads: 2}
	o := DefaultAdamW
	o.LearningRate = 3e-3
	trainer := newTrainer(t, transformer.New(c, 1), Options{Batch: 8, Optimizer: o})
	text := repeating(8*16*5 + 1)
	first, err := trainer.Step(nil, trainer.assemble(text, []int{0, 1, 2, 3, 4, 5, 6, 7}))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(first-math.Log(32)) > 0.1 {
		t.Errorf("the first loss is %v, want about ln 32 = %v", first, math.Log(32))
	}
	var last Epoch
	for range 20 {
		if last, err = trainer.Epoch(nil, text); err != nil {
			t.Fatal(err)
		}
	}
	if last.Loss > 0.15 {
		t.Errorf("the loss of the last epoch is %v, want below 0.15", last.Loss)
	}
	if want := (Epoch{last.Loss, 5, 40, 640}); last != want {
		t.Errorf("epoch %+v, want %+v", last, want)
	}
	if trainer.Steps() != 101 || trainer.Samples() != 808 || trainer.Tokens() != 12928 {
		t.Errorf("%d steps, %d samples, %d tokens, want 101, 808, 12928", trainer.Steps(), trainer.Samples(), trainer.Tokens())
	}
}

// A model generates a text it has learned by heart, because training and generation use the same
// weights.
func TestOverfitAndGenerate(t *testing.T) {
	c := transformer.Config{Vocab: 128, Context: 48, Dim: 32, Layers: 2, Heads: 4}
	m := transformer.New(c, 1)
	o := DefaultAdamW
	o.LearningRate = 3e-3
	trainer := newTrainer(t, m, Options{Batch: 1, Optimizer: o})
	var text []int
	for _, b := range []byte("The step that got slower is in the third commit.") {
		text = append(text, int(b))
	}
	batch := []Sequence{{text[:len(text)-1], text[1:]}}
	loss := math.Inf(1)
	for range 150 {
		var err error
		if loss, err = trainer.Step(nil, batch); err != nil {
			t.Fatal(err)
		}
	}
	if loss > 0.05 {
		t.Errorf("loss %v after 150 steps, want below 0.05", loss)
	}
	got, err := m.NewSession().Generate(nil, text[:1], len(text)-1, transformer.NewSampler(0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, text[1:]) {
		t.Errorf("generated %v, want %v", got, text[1:])
	}
}

// run takes a step on each of seven batches, with 1 to 7 sequences, and returns the bits of the
// losses and the digest of the weights.
func run(t *testing.T, o Options) (losses []uint64, weights uint64) {
	t.Helper()
	m := scrambled(tiny, 1)
	trainer := newTrainer(t, m, o)
	for i := range uint64(7) {
		loss, err := trainer.Step(nil, randomBatch(i, tiny, 1+int(i), tiny.Context))
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, math.Float64bits(loss))
	}
	return losses, digest(weightsOf(m))
}

// The numbers of processors and workers do not change a single bit of the result.
func TestSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	options := Options{Batch: 7, Shards: 5, Optimizer: DefaultAdamW}
	runtime.GOMAXPROCS(1)
	wantLosses, wantWeights := run(t, options)
	for _, tc := range []struct{ processors, workers int }{{1, 0}, {4, 0}, {4, 0}, {2, 3}, {4, 5}, {4, 100}, {4, 1}} {
		runtime.GOMAXPROCS(tc.processors)
		options.Workers = tc.workers
		losses, weights := run(t, options)
		if !slices.Equal(losses, wantLosses) || weights != wantWeights {
			t.Errorf("%d processors, %d workers: losses %x and weights %#x, want %x and %#x",
				tc.processors, tc.workers, losses, weights, wantLosses, wantWeights)
		}
	}
}

// The order of the shards does not change a single bit either.
func TestSameBitsInAnyOrderOfShards(t *testing.T) {
	batch := randomBatch(1, tiny, 6, tiny.Context)
	var want uint64
	for i, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		m := scrambled(tiny, 1)
		trainer := newTrainer(t, m, Options{Batch: 6, Shards: 4, Optimizer: DefaultAdamW})
		for range 3 {
			trainer.begin(batch)
			for _, s := range order {
				trainer.compute(nil, s)
			}
			if _, err := trainer.loss(); err != nil {
				t.Fatal(err)
			}
			trainer.reduce(nil)
			trainer.optimize(nil)
		}
		if i == 0 {
			want = digest(weightsOf(m))
		}
		if got := digest(weightsOf(m)); got != want {
			t.Errorf("shards in the order %v give weights %#x, in order %#x", order, got, want)
		}
	}
}

// The number of shards only changes the order of the sums.
func TestShardsAddUp(t *testing.T) {
	batch := randomBatch(1, tiny, 7, tiny.Context)
	whole, wholeGrads := computeGradients(t, scrambled(tiny, 1), batch)
	for shards := 1; shards <= 7; shards++ {
		trainer := newTrainer(t, scrambled(tiny, 1), Options{Batch: 7, Shards: shards, Optimizer: DefaultAdamW})
		loss, err := trainer.Step(nil, batch)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(loss-whole) > 1e-12 {
			t.Errorf("%d shards: loss %v, in one %v", shards, loss, whole)
		}
		for j, sum := range trainer.shards[0].grads.parameters {
			for i, v := range sum {
				if math.Abs(float64(v-wholeGrads.parameters[j][i])) > 1e-6 {
					t.Fatalf("%d shards: gradient %d,%d is %v, in one %v", shards, j, i, v, wholeGrads.parameters[j][i])
				}
			}
		}
	}
}

// The same seed gives the same epochs, and another seed gives another order.
func TestSeedOfEpochs(t *testing.T) {
	text := make([]int, 300)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range text {
		text[i] = rng.IntN(tiny.Vocab)
	}
	epochs := func(seed uint64) (losses [2]uint64) {
		trainer := newTrainer(t, transformer.New(tiny, 1), Options{Batch: 4, Seed: seed, Optimizer: DefaultAdamW})
		for i := range losses {
			done, err := trainer.Epoch(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			losses[i] = math.Float64bits(done.Loss)
		}
		return losses
	}
	first := epochs(1)
	if again := epochs(1); again != first {
		t.Errorf("losses %x with the same seed, first %x", again, first)
	}
	if other := epochs(2); other == first {
		t.Errorf("another seed gives the same losses %x", other)
	}
}

// An epoch uses every whole window once, with its targets.
func TestEpochCoversTheText(t *testing.T) {
	trainer := newTrainer(t, transformer.New(tiny, 1), Options{Batch: 4, Length: 3, Optimizer: DefaultAdamW})
	text := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} // four windows; 12 is only a target
	trainer.shuffle(4)
	seen := map[int]int{}
	for _, s := range trainer.assemble(text, trainer.order) {
		for i, token := range s.Tokens {
			seen[token]++
			if s.Targets[i] != token+1 {
				t.Errorf("the target of %d is %d", token, s.Targets[i])
			}
		}
	}
	for token := range 12 {
		if seen[token] != 1 {
			t.Errorf("token %d was seen %d times", token, seen[token])
		}
	}
	for _, tc := range []struct{ tokens, steps, samples int }{{4, 1, 1}, {12, 1, 3}, {13, 1, 4}, {16, 2, 5}} {
		done, err := trainer.Epoch(nil, make([]int, tc.tokens))
		if err != nil || done.Steps != tc.steps || done.Samples != tc.samples || done.Tokens != 3*tc.samples {
			t.Errorf("%d tokens: %+v, %v, want %d steps of %d samples", tc.tokens, done, err, tc.steps, tc.samples)
		}
	}
}

func TestBadInput(t *testing.T) {
	one := Sequence{[]int{1}, []int{2}}
	long := make([]int, 11)
	m := scrambled(tiny, 1)
	trainer := newTrainer(t, m, Options{Batch: 2, Length: 9, Optimizer: DefaultAdamW})
	before := digest(weightsOf(m))
	for _, tc := range []struct {
		batch []Sequence
		want  string
	}{
		{nil, "train step 1: the batch is empty: a step needs at least one window"},
		{[]Sequence{one, one, one}, "train step 1: 3 sequences, the trainer was made for a batch of 2"},
		{[]Sequence{one, {}}, "train step 1: sequence 1: no tokens"},
		{[]Sequence{{long, long}}, "train step 1: sequence 0: 11 tokens, the model's context holds 10"},
		{[]Sequence{{long[:10], long[:10]}}, "train step 1: sequence 0: 10 tokens, the trainer was made for a length of 9"},
		{[]Sequence{{[]int{1, 2}, []int{2}}}, "train step 1: sequence 0: 1 targets for 2 tokens"},
		{[]Sequence{one, {[]int{1, 13}, []int{1, 2}}}, "train step 1: sequence 1: token 13 at position 1 is not in the vocabulary of 13"},
		{[]Sequence{{[]int{1}, []int{-1}}}, "train step 1: sequence 0: target -1 at position 0 is not in the vocabulary of 13"},
	} {
		if _, err := trainer.Step(nil, tc.batch); err == nil || err.Error() != tc.want {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	for _, tc := range []struct {
		text []int
		want string
	}{
		{long[:9], "train epoch: the text has 9 tokens, a window of length 9 and its last target need 10"},
		{append(long[:9:9], 77), "train epoch: token 77 at position 9 is not in the vocabulary of 13"},
	} {
		if _, err := trainer.Epoch(nil, tc.text); err == nil || err.Error() != tc.want {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	if digest(weightsOf(m)) != before || trainer.Steps() != 0 || trainer.Samples() != 0 {
		t.Error("a step that was refused changed something")
	}
}

func TestBadOptions(t *testing.T) {
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Optimizer: DefaultAdamW}, "trainer options: batch is 0, want 1 sequence or more"},
		{Options{Batch: 1, Length: 11, Optimizer: DefaultAdamW}, "trainer options: length is 11, want 1 to the model's context of 10"},
		{Options{Batch: 1, Length: -1, Optimizer: DefaultAdamW}, "trainer options: length is -1, want 1 to the model's context of 10"},
		{Options{Batch: 2, Shards: 3, Optimizer: DefaultAdamW}, "trainer options: shards is 3, want 1 to the batch of 2"},
		{Options{Batch: 2, Shards: -1, Optimizer: DefaultAdamW}, "trainer options: shards is -1, want 1 to the batch of 2"},
		{Options{Batch: 2, Workers: -1, Optimizer: DefaultAdamW}, "trainer options: workers is -1, want 0 (as many as processors) or more"},
		{Options{Batch: 2}, "trainer options: learning rate is 0, want a number above 0, such as DefaultAdamW's 0.001"},
	} {
		if _, err := NewTrainer(scrambled(tiny, 1), tc.options); err == nil || err.Error() != tc.want {
			t.Errorf("%+v: %v, want %s", tc.options, err, tc.want)
		}
	}
}

// If the loss is not finite, the error names the step, and the weights do not change.
func TestLossNotFinite(t *testing.T) {
	m := scrambled(tiny, 1)
	trainer := newTrainer(t, m, Options{Batch: 2, Optimizer: DefaultAdamW})
	if _, err := trainer.Step(nil, tinyBatch); err != nil {
		t.Fatal(err)
	}
	m.Blocks[1].Up.Bias.Data()[3] = float32(math.NaN())
	before := digest(weightsOf(m))
	loss, err := trainer.Step(nil, tinyBatch)
	want := "train step 2: the loss is NaN: the weights have diverged, start again with a learning rate below 0.001"
	if err == nil || err.Error() != want || !math.IsNaN(loss) {
		t.Errorf("loss %v, %v, want NaN, %s", loss, err, want)
	}
	if digest(weightsOf(m)) != before || trainer.Steps() != 1 {
		t.Error("the step changed the weights")
	}
	if done, err := trainer.Epoch(nil, make([]int, 11)); err == nil || err.Error() != want || done != (Epoch{}) {
		t.Errorf("epoch %+v, %v", done, err)
	}
}

// A step allocates nothing, even with several goroutines and whether or not a profile is recorded.
func TestStepAllocatesNothing(t *testing.T) {
	for _, watched := range []bool{false, true} {
		var p *profile.Stack
		if watched {
			p = profile.New(profile.Options{Mode: profile.Timing}).Stack()
		}
		trainer := newTrainer(t, scrambled(tiny, 1), Options{Batch: 4, Workers: 3, Optimizer: DefaultAdamW})
		batch := randomBatch(1, tiny, 4, tiny.Context)
		text := repeating(4*tiny.Context + 1)
		step := func() {
			if _, err := trainer.Step(p, batch); err != nil {
				t.Fatal(err)
			}
			if _, err := trainer.Epoch(p, text); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			step() // until the runtime has its goroutines and the profile its stacks
		}
		// If the machine is busy, the runtime may start its own goroutines during a step. A step
		// that allocates always allocates, so the test takes the minimum.
		got := testing.AllocsPerRun(20, step)
		for range 4 {
			got = min(got, testing.AllocsPerRun(20, step))
		}
		if got != 0 {
			t.Errorf("watched %v: %v allocations a step, want 0", watched, got)
		}
	}
}
