package vet

import (
	"go/ast"
	"go/types"
	"slices"
)

// ours returns the declaration of the called function if its source was loaded.
func (b *benchmark) ours(call *ast.CallExpr) (d declaration, found bool) {
	f := callee(b.pkg.info, call)
	if f == nil {
		return d, false
	}
	d, found = b.pkg.declared[f.Origin().FullName()]
	return d, found
}

// Reached returns, for each benchmark function, the names of the package's functions to which it
// passes its *testing.B, directly or indirectly.
func (p *Package) Reached() map[string][]string {
	direct := map[string][]string{}
	for _, b := range p.benchmarks() {
		b.inspect(b.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, arg := range call.Args {
				if d, ours := b.ours(call); ours && b.isVariable(arg, b.b) && !slices.Contains(direct[b.name], d.Name.Name) {
					direct[b.name] = append(direct[b.name], d.Name.Name)
				}
			}
			return true
		})
	}
	reached := map[string][]string{}
	for name := range direct {
		list := slices.Clone(direct[name])
		for i := 0; i < len(list); i++ {
			for _, next := range direct[list[i]] {
				if !slices.Contains(list, next) {
					list = append(list, next)
				}
			}
		}
		reached[name] = list
	}
	return reached
}

// parameter returns the variable for argument i, or nil if the parameter is variadic or has no
// name.
func (d declaration) parameter(i int) types.Object {
	var names []*ast.Ident
	for _, field := range d.Type.Params.List {
		if _, many := field.Type.(*ast.Ellipsis); many {
			return nil
		}
		names = append(names, field.Names...)
	}
	if i >= len(names) {
		return nil
	}
	return d.info.Defs[names[i]]
}

// isNamed reports whether e is the variable v or a slice v[:n] of it.
func (d declaration) isNamed(e ast.Expr, v types.Object) bool {
	if part, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		e = part.X
	}
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && v != nil && d.info.Uses[name] == v
}

// assigns reports whether a function assigns to v.
func (d declaration) assigns(v types.Object) bool {
	return contains(d.Body, func(a *ast.AssignStmt) bool {
		return slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			name, ok := e.(*ast.Ident)
			return ok && d.info.Uses[name] == v
		})
	})
}

// reads reports whether a function, or one of its callees, reads the parameter v to its end.
func (p *Package) reads(d declaration, v types.Object, depth int) (reads bool) {
	if v == nil || depth > 2 || d.assigns(v) {
		return false
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !reads
		}
		if e := drained(d.info, call); e != nil && d.isNamed(e, v) {
			reads = true
			return false
		}
		f := callee(d.info, call)
		for i, arg := range call.Args {
			if f == nil || !d.isNamed(arg, v) {
				continue
			}
			if next, ok := p.declared[f.Origin().FullName()]; ok && next.FuncDecl != d.FuncDecl {
				reads = reads || p.reads(next, next.parameter(i), depth+1)
			}
		}
		return !reads
	})
	return reads
}

// sorts reports whether a function passes the slice parameter v to a sort function of the standard
// library.
func (p *Package) sorts(d declaration, v types.Object) (is bool) {
	if v == nil || d.assigns(v) {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return !is
		}
		f := callee(d.info, call)
		if f == nil || !sorts[f.Origin().FullName()] {
			return !is
		}
		arg := ast.Unparen(call.Args[0])
		if conversion, ok := arg.(*ast.CallExpr); ok && len(conversion.Args) == 1 && d.info.Types[conversion.Fun].IsType() {
			arg = conversion.Args[0] // sort.Sort(byName(s))
		}
		is = d.isNamed(arg, v)
		return !is
	})
	return is
}

// makesInput reports whether call returns a slice, map or string from a function whose source was
// loaded, and the result is an argument to another call. The result is then input and not the
// measured work.
func (b *benchmark) makesInput(call *ast.CallExpr) bool {
	if _, ours := b.ours(call); !ours || !isContainer(firstResult(b.pkg.info, call)) {
		return false
	}
	v := b.assignedFrom(call)
	if v == nil {
		return false
	}
	used := false
	b.inspect(b.body, func(n ast.Node) bool {
		other, ok := n.(*ast.CallExpr)
		if !ok || other == call {
			return !used
		}
		for _, arg := range other.Args {
			used = used || b.uses(arg, map[types.Object]bool{v: true})
		}
		return !used
	})
	return used
}

// assignedFrom returns the first variable assigned from the result of a call, or nil.
func (b *benchmark) assignedFrom(call *ast.CallExpr) (v types.Object) {
	b.inspect(b.body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && ast.Unparen(a.Rhs[0]) == ast.Expr(call) {
			v = b.result(a)
		}
		return v == nil
	})
	return v
}

func firstResult(info *types.Info, call *ast.CallExpr) types.Type {
	t := typeOf(info, call)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return types.Typ[types.Invalid]
		}
		return tuple.At(0).Type()
	}
	return t
}

func isContainer(t types.Type) bool {
	return isA[*types.Slice](t) || isA[*types.Map](t) || isString(t)
}
