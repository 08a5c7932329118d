package profile

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

var kept []byte

// allocated formats the tree, one line per path: calls bytes/objects selfbytes/selfobjects.
func allocated(t *Tree) string {
	var b strings.Builder
	for _, r := range t.Rows() {
		fmt.Fprintf(&b, "%s %d %d/%d %d/%d\n", r.Path, r.AllocCalls, r.Bytes, r.Objects, r.SelfBytes, r.SelfObjects)
	}
	return b.String()
}

// exactly fails the test unless one of ten attempts gives exactly the tree want. The counters are
// for the whole process, so goroutines of the runtime can add to them.
func exactly(t *testing.T, want string, attempt func() *Tree) {
	t.Helper()
	var got string
	for range 10 {
		if got = allocated(attempt()); got == want {
			return
		}
	}
	t.Errorf("calls, bytes/objects and self\n%swant\n%s", got, want)
}

func TestAllocations(t *testing.T) {
	exactly(t, `Forward 2 2197504/6 2048/2
Forward/Attention 2 2097152/2 2097152/2
Forward/MLP 2 98304/2 98304/2
`, func() *Tree {
		prof := New(Options{Mode: Allocations})
		p := prof.Stack()
		for range 2 {
			outer := p.Scope("Forward")
			kept = make([]byte, 1<<10)
			scope := p.Scope("Attention")
			kept = make([]byte, 1<<20)
			scope.End()
			scope = p.Scope("MLP")
			kept = make([]byte, 48<<10)
			scope.End()
			outer.End()
		}
		tree := prof.Tree()
		checkTree(t, tree)
		if tree.Timed || !tree.Counted || tree.Busy() != 0 {
			t.Errorf("timed %v, counted %v, busy %v of an allocation pass", tree.Timed, tree.Counted, tree.Busy())
		}
		if len(tree.Caveats) != 1 || !strings.Contains(tree.Caveats[0], "whole process") {
			t.Errorf("caveats %q, want one that says it is of the whole process", tree.Caveats)
		}
		return tree
	})
}

// The profiler's own allocations for a new path do not count as the program's.
func TestAllocationsOfTheProfiler(t *testing.T) {
	exactly(t, `Outer 1 0/0 0/0
Outer/profile.TestAllocationsOfTheProfiler.func1 1 0/0 0/0
Outer/Deep 1 0/0 0/0
Outer/Deep/Deep 1 0/0 0/0
Outer/Worker 1 0/0 0/0
`, func() *Tree {
		prof := New(Options{Mode: Allocations})
		p := prof.Stack()
		outer := p.Scope("Outer")
		p.Func().End()
		p.Scope("Deep")
		p.Scope("Deep").End()
		p.leave(2, p.frames[2].serial)
		w := p.Fork()
		w.Scope("Worker").End()
		w.Close()
		outer.End()
		return prof.Tree()
	})
}

// A worker runs while its parent waits. Its allocations are included in the parent's, but not in
// the parent's self part.
func TestAllocationsOfWorkers(t *testing.T) {
	exactly(t, `Step 1 3072/2 1024/1
Step/Batch 1 2048/1 2048/1
`, func() *Tree {
		prof := New(Options{Mode: Allocations})
		p := prof.Stack()
		scope := p.Scope("Step")
		kept = make([]byte, 1<<10)
		w := p.Fork()
		batch := w.Scope("Batch")
		kept = make([]byte, 2<<10)
		batch.End()
		w.Close()
		scope.End()
		tree := prof.Tree()
		if len(tree.Caveats) != 1 {
			t.Errorf("caveats %q, want one", tree.Caveats)
		}
		return tree
	})
}

func TestAllocationsOverlap(t *testing.T) {
	prof := New(Options{Mode: Allocations})
	p := prof.Stack()
	step := p.Scope("Step")
	var wait sync.WaitGroup
	started, finish := make(chan bool), make(chan bool)
	for range 2 {
		w := p.Fork()
		wait.Go(func() {
			defer w.Close()
			defer w.Scope("Batch").End()
			started <- true
			<-finish
		})
	}
	<-started
	<-started
	close(finish)
	wait.Wait()
	step.End()
	tree := prof.Tree()
	checkTree(t, tree)
	if len(tree.Caveats) != 2 || !strings.Contains(tree.Caveats[1], "with one worker") {
		t.Errorf("caveats %q, want one about two workers at a time", tree.Caveats)
	}
	prof.Reset()
	if got := len(prof.Tree().Caveats); got != 1 {
		t.Errorf("%d caveats after Reset, want 1", got)
	}
}

func TestAddAllocations(t *testing.T) {
	run := func(mode Mode, names ...string) *Tree {
		prof := New(Options{Mode: mode, Clock: func() time.Duration { return 0 }})
		p := prof.Stack()
		for _, name := range names {
			scope := p.Scope(name)
			kept = make([]byte, 1<<20)
			scope.End()
		}
		return prof.Tree()
	}
	tree := run(Timing, "A", "A", "B")
	tree.AddAllocations(run(Allocations, "A", "C", "D"))
	checkTree(t, tree)
	var got strings.Builder
	for _, r := range tree.Rows() {
		fmt.Fprintf(&got, "%s %d %d %d\n", r.Path, r.Calls, r.AllocCalls, r.Bytes>>20)
	}
	if want := "A 2 1 1\nB 1 0 0\n"; got.String() != want {
		t.Errorf("rows\n%swant\n%s", &got, want)
	}
	if !tree.Timed || !tree.Counted || len(tree.Caveats) != 2 || !strings.HasSuffix(tree.Caveats[1], ": 2, the first is C") {
		t.Errorf("timed %v, counted %v, caveats %q", tree.Timed, tree.Counted, tree.Caveats)
	}
}
