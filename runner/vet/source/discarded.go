package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// inlined is about the largest function that the compiler copies into its caller, in nodes of
// its syntax (its own budget is 80 nodes of another tree).
const inlined = 60

// discarded finds, in a loop over b.N, a result that nobody reads of a call that the
// compiler copies into the loop and that changes nothing: it may leave the work out. Within a
// loop by b.Loop() it keeps the results.
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

// isUnread reports whether what is assigned is not read: the blank identifier, or a local
// variable that is only assigned to, or read into the blank identifier.
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
				return false // _ = x keeps nothing
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

// declaredOutside reports whether a variable belongs to a function around this one, which may
// read it.
func (b *benchmark) declaredOutside(v *types.Var) bool { return !within(v.Pos(), b.decl) }

// isTarget reports whether a use of a variable is that it is assigned to.
func (b *benchmark) isTarget(id *ast.Ident) (is bool) {
	ast.Inspect(b.decl, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, e := range a.Lhs {
				is = is || e == ast.Expr(id)
			}
		}
		return !is
	})
	return is
}

func allBlank(list []ast.Expr) bool {
	for _, e := range list {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

func (b *benchmark) discardedValue(at ast.Node, e ast.Expr) {
	p := purity{declared: b.pkg.declared, left: inlined}
	if b.pkg.info.Types[e].Value != nil || !hasWork(e) || !p.pure(b.pkg.info, e) {
		return
	}
	b.report(Discarded, at, Likely, "nobody reads this result, and the compiler copies what computes it into the loop: it may leave the work out",
		"for b.Loop(), which keeps results, or a package variable that the result is put into")
}

// hasWork reports whether an expression computes anything.
func hasWork(e ast.Expr) (work bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.BinaryExpr, *ast.IndexExpr:
			work = true
		}
		return !work
	})
	return work
}

// purity tells whether the compiler may leave out a computation of which nobody reads the
// result: nothing in it is written but its own variables, and it is small.
type purity struct {
	declared declarations
	left     int // nodes of the budget
	depth    int
}

// pure reports whether a node neither writes anything that outlives it nor calls what cannot
// be looked into.
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
			ok = false // a loop stays, even an empty one
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW
		case *ast.IndexExpr:
			ok = !isA[*types.Map](info.TypeOf(n.X)) // the runtime's work, which stays
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
	if info.Types[call.Fun].IsType() { // bytes and strings are copied by the runtime
		return !isA[*types.Slice](info.TypeOf(call)) && !isString(info.TypeOf(call))
	}
	for _, name := range []string{"len", "cap", "min", "max", "real", "imag", "complex"} {
		if isBuiltin(info, call.Fun, name) {
			return true
		}
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

func isA[T types.Type](t types.Type) bool {
	if t == nil {
		return false
	}
	_, is := t.Underlying().(T)
	return is
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// hasPragma reports whether a function carries a directive of the compiler, as go:noinline.
func hasPragma(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			return true
		}
	}
	return false
}
