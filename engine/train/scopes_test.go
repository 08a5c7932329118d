package train

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// The call tree of an epoch contains every stage, under its parent and with its number of calls, on
// any worker. The epoch has a step with four sequences and one with two, each in two shards and
// with two workers.
func TestScopes(t *testing.T) {
	c := tiny
	c.Layers = 1
	prof := profile.New(profile.Options{Mode: profile.Timing})
	trainer := newTrainer(t, transformer.New(c, 1), Options{Batch: 4, Shards: 2, Workers: 2, Optimizer: DefaultAdamW})
	if _, err := trainer.Epoch(prof.Stack(), repeating(6*c.Context+1)); err != nil {
		t.Fatal(err)
	}
	want := `train_epoch 1
  Batch_Processing 2
    train_step 2
      Parallel_Training 2
        Zero_Gradients 4
        Forward_Pass 6
          Embedding 6
          Layer_0 6
            Attention 6
              LayerNorm 6
              QKVProjection 6
              CacheWrite 6
              AttentionHeads 6
              OutputProjection 6
            FeedForward 6
              LayerNorm 6
              UpProjection 6
              GELU 6
              DownProjection 6
          Head 6
            LayerNorm 6
            VocabProjection 6
        Loss_Computation 6
        Backward 6
          Head 6
            VocabProjection 6
            LayerNorm 6
          Layer_0 6
            FeedForward 6
              DownProjection 6
              GELU 6
              UpProjection 6
              LayerNorm 6
            Attention 6
              OutputProjection 6
              AttentionHeads 6
              QKVProjection 6
              LayerNorm 6
          Embedding 6
      Reduce_Gradients 2
      Optimizer 2`
	if got := callTree(prof); got != want {
		t.Errorf("call tree\n%s\nwant\n%s", got, want)
	}
}

func TestMLPScopes(t *testing.T) {
	prof := profile.New(profile.Options{Mode: profile.Timing})
	m := newMLP(t, mlpOptions)
	features, labels := Clusters(1, 32, mlpOptions.In, mlpOptions.Out)
	for range 3 {
		if _, err := m.Step(prof.Stack(), features, labels); err != nil {
			t.Fatal(err)
		}
	}
	want := `train_step 3
  Forward_Pass 3
    InputLayer 3
    GELU 3
    OutputLayer 3
  Loss_Computation 3
  Backward 3
    OutputLayer 3
    GELU 3
    InputLayer 3
  Optimizer 3`
	if got := callTree(prof); got != want {
		t.Errorf("call tree\n%s\nwant\n%s", got, want)
	}
}

// A step with one worker can be profiled for allocations, because it starts no goroutine. Once the
// first step is done, no scope allocates anything.
func TestProfileOfAllocations(t *testing.T) {
	prof := profile.New(profile.Options{Mode: profile.Allocations})
	p := prof.Stack()
	trainer := newTrainer(t, scrambled(tiny, 1), Options{Batch: 4, Workers: 1, Optimizer: DefaultAdamW})
	runtime.GC() // and keep the collector off, because its objects would count
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 3 {
		prof.Reset()
		if _, err := trainer.Step(p, randomBatch(1, tiny, 4, tiny.Context)); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range prof.Tree().All() {
		if n.Objects != 0 {
			t.Errorf("%s: %d objects in %d calls, want 0", n.Name, n.Objects, n.Calls)
		}
	}
}

func callTree(prof *profile.Profiler) string {
	var lines []string
	for depth, n := range prof.Tree().All() {
		lines = append(lines, fmt.Sprintf("%s%s %d", strings.Repeat("  ", depth), n.Name, n.Calls))
	}
	return strings.Join(lines, "\n")
}
