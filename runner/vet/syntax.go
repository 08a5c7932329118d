package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// object returns the object that name denotes.
func (b *benchmark) object(name *ast.Ident) types.Object {
	if object := b.pkg.info.Uses[name]; object != nil {
		return object
	}
	return b.pkg.info.Defs[name]
}

// contains reports whether root contains a node of type N for which is returns true.
func contains[N ast.Node](root ast.Node, is func(N) bool) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n, ok := n.(N); ok && !found {
			found = is(n)
		}
		return !found
	})
	return found
}

// uses reports whether a node mentions one of the objects.
func (b *benchmark) uses(n ast.Node, objects map[types.Object]bool) bool {
	return n != nil && contains(n, func(name *ast.Ident) bool { return objects[b.object(name)] })
}

// isField reports whether n is an expression b.x, where x is the given name.
func (b *benchmark) isField(n ast.Node, name string) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && b.object(x) == b.b
}

// mentions reports whether n contains an expression b.x, where x is the given name.
func (b *benchmark) mentions(n ast.Node, name string) bool {
	return n != nil && contains(n, func(s *ast.SelectorExpr) bool { return b.isField(s, name) })
}

// asksNext reports whether an expression calls the method Next of a *testing.PB.
func (b *benchmark) asksNext(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Next" {
		return false
	}
	t := b.pkg.info.TypeOf(s.X)
	return t != nil && isTesting(t, "PB")
}

// callee returns the called function or method, or nil if it is unknown.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // with a type argument
		fun = index.X
	}
	var name *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	f, _ := info.Uses[name].(*types.Func)
	return f
}

// calls reports whether call calls one of the given methods of b.
func (b *benchmark) calls(call *ast.CallExpr, methods ...string) bool {
	return slices.ContainsFunc(methods, func(m string) bool { return b.isField(call.Fun, m) })
}

// fullName returns the name of the called function, such as "fmt.Println" or
// "(*bytes.Buffer).Write", or "" if it is unknown.
func (p *Package) fullName(call *ast.CallExpr) string {
	if f := callee(p.info, call); f != nil {
		return f.FullName()
	}
	return ""
}

// within reports whether a position is in a node.
func within(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }

// root returns the variable at the start of an expression: x for x, x[i], x.f, *x, &x and x[:n].
func (p *Package) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := p.info.Uses[x].(*types.Var); ok {
				return v
			}
			v, _ := p.info.Defs[x].(*types.Var)
			if v == nil {
				return nil
			}
			return v
		case *ast.SelectorExpr:
			if _, ok := p.info.Uses[x.Sel].(*types.Var); ok {
				if id, ok := x.X.(*ast.Ident); ok {
					if _, isPackage := p.info.Uses[id].(*types.PkgName); isPackage {
						return p.info.Uses[x.Sel]
					}
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil
			}
			e = x.X
		case *ast.CallExpr: // a conversion, such as sort.IntSlice(x)
			if len(x.Args) != 1 || !p.info.Types[x.Fun].IsType() {
				return nil
			}
			e = x.Args[0]
		default:
			return nil
		}
	}
}

// callOf returns the call if s consists only of a call, and nil for any other statement.
func callOf(s ast.Stmt) *ast.CallExpr {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, _ := e.X.(*ast.CallExpr)
	return call
}

// isTestings reports whether a call is to a method of b other than Run and RunParallel.
func (b *benchmark) isTestings(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := s.X.(*ast.Ident)
	return ok && b.object(name) == b.b && s.Sel.Name != "Run" && s.Sel.Name != "RunParallel"
}

func (b *benchmark) isVariable(e ast.Expr, v types.Object) bool {
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && b.object(name) == v
}

// isBuiltin reports whether fun is a builtin function with one of the given names.
func isBuiltin(info *types.Info, fun ast.Expr, names ...string) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return false
	}
	builtin, ok := info.Uses[id].(*types.Builtin)
	return ok && slices.Contains(names, builtin.Name())
}

func typeOf(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
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

func split(list []ast.Stmt, at func(ast.Stmt) bool) (before, after []ast.Stmt) {
	for i, s := range list {
		if at(s) {
			return list[:i], list[i+1:]
		}
	}
	return nil, nil
}

func hasCall(n ast.Node) bool { return contains(n, func(*ast.CallExpr) bool { return true }) }
