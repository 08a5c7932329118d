package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// inlined approximates, in syntax nodes, the size of the largest function that the compiler
// inlines. The compiler's own budget is 80 nodes, but of a different tree.
const inlined = 60

// discarded finds inlined calls in a loop over b.N that have no side effects and whose result is
// unused, because the compiler may remove them. In a loop with b.Loop(), the compiler keeps
// results.
func (b *benchmark) discarded() {
	for _, l := range b.loops {
		if l.kind == byLoop {
			continue
		}
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if call, ok := n.X.(*ast.CallExpr); ok {
					b.discardedValue(n, call)
				}
			case *ast.AssignStmt:
				if len(n.Lhs) != len(n.Rhs) {
					return true
				}
				for i, e := range n.Lhs {
					if b.isUnread(e, n) {
						b.discardedValue(n, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}

// isUnread reports whether the target of an assignment is never read: it is the blank identifier,
// or a local variable whose only use is _ = x.
func (b *benchmark) isUnread(e ast.Expr, assignment *ast.AssignStmt) bool {
	name, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if name.Name == "_" {
		return true
	}
	v, ok := b.object(name).(*types.Var)
	if !ok || v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	read := false
	ast.Inspect(b.decl, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && allBlank(a.Lhs) && len(a.Rhs) == 1 && a != assignment {
			if _, ok := a.Rhs[0].(*ast.Ident); ok {
				return false // _ = x does not keep the result
			}
		}
		id, ok := n.(*ast.Ident)
		if ok && b.pkg.info.Uses[id] == v && !b.isTarget(id) {
			read = true
		}
		return !read
	})
	return !read && !b.declaredOutside(v)
}

// declaredOutside reports whether v belongs to an enclosing function, which may read it.
func (b *benchmark) declaredOutside(v *types.Var) bool { return !within(v.Pos(), b.decl) }

// isTarget reports whether id is the target of an assignment.
func (b *benchmark) isTarget(id *ast.Ident) bool {
	return contains(b.decl, func(a *ast.AssignStmt) bool {
		return a.Tok == token.ASSIGN && slices.Contains(a.Lhs, ast.Expr(id))
	})
}

func allBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return !ok || name.Name != "_"
	})
}

func (b *benchmark) discardedValue(at ast.Node, e ast.Expr) {
	p := purity{declared: b.pkg.declared, left: inlined}
	if b.pkg.info.Types[e].Value != nil || !hasWork(e) || !p.pure(b.pkg.info, e) {
		return
	}
	b.report(Discarded, at, Likely, "this result is unused and its computation is inlined, so the compiler may remove it",
		"for b.Loop(), which keeps results, or an assignment of the result to a package variable")
}

// hasWork reports whether an expression computes anything.
func hasWork(e ast.Expr) bool {
	return contains(e, func(n ast.Expr) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.BinaryExpr, *ast.IndexExpr:
			return true
		}
		return false
	})
}

// purity decides whether the compiler may remove a computation whose result is unused. It may if
// the computation is small and writes only to local variables.
type purity struct {
	declared Declarations
	left     int // how many syntax nodes are left in the budget
	depth    int
}

// pure reports whether a node writes only to local variables and calls only pure functions whose
// source is known.
func (p *purity) pure(info *types.Info, n ast.Node) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil || !ok {
			return false
		}
		if p.left--; p.left < 0 {
			ok = false
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = p.pureCall(info, n)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			ok = false // the compiler keeps even an empty loop
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW
		case *ast.IndexExpr:
			ok = !isA[*types.Map](info.TypeOf(n.X)) // the compiler keeps calls into the runtime
		case *ast.BinaryExpr:
			ok = !isA[*types.Interface](info.TypeOf(n.X)) && !isA[*types.Interface](info.TypeOf(n.Y)) && !(n.Op == token.ADD && isString(info.TypeOf(n)))
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				ok = ok && isLocal(info, e)
			}
		case *ast.IncDecStmt:
			ok = isLocal(info, n.X)
		}
		return ok
	})
	return ok
}

func isLocal(info *types.Info, e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if name.Name == "_" || info.Defs[name] != nil {
		return true
	}
	v, ok := info.Uses[name].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

func (p *purity) pureCall(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() { // converting between bytes and strings copies them in the runtime
		return !isA[*types.Slice](info.TypeOf(call)) && !isString(info.TypeOf(call))
	}
	if isBuiltin(info, call.Fun, "len", "cap", "min", "max", "real", "imag", "complex") {
		return true
	}
	f := callee(info, call)
	if f == nil {
		return false
	}
	if f.Pkg() != nil && (f.Pkg().Path() == "math" || f.Pkg().Path() == "math/bits") {
		return true
	}
	d, ok := p.declared[f.Origin().FullName()]
	if !ok || p.depth > 3 || hasPragma(d.FuncDecl) {
		return false
	}
	p.depth++
	defer func() { p.depth-- }()
	return p.pure(d.info, d.Body)
}

// hasPragma reports whether a function has a compiler directive such as go:noinline.
func hasPragma(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}
