package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sorts are functions that leave their first argument in an order in which they find it at
// the next call.
var sorts = map[string]bool{
	"sort.Ints": true, "sort.Strings": true, "sort.Float64s": true, "sort.Slice": true, "sort.SliceStable": true, "sort.Sort": true, "sort.Stable": true,
	"slices.Sort": true, "slices.SortFunc": true, "slices.SortStableFunc": true, "slices.Reverse": true, "slices.Compact": true,
	"math/rand.Shuffle": true, "container/heap.Init": true,
}

// changedInput finds input that the first operation changes and no later one gets back:
// sorting what is sorted already.
func (b *benchmark) changedInput() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			arg, what := b.sorted(call)
			if arg == nil {
				return true
			}
			v := b.pkg.root(arg)
			if v == nil || b.renewed(v, l.body, call) {
				return true
			}
			if within(v.Pos(), l.body) {
				if v = b.aliased(v, l); v == nil || b.renewed(v, l.body, call) {
					return true
				}
			}
			if b.meantInOrder(v, l) {
				return true
			}
			b.report(ChangedInput, call, Likely, what+" works on "+v.Name()+", which the operation before has left in order: only the first one has the input that is meant",
				"a fresh copy for every operation: copy(work, "+v.Name()+")")
			return true
		})
	}
}

// aliased is the slice from outside a loop of which a variable of the loop is another name:
// w := s, w := s[:n], w := append(s[:0], s...). nil if it is none.
func (b *benchmark) aliased(v types.Object, l loop) (outer types.Object) {
	ast.Inspect(l.body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !b.isVariable(a.Lhs[0], v) {
			return true
		}
		e := ast.Unparen(a.Rhs[0])
		if call, ok := e.(*ast.CallExpr); ok && isBuiltin(b.pkg.info, call.Fun, "append") && len(call.Args) == 2 && b.pkg.root(call.Args[0]) == b.pkg.root(call.Args[1]) {
			e = call.Args[0]
		}
		if _, is := typeOf(b.pkg.info, e).Underlying().(*types.Slice); !is {
			return true
		}
		if root := b.pkg.root(e); root != nil && !within(root.Pos(), l.body) {
			outer = root
		}
		return true
	})
	return outer
}

// meantInOrder reports whether a variable is in order before the loop begins, or a name says
// that it is meant to be.
func (b *benchmark) meantInOrder(v types.Object, l loop) (in bool) {
	if strings.Contains(strings.ToLower(b.name), "sorted") {
		return true
	}
	b.inspect(b.body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= l.node.Pos() {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if arg, _ := b.sorted(call); arg != nil && b.pkg.root(arg) == v {
				in = true
			}
		}
		return !in
	})
	return in
}

// sorted is the argument that a call puts in order, and the name of what does: a sort of the
// standard library, or a function of this module whose name says so.
func (b *benchmark) sorted(call *ast.CallExpr) (arg ast.Expr, name string) {
	f := callee(b.pkg.info, call)
	if f == nil || f.Pkg() == nil {
		return nil, ""
	}
	full := f.Origin().FullName()
	if sorts[full] && len(call.Args) > 0 {
		return call.Args[0], f.Pkg().Name() + "." + f.Name()
	}
	d, ours := b.pkg.declared[full]
	for i, arg := range call.Args {
		if ours && b.pkg.sorts(d, d.parameter(i)) {
			return arg, f.Name()
		}
	}
	if ours && len(call.Args) == 1 && b.pkg.info.TypeOf(call) != nil && isVoid(b.pkg.info.TypeOf(call)) && strings.Contains(strings.ToLower(f.Name()), "sort") {
		if _, ok := typeOf(b.pkg.info, call.Args[0]).Underlying().(*types.Slice); ok {
			return call.Args[0], f.Name()
		}
	}
	return nil, ""
}

func isVoid(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && tuple.Len() == 0
}

// renewed reports whether the body of a loop gives a variable new contents: it is assigned to,
// copied into, or something else that may write to it is called before.
func (b *benchmark) renewed(v types.Object, body ast.Node, except *ast.CallExpr) (renewed bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				name, _ := e.(*ast.Ident)
				renewed = renewed || b.pkg.root(e) == v && (name == nil || b.pkg.info.Defs[name] == nil)
			}
		case *ast.CallExpr:
			if n == except {
				return false
			}
			for _, arg := range n.Args {
				if b.pkg.root(arg) == v && !b.readsOnly(n) {
					renewed = true
				}
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && b.pkg.root(s.X) == v {
				renewed = true
			}
		}
		return !renewed
	})
	return renewed
}

// readsOnly reports whether a call leaves its arguments as they are.
func (b *benchmark) readsOnly(call *ast.CallExpr) bool {
	if b.pkg.info.Types[call.Fun].IsType() {
		return true
	}
	for _, name := range []string{"len", "cap", "append"} {
		if isBuiltin(b.pkg.info, call.Fun, name) {
			return true
		}
	}
	switch b.pkg.fullName(call) {
	case "sort.IsSorted", "sort.IntsAreSorted", "slices.IsSorted", "slices.Contains":
		return true
	}
	return false
}

