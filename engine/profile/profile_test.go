package profile

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// A ticker is a clock that only moves on request.
type ticker struct{ now time.Duration }

func (c *ticker) tick(d time.Duration) { c.now += d }

func timing() (*Profiler, *ticker) {
	c := &ticker{}
	return New(Options{Mode: Timing, Clock: func() time.Duration { return c.now }}), c
}

// outline formats the tree, one line per node: name calls total/self/min/max, and +forked.
func outline(t *Tree) string {
	var b strings.Builder
	for depth, n := range t.All() {
		fmt.Fprintf(&b, "%s%s %d %d/%d/%d/%d", strings.Repeat(" ", depth), n.Name, n.Calls, n.Total, n.Self, n.Min, n.Max)
		if n.Forked != 0 {
			fmt.Fprintf(&b, " +%d", n.Forked)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func checkOutline(t *testing.T, p *Profiler, want string) *Tree {
	t.Helper()
	tree := p.Tree()
	if got := outline(tree); got != want {
		t.Errorf("tree\n%swant\n%s", got, want)
	}
	checkTree(t, tree)
	return tree
}

// checkTree fails the test if the tree violates an invariant of all trees.
func checkTree(t interface {
	Helper()
	Errorf(string, ...any)
}, tree *Tree) {
	t.Helper()
	var path []string
	seen := map[string]bool{}
	for depth, n := range tree.All() {
		path = append(path[:depth], n.Name)
		if want := strings.Join(path, "/"); n.Path != want || seen[want] {
			t.Errorf("path %s, want %s, once", n.Path, want)
		}
		seen[n.Path] = true
		var inner time.Duration
		for _, c := range n.Children {
			inner += c.Total
		}
		if n.Total != n.Self+inner-n.Forked {
			t.Errorf("%s: total %d is not self %d and children %d less forked %d", n.Path, n.Total, n.Self, inner, n.Forked)
		}
		if n.Calls < 1 || n.Self < 0 || n.SelfBytes < 0 || n.SelfObjects < 0 {
			t.Errorf("%s: %+v", n.Path, n.Stats)
		}
		if n.Min > n.Average() || n.Average() > n.Max {
			t.Errorf("%s: average %d is not between %d and %d", n.Path, n.Average(), n.Min, n.Max)
		}
	}
}

func TestTree(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	for i := range 3 {
		func() {
			defer p.Scope("Inference").End()
			c.tick(1)
			for range 2 {
				func() {
					defer p.Scope("GenerateToken").End()
					c.tick(10)
					func() {
						defer p.Scope("Forward").End()
						c.tick(100 * time.Duration(i+1))
					}()
					func() {
						defer p.Scope("Attention").End()
						c.tick(5)
					}()
				}()
			}
			c.tick(2)
		}()
	}
	tree := checkOutline(t, prof, `Inference 3 1299/9/233/633
 GenerateToken 6 1290/60/115/315
  Forward 6 1200/1200/100/300
  Attention 6 30/30/5/5
`)
	if got := tree.Busy(); got != 1299 {
		t.Errorf("Busy() = %d, want 1299, all that the scope at the top took", got)
	}
	if !tree.Timed || tree.Counted || len(tree.Caveats) > 0 {
		t.Errorf("timed %v, counted %v, caveats %q of a timing pass", tree.Timed, tree.Counted, tree.Caveats)
	}
}

func TestOff(t *testing.T) {
	var none *Profiler
	for _, prof := range []*Profiler{none, New(Options{}), New(Options{Clock: func() time.Duration { panic("read") }})} {
		p := prof.Stack()
		if p != nil || p.Fork() != nil {
			t.Fatalf("stack %v of a profiler that is off", p)
		}
		p.Scope("A").End()
		p.Func().End()
		p.Close()
		prof.Reset()
		if tree := prof.Tree(); len(tree.Scopes) != 0 || len(tree.Rows()) != 0 || len(tree.Methods()) != 0 {
			t.Errorf("tree %+v of a profiler that is off", tree)
		}
	}
	Scope{}.End()
}

// Each depth of a recursion has its own path, and a method's total counts only the outermost calls.
func TestRecursion(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	var visit func(depth int, names ...string)
	visit = func(depth int, names ...string) {
		defer p.Scope(names[depth%len(names)]).End()
		c.tick(1)
		if depth > 0 {
			visit(depth-1, names...)
		}
		c.tick(1)
	}
	visit(2, "Direct")
	visit(1, "Direct")
	visit(3, "Odd", "Even")
	tree := checkOutline(t, prof, `Direct 2 10/4/4/6
 Direct 2 6/4/2/4
  Direct 1 2/2/2/2
Even 1 8/2/8/8
 Odd 1 6/2/6/6
  Even 1 4/2/4/4
   Odd 1 2/2/2/2
`)
	var got strings.Builder
	for _, m := range tree.Methods() {
		fmt.Fprintf(&got, "%s %d %d/%d/%d/%d\n", m.Name, m.Calls, m.Total, m.Self, m.Min, m.Max)
	}
	want := "Direct 5 10/10/2/6\nEven 2 8/4/4/8\nOdd 2 6/4/2/6\n"
	if got.String() != want {
		t.Errorf("methods\n%swant\n%s", &got, want)
	}
}

func TestPanic(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	func() {
		defer func() { _ = recover() }()
		defer p.Scope("Outer").End()
		c.tick(1)
		func() {
			defer p.Scope("Inner").End()
			c.tick(10)
			left := p.Scope("Left") // no defer, so the panic skips its End
			c.tick(100)
			if c.now > 0 {
				panic("no such layer")
			}
			left.End()
		}()
	}()
	p.Scope("Next").End()
	checkOutline(t, prof, `Outer 1 111/1/111/111
 Inner 1 110/10/110/110
  Left 1 100/100/100/100
Next 1 0/0/0/0
`)
}

func TestEndOutOfOrder(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	a := p.Scope("A")
	c.tick(1)
	b := p.Scope("B")
	c.tick(10)
	a.End() // ends B too
	c.tick(100)
	b.End()
	a.End()
	d := p.Scope("D") // as deep as A was
	a.End()
	b.End()
	c.tick(1000)
	e := p.Scope("E") // as deep as B was
	b.End()
	c.tick(1)
	e.End()
	e.End()
	d.End()
	checkOutline(t, prof, `A 1 11/1/11/11
 B 1 10/10/10/10
D 1 1001/1000/1001/1001
 E 1 1/1/1/1
`)
}

// The invariants of a tree hold for any order of opening, ending and forking scopes. If there is
// only one stack, its self times add up to the time in scopes.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prof, c := timing()
		stacks := []*Stack{prof.Stack()}
		forks := rapid.Bool().Draw(t, "forks")
		var scopes []Scope
		outside := time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			d := time.Duration(rapid.IntRange(0, 9).Draw(t, "ticks"))
			if len(stacks[0].frames) == 1 {
				outside += d
			}
			c.tick(d)
			s := rapid.SampledFrom(stacks).Draw(t, "stack")
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1, 2:
				scopes = append(scopes, s.Scope(rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "name")))
			case 3, 4:
				if len(scopes) > 0 {
					rapid.SampledFrom(scopes).Draw(t, "scope").End()
				}
			case 5:
				if forks {
					stacks = append(stacks, s.Fork())
				}
			}
		}
		tree := prof.Tree()
		checkTree(t, tree)
		if !forks && tree.Busy() != c.now-outside {
			t.Errorf("self times are %d, of %d in scopes", tree.Busy(), c.now-outside)
		}
	})
}

