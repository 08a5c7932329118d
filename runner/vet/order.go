package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// lateVariable finds sub-benchmarks collected in a loop and run after it. All of them see the last
// value of a variable declared outside the loop.
func (b *benchmark) lateVariable() {
	b.inspect(b.body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return true
		}
		for _, f := range b.collected(body) {
			for _, v := range b.captured(f) {
				if !within(v.Pos(), n) && b.setIn(v, body, f) && !b.assigned(v, f.Body) {
					b.report(LateVariable, f, Likely, "this sub-benchmark runs after the loop, but "+v.Name()+" is shared by all iterations, so all sub-benchmarks measure its last value",
						"a new variable in every iteration: "+v.Name()+" := ...")
				}
			}
		}
		return true
	})
}

// collected returns the sub-benchmarks in a loop body that are not run there.
func (b *benchmark) collected(body *ast.BlockStmt) (found []*ast.FuncLit) {
	run := map[*ast.FuncLit]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isBuiltin(b.pkg.info, n.Fun, "append") {
				return true
			}
			for _, arg := range n.Args {
				if f, ok := arg.(*ast.FuncLit); ok {
					run[f] = true
				}
			}
		case *ast.FuncLit:
			if b.pkg.hasB(n.Type) && !run[n] {
				found = append(found, n)
			}
			return false
		}
		return true
	})
	return found
}

// captured returns the local variables of enclosing functions that f uses.
func (b *benchmark) captured(f *ast.FuncLit) (all []*types.Var) {
	seen := map[*types.Var]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := b.pkg.info.Uses[name].(*types.Var)
		if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !within(v.Pos(), f) && !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
		return true
	})
	return all
}

// setIn reports whether body, excluding the function except, assigns a new value to v. Values
// computed from v itself are ignored, as when counting or appending.
func (b *benchmark) setIn(v types.Object, body *ast.BlockStmt, except *ast.FuncLit) (set bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if n == ast.Node(except) {
			return false
		}
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN {
			for i, e := range a.Lhs {
				if b.isVariable(e, v) && !(len(a.Lhs) == len(a.Rhs) && b.uses(a.Rhs[i], map[types.Object]bool{v: true})) {
					set = true
				}
			}
		}
		return !set
	})
	return set
}

// untimedWait finds calls of x.Wait() after the measured loop while the timer is stopped, if
// operations passed work to x.
func (b *benchmark) untimedWait() {
	for _, l := range b.loops {
		if l.kind == parallelLoop {
			continue
		}
		list := b.following(l.node)
		stands := l.kind == byLoop // b.Loop stops the timer when the loop ends
		for _, s := range list {
			call := callOf(s)
			if call == nil {
				continue
			}
			switch {
			case b.calls(call, "StopTimer"):
				stands = true
			case b.calls(call, "StartTimer"):
				stands = false
			case stands && b.awaits(call, l):
				b.report(UntimedWait, call, Likely, "work started by the operations is awaited here while the timer is stopped, so only part of it or nothing is measured",
					"a wait in the loop or, for a loop over b.N, after the loop and before b.StopTimer()")
			}
		}
	}
}

// following returns the statements that follow s in its block.
func (b *benchmark) following(s ast.Stmt) (list []ast.Stmt) {
	ast.Inspect(b.body, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok {
			for i, other := range block.List {
				if other == s {
					list = block.List[i+1:]
				}
			}
		}
		return list == nil
	})
	return list
}

// awaits reports whether call is v.Wait() for a variable v that the loop uses without waiting.
func (b *benchmark) awaits(call *ast.CallExpr, l loop) (awaits bool) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Wait" {
		return false
	}
	v := b.pkg.root(s.X)
	if v == nil || within(v.Pos(), l.body) {
		return false
	}
	waited := false
	ast.Inspect(l.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if m, ok := call.Fun.(*ast.SelectorExpr); ok && b.pkg.root(m.X) == v {
				if m.Sel.Name == "Wait" {
					waited = true
				} else {
					awaits = true
				}
			}
		}
		return true
	})
	return awaits && !waited
}
