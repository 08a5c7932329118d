package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// grows finds a slice, map or buffer declared outside the loop that every operation adds to and no
// operation empties.
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
					b.report(Grows, n, b.stays(v), v.Name()+" grows with every operation, so memory and time depend on the number of operations", v.Name()+".Reset() in every operation")
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
				b.report(Grows, a, b.stays(v), v.Name()+" gets a new key in every operation, so memory and time depend on the number of operations", "a fixed set of keys, or a new map from time to time")
			}
			continue
		}
		call, ok := a.Rhs[i].(*ast.CallExpr)
		if ok && isBuiltin(b.pkg.info, call.Fun, "append") && len(call.Args) > 1 && b.sameVariable(call.Args[0], e) && b.restarts(v, l.body) == 0 {
			b.report(Grows, a, b.stays(v), v.Name()+" grows with every operation, so memory and time depend on the number of operations", v.Name()+" = "+v.Name()+"[:0] in every operation")
		}
		if a.Tok == token.ADD_ASSIGN && types.Identical(typeOf(b.pkg.info, e).Underlying(), types.Typ[types.String]) {
			b.report(Grows, a, Likely, v.Name()+" gets longer with every operation and is copied each time", "a new string in every operation")
		}
	}
}

// stays returns the confidence that the growth of v matters. It matters more for a package
// variable, which continues to grow in the next call of the benchmark.
func (b *benchmark) stays(v types.Object) Confidence {
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return Likely
	}
	return Suspected
}

// sameVariable reports whether two expressions denote the same variable or field. x[:0] is not the
// same as x.
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

// restarts counts the assignments to v in body that are not of the form v = append(v, ...).
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

// reduced reports whether an index expression is limited to a range, as in i % n or i & mask.
func reduced(e ast.Expr) bool {
	return contains(e, func(x *ast.BinaryExpr) bool { return x.Op == token.REM || x.Op == token.AND })
}

// emptied reports whether body removes something from the map or buffer v, or replaces v.
func (b *benchmark) emptied(v types.Object, body ast.Node) (emptied bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isBuiltin(b.pkg.info, n.Fun, "delete", "clear") && b.pkg.root(n.Args[0]) == v {
				emptied = true
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && b.pkg.root(s.X) == v && !strings.HasPrefix(s.Sel.Name, "Write") && s.Sel.Name != "Len" && s.Sel.Name != "String" && s.Sel.Name != "Bytes" {
				emptied = true
			}
			for _, arg := range n.Args { // the called function might empty it
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
