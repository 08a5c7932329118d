package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sorts lists functions that rearrange their first argument, so the second call works on different
// input, such as an already sorted slice.
var sorts = map[string]bool{
	"sort.Ints": true, "sort.Strings": true, "sort.Float64s": true, "sort.Slice": true, "sort.SliceStable": true, "sort.Sort": true, "sort.Stable": true,
	"slices.Sort": true, "slices.SortFunc": true, "slices.SortStableFunc": true, "slices.Reverse": true, "slices.Compact": true,
	"math/rand.Shuffle": true, "container/heap.Init": true,
}

// changedInput finds operations that change their input, so later ones work on different input,
// such as an already sorted slice.
func (b *benchmark) changedInput() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			arg, name := b.sorted(call)
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
			b.report(ChangedInput, call, Likely, name+" works on "+v.Name()+", which the first operation already puts in order: later operations measure different input",
				"a fresh copy for every operation: copy(work, "+v.Name()+")")
			return true
		})
	}
}

// aliased returns the slice s, declared outside the loop, that shares its elements with the loop's
// variable v, as after v := s, v := s[:n] or v := append(s[:0], s...). It returns nil if there is
// none.
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

// meantInOrder reports whether v is sorted before the loop, or whether the benchmark's name
// indicates sorted input.
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

// sorted returns the argument that a call sorts and the name of the called function, or nil and ""
// if it sorts nothing. The function is a sort function of the standard library, or a loaded
// function that calls one or has sort in its name.
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

// renewed reports whether the loop body renews the contents of v by an assignment, a copy, or a
// call other than except that might write to v.
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

// readsOnly reports whether a call is known not to change its arguments.
func (b *benchmark) readsOnly(call *ast.CallExpr) bool {
	if b.pkg.info.Types[call.Fun].IsType() || isBuiltin(b.pkg.info, call.Fun, "len", "cap", "append") {
		return true
	}
	switch b.pkg.fullName(call) {
	case "sort.IsSorted", "sort.IntsAreSorted", "slices.IsSorted", "slices.Contains":
		return true
	}
	return false
}

// unseeded finds input from random generators whose seed differs in every process.
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
			b.report(Unseeded, call, Possible, "every process draws different numbers here, so two runs, or the two sides of a comparison, measure different input",
				"a generator with a fixed seed: rand.New(rand.NewSource(1))")
		case (f.Name() == "NewSource" || f.Name() == "Seed" || f.Name() == "NewPCG") && strings.HasPrefix(path, "math/rand") && b.mentionsClock(call):
			done = true
			b.report(Unseeded, call, Likely, "the clock is the seed, so every run measures different input", "a fixed seed: rand.NewSource(1)")
		}
		return true
	})
}

func (b *benchmark) mentionsClock(n ast.Node) bool {
	return contains(n, func(call *ast.CallExpr) bool { return b.pkg.fullName(call) == "time.Now" })
}
