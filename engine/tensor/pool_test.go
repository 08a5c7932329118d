package tensor

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

func TestSizeClass(t *testing.T) {
	for _, tc := range []struct{ n, class int }{
		{0, 4}, {1, 4}, {16, 4}, {17, 5}, {32, 5}, {33, 6}, {1 << 20, 20}, {1<<20 + 1, 21},
	} {
		if got := sizeClass(tc.n); got != tc.class {
			t.Errorf("sizeClass(%d) = %d, want %d", tc.n, got, tc.class)
		}
	}
}

func TestPoolReuses(t *testing.T) {
	var pool Pool
	first := pool.Get(4, 5)
	first.Data()[0] = 7
	pool.Put(first)
	again := pool.Get(3, 7, 1) // 21 elements are in the same class as 20
	if again != first {
		t.Fatal("Get did not reuse the tensor that was put back")
	}
	if !slices.Equal(again.Shape(), []int{3, 7, 1}) || again.Len() != 21 {
		t.Errorf("reused tensor has shape %v and %d elements, want [3 7 1] and 21", again.Shape(), again.Len())
	}
	if again.Data()[0] != 7 {
		t.Errorf("Get cleared the elements; only GetZeroed does")
	}
	if other := pool.Get(4, 5); other == first {
		t.Error("Get handed out a tensor in use")
	}
}

// In any order of Get and Put, tensors in use do not share storage, have the requested shape, and
// are zero on request.
func TestPoolProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pool Pool
		var inUse []*Tensor
		var marks []float32
		next := float32(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(inUse) > 0 && rapid.Bool().Draw(t, "put") {
				i := rapid.IntRange(0, len(inUse)-1).Draw(t, "which")
				pool.Put(inUse[i])
				inUse, marks = slices.Delete(inUse, i, i+1), slices.Delete(marks, i, i+1)
			} else {
				shape := rapid.SliceOfN(rapid.IntRange(0, 9), 0, MaxRank).Draw(t, "shape")
				zeroed := rapid.Bool().Draw(t, "zeroed")
				get := pool.Get
				if zeroed {
					get = pool.GetZeroed
				}
				x := get(shape...)
				if !slices.Equal(x.Shape(), shape) {
					t.Fatalf("shape %v, want %v", x.Shape(), shape)
				}
				if zeroed && slices.ContainsFunc(x.Data(), func(v float32) bool { return v != 0 }) {
					t.Fatalf("GetZeroed(%v) = %v", shape, x.Data())
				}
				next++
				for i := range x.Data() {
					x.Data()[i] = next
				}
				inUse, marks = append(inUse, x), append(marks, next)
			}
			for i, x := range inUse {
				if slices.ContainsFunc(x.Data(), func(v float32) bool { return v != marks[i] }) {
					t.Fatalf("tensor %v was overwritten while in use: %v, want all %v", x.Shape(), x.Data(), marks[i])
				}
			}
		}
	})
}

// Run this test with -race. Each goroutine marks its tensors and must find its own marks again.
func TestPoolConcurrent(t *testing.T) {
	var pool Pool
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				x := pool.Get(1 + (g*i)%40)
				for j := range x.Data() {
					x.Data()[j] = float32(g)
				}
				for _, v := range x.Data() {
					if v != float32(g) {
						t.Errorf("goroutine %d found %v in its tensor", g, v)
						return
					}
				}
				pool.Put(x)
			}
		})
	}
	wg.Wait()
}
