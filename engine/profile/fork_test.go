package profile

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFork(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	for range 3 {
		step := p.Scope("Step")
		c.tick(1)
		one, two := p.Fork(), p.Fork()
		a, b := one.Scope("Batch"), two.Scope("Batch")
		c.tick(10)
		inner := two.Fork() // forked from a worker
		loss := inner.Scope("Loss")
		c.tick(5)
		loss.End()
		inner.Close()
		b.End()
		two.Close()
		c.tick(10)
		a.End()
		one.Close()
		wait := p.Scope("Merge")
		c.tick(2)
		wait.End()
		step.End()
	}
	tree := checkOutline(t, prof, `Step 3 84/78/28/28 +120
 Merge 3 6/6/2/2
 Batch 6 120/120/15/25 +15
  Loss 3 15/15/5/5
`)
	if got, want := tree.Busy(), time.Duration(78+6+120+15); got != want {
		t.Errorf("Busy() = %d, want %d", got, want)
	}
	step := p.frames[0].node.children[0]
	if len(step.forks) != 2 || len(step.forks[0].frames[0].node.children) != 1 {
		t.Errorf("%d stacks for 3 times 2 workers, want 2: Close gives them back", len(step.forks))
	}
}

// The order in which workers finish affects neither the stacks of the next step's workers nor the
// order in the tree.
func TestForkOrder(t *testing.T) {
	prof, _ := timing()
	p := prof.Stack()
	for round := range 4 {
		step := p.Scope("Step")
		workers := []*Stack{p.Fork(), p.Fork(), p.Fork()}
		if workers[0] == workers[1] || workers[1] == workers[2] {
			t.Fatal("two workers have the same stack")
		}
		order := []int{0, 1, 2}
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, i := range order {
			workers[i].Scope(fmt.Sprintf("Part%d", i)).End()
			workers[i].Close()
		}
		step.End()
	}
	checkOutline(t, prof, "Step 4 0/0/0/0\n Part0 4 0/0/0/0\n Part1 4 0/0/0/0\n Part2 4 0/0/0/0\n")
	if n := len(p.frames[0].node.children[0].forks); n != 3 {
		t.Errorf("%d stacks, want 3", n)
	}
}

// If a worker finishes while its scope is still forking, its stack is not reused in that scope.
// Otherwise, the stack of the next worker would depend on timing.
func TestForkAfterClose(t *testing.T) {
	prof, _ := timing()
	p := prof.Stack()
	var first []*Stack
	for range 2 {
		step := p.Scope("Step")
		var stacks []*Stack
		for range 3 {
			w := p.Fork()
			stacks = append(stacks, w)
			w.Close()
		}
		step.End()
		if first == nil {
			first = stacks
		}
		if stacks[0] == stacks[1] || !slices.Equal(stacks, first) {
			t.Error("the stack of a worker depends on who was done before")
		}
	}
}

func TestForkAtTop(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	for range 5 {
		w := p.Fork()
		s := w.Scope("Load")
		c.tick(3)
		w.Close() // ends Load
		s.End()
	}
	if one, two := p.Fork(), p.Fork(); one == two {
		t.Error("two workers have the same stack")
	}
	second := prof.Stack()
	second.Scope("Load").End()
	second.Scope("Serve").End()
	checkOutline(t, prof, "Load 6 15/15/0/3\nServe 1 0/0/0/0\n")
	if n := len(p.frames[0].node.forks); n != 2 {
		t.Errorf("%d stacks, want 2, of which the first was given back 5 times", n)
	}
	second.Close()
	if third := prof.Stack(); third != second {
		t.Error("a closed stack is not given out again")
	}
}

// Run this test with -race to check that workers share no unguarded data.
func TestConcurrent(t *testing.T) {
	const rounds, workers, calls = 50, 4, 20
	prof := New(Options{Mode: Timing})
	p := prof.Stack()
	for range rounds {
		func() {
			defer p.Scope("Step").End()
			var wait sync.WaitGroup
			for range workers {
				w := p.Fork()
				wait.Go(func() {
					defer w.Close()
					for range calls {
						func() {
							defer w.Scope("Batch").End()
							defer w.Func().End()
						}()
					}
				})
			}
			defer p.Scope("Wait").End()
			wait.Wait()
		}()
	}
	tree := prof.Tree()
	checkTree(t, tree)
	var got []string
	for _, r := range tree.Rows() {
		got = append(got, fmt.Sprint(r.Path, " ", r.Calls))
	}
	want := []string{"Step 50", "Step/Wait 50", "Step/Batch 4000"}
	// The compiler chooses the name of a closure inside a closure.
	if len(got) != 4 || !slices.Equal(got[:3], want) || !strings.HasPrefix(got[3], "Step/Batch/profile.TestConcurrent.func") {
		t.Errorf("rows %q, want %q and the closure", got, want)
	}
	if n := len(p.frames[0].node.children[0].forks); n != workers {
		t.Errorf("%d stacks for %d workers at a time", n, workers)
	}
}