// unseeded finds inputs drawn by the generators that every process seeds anew.
func (b *benchmark) unseeded() {
	done := false
	b.inspect(b.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || done {
			return !done
		}
		f := callee(b.pkg.info, call)
		if f == nil || f.Pkg() == nil || f.Signature().Recv() != nil {
			return true
		}
		path := f.Pkg().Path()
		switch {
		case (path == "math/rand" || path == "math/rand/v2") && !strings.HasPrefix(f.Name(), "New") && f.Name() != "Seed":
			done = true
			b.report(Unseeded, call, Possible, "every process draws other numbers here: two runs, and the two sides of a comparison, measure different inputs",
				"a generator of its own with a fixed seed: rand.New(rand.NewSource(1))")
		case (f.Name() == "NewSource" || f.Name() == "Seed" || f.Name() == "NewPCG") && strings.HasPrefix(path, "math/rand") && b.mentionsClock(call):
			done = true
			b.report(Unseeded, call, Likely, "the clock is the seed: every run measures other inputs", "a fixed seed: rand.NewSource(1)")
		}
		return true
	})
}

func (b *benchmark) mentionsClock(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && b.pkg.fullName(call) == "time.Now" {
			found = true
		}
		return !found
	})
	return found
}

// grows finds what every operation adds to and nothing takes from: a slice that is appended
// to, a map that gets a new key, a buffer that is written to.
func (b *benchmark) grows() {
	for _, l := range b.loops {
		counter := b.counter(l)
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				b.growsByAssignment(n, l, counter)
			case *ast.CallExpr:
				s, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !strings.HasPrefix(s.Sel.Name, "Write") {
					return true
				}
				t := typeOf(b.pkg.info, s.X).String()
				if t != "*bytes.Buffer" && t != "bytes.Buffer" && t != "*strings.Builder" && t != "strings.Builder" {
					return true
				}
				if v := b.pkg.root(s.X); v != nil && !within(v.Pos(), l.body) && !b.emptied(v, l.body) {
					b.report(Grows, n, b.stays(v), v.Name()+" grows with every operation: memory and time depend on how many there are", v.Name()+".Reset() with every operation")
				}
			}
			return true
		})
	}
}

func (b *benchmark) growsByAssignment(a *ast.AssignStmt, l loop, counter types.Object) {
	for i, e := range a.Lhs {
		v := b.pkg.root(e)
		if v == nil || within(v.Pos(), l.body) || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		if index, ok := e.(*ast.IndexExpr); ok {
			_, isMap := typeOf(b.pkg.info, index.X).Underlying().(*types.Map)
			if isMap && counter != nil && b.uses(index.Index, map[types.Object]bool{counter: true}) && !reduced(index.Index) && !b.emptied(v, l.body) {
				b.report(Grows, a, b.stays(v), v.Name()+" gets a key with every operation: it grows with their number", "a fixed set of keys, or a new map every so many operations")
			}
			continue
		}
		call, ok := a.Rhs[i].(*ast.CallExpr)
		if ok && isBuiltin(b.pkg.info, call.Fun, "append") && len(call.Args) > 1 && b.sameVariable(call.Args[0], e) && b.restarts(v, l.body) == 0 {
			b.report(Grows, a, b.stays(v), v.Name()+" grows with every operation: memory and time depend on how many there are", v.Name()+" = "+v.Name()+"[:0] with every operation")
		}
		if a.Tok == token.ADD_ASSIGN && types.Identical(typeOf(b.pkg.info, e).Underlying(), types.Typ[types.String]) {
			b.report(Grows, a, Likely, v.Name()+" gets longer with every operation, and is copied each time", "a string that begins anew with every operation")
		}
	}
}

// stays is how sure it is that growth matters: what outlives the benchmark grows on from
// one call of it to the next.
func (b *benchmark) stays(v types.Object) Confidence {
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return Likely
	}
	return Suspected
}

// sameVariable reports whether two expressions are the same variable or field, not a part of
// it such as x[:0].
func (b *benchmark) sameVariable(x, y ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		y, ok := ast.Unparen(y).(*ast.Ident)
		return ok && b.object(x) == b.object(y)
	case *ast.SelectorExpr:
		y, ok := ast.Unparen(y).(*ast.SelectorExpr)
		return ok && x.Sel.Name == y.Sel.Name && b.pkg.root(x.X) == b.pkg.root(y.X)
	}
	return false
}

// restarts counts the assignments in a body that give a variable something else than what is
// appended to it.
func (b *benchmark) restarts(v types.Object, body ast.Node) (n int) {
	ast.Inspect(body, func(node ast.Node) bool {
		a, ok := node.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Lhs {
			if b.pkg.root(e) != v {
				continue
			}
			if call, ok := a.Rhs[i].(*ast.CallExpr); !ok || !isBuiltin(b.pkg.info, call.Fun, "append") {
				n++
			}
		}
		return true
	})
	return n
}

// reduced reports whether an index is brought back into a range: i % n, i & mask.
func reduced(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && (x.Op == token.REM || x.Op == token.AND) {
			is = true
		}
		return !is
	})
	return is
}

// emptied reports whether a body takes something out of a map or a buffer, or begins it anew.
func (b *benchmark) emptied(v types.Object, body ast.Node) (emptied bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if (isBuiltin(b.pkg.info, n.Fun, "delete") || isBuiltin(b.pkg.info, n.Fun, "clear")) && b.pkg.root(n.Args[0]) == v {
				emptied = true
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && b.pkg.root(s.X) == v && !strings.HasPrefix(s.Sel.Name, "Write") && s.Sel.Name != "Len" && s.Sel.Name != "String" && s.Sel.Name != "Bytes" {
				emptied = true
			}
			for _, arg := range n.Args { // whoever gets it may empty it
				if b.pkg.root(arg) == v && !b.readsOnly(n) {
					emptied = true
				}
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if name, ok := e.(*ast.Ident); ok && b.object(name) == v {
					emptied = true
				}
			}
		}
		return !emptied
	})
	return emptied
}