func TestOpenScopes(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	p.Scope("A").End()
	a := p.Scope("A")
	c.tick(4)
	b := p.Scope("B")
	c.tick(6)
	want := "A 2 10/4/0/10\n B 1 6/6/6/6\n"
	tree := checkOutline(t, prof, want)
	if len(tree.Caveats) != 1 || !strings.HasSuffix(tree.Caveats[0], "when the profile was read: 2") {
		t.Errorf("caveats %q, want one about 2 open scopes", tree.Caveats)
	}
	checkOutline(t, prof, want) // reading changes nothing
	b.End()
	a.End()
	if tree := checkOutline(t, prof, want); len(tree.Caveats) > 0 {
		t.Errorf("caveats %q, want none", tree.Caveats)
	}
}

func TestReset(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	p.Scope("Warmup").End()
	prof.Reset()
	checkOutline(t, prof, "")

	open := p.Scope("Open")
	worker := p.Fork()
	prof.Reset()
	worker.Scope("Spent").End()
	worker.Fork().Scope("Spent").End()
	scope := p.Scope("Run")
	open.End() // discarded by Reset, so it must not end Run
	c.tick(7)
	scope.End()
	worker.Close()
	again := p.Fork()
	again.Scope("Worker").End()
	checkOutline(t, prof, "Run 1 7/7/7/7\nWorker 1 0/0/0/0\n")
}

func TestManyChildren(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	want := ""
	for range 2 {
		for i := range 3 * manyChildren {
			// Use a new string each time, because only its text counts, not its address.
			scope := p.Scope(fmt.Sprintf("Layer%d", i))
			c.tick(1)
			scope.End()
		}
	}
	for i := range 3 * manyChildren {
		want += fmt.Sprintf("Layer%d 2 2/2/1/1\n", i)
	}
	checkOutline(t, prof, want)
	if n := len(p.frames[0].node.children); n != 3*manyChildren {
		t.Errorf("%d nodes for %d names", n, 3*manyChildren)
	}
}

func TestSteadyStateAllocates(t *testing.T) {
	prof := New(Options{Mode: Timing})
	p := prof.Stack()
	run := func() {
		scoped(p, 1, 3)
		named(p, 1, 3)
		outer := p.Scope("Step")
		w := p.Fork()
		scoped(w, 1, 2)
		w.Close()
		outer.End()
	}
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations in steady state, want 0", n)
	}
	checkTree(t, prof.Tree())
}

// With the system clock and real work, a scope takes as long as the work.
func TestSystemClock(t *testing.T) {
	prof := New(Options{Mode: Timing})
	p := prof.Stack()
	before := time.Now()
	outer := p.Scope("Outer")
	inner := p.Scope("Inner")
	time.Sleep(2 * time.Millisecond)
	inner.End()
	outer.End()
	elapsed := time.Since(before)
	tree := prof.Tree()
	checkTree(t, tree)
	if total := tree.Scopes[0].Total; total < 2*time.Millisecond || total > elapsed {
		t.Errorf("total %v of a sleep of 2ms inside %v", total, elapsed)
	}
}

// The serial number of a scope wraps around after 4 billion, and may then be 0 like the first
// frame's.
func TestSerialWraps(t *testing.T) {
	prof, c := timing()
	p := prof.Stack()
	p.serial = math.MaxUint32
	for range 3 {
		a := p.Scope("A")
		c.tick(1)
		b := p.Scope("B")
		b.End()
		b.End()
		a.End()
	}
	checkOutline(t, prof, "A 3 3/3/1/1\n B 3 0/0/0/0\n")
}
