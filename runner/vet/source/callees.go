package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// ours is the declaration of a function of the loaded packages that is called.
func (b *benchmark) ours(call *ast.CallExpr) (d declaration, found bool) {
	f := callee(b.pkg.info, call)
	if f == nil {
		return d, false
	}
	d, found = b.pkg.declared[f.Origin().FullName()]
	return d, found
}

// Reached are, by the name of a benchmark function, the names of the package's functions that
// it gives its *testing.B to, directly or through others of them.
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

// parameter is the variable that a function's argument number i goes into, nil where it is one
// of many or has no name.
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

// isNamed reports whether an expression is a variable, or a part x[:n] of it.
func (d declaration) isNamed(e ast.Expr, v types.Object) bool {
	if part, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		e = part.X
	}
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && v != nil && d.info.Uses[name] == v
}

// assigns reports whether a function gives a variable another value.
func (d declaration) assigns(v types.Object) (assigned bool) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, e := range a.Lhs {
				name, ok := e.(*ast.Ident)
				assigned = assigned || ok && d.info.Uses[name] == v
			}
		}
		return !assigned
	})
	return assigned
}

// reads reports whether a function, or one that it calls, reads a parameter to its end.
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

// sorts reports whether a function puts the slice that a parameter is in order: it gives it to a
// sort of the standard library.
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

// makesInput reports whether a call of one of our functions gives a slice, a map or a string
// that something else is called with: input, not what is measured.
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

// assignedFrom is the first variable that the result of a call is assigned to.
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

// memoised finds a call, with the same arguments each time, of a function that keeps its
// results in a package variable: only the first operation computes.
func (b *benchmark) memoised() {
	if name := strings.ToLower(b.name); strings.Contains(name, "cache") || strings.Contains(name, "hit") || strings.Contains(name, "memo") {
		return
	}
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || b.varies(l, call) {
				return true
			}
			d, ok := b.ours(call)
			if !ok {
				return true
			}
			if store := d.remembers(); store != nil && !b.uses(b.body, map[types.Object]bool{store: true}) {
				b.report(Memoised, call, Possible, d.Name.Name+" keeps its results in "+store.Name()+": after the first operation, this finds what that one has left",
					"a call of what computes, or an empty "+store.Name()+" for every operation; a name that says that the kept result is measured")
			}
			return true
		})
	}
}

// remembers is the package variable, a map or a sync.Map, from which a function returns what it
// has put there by a key that is one of its parameters; nil if there is none.
func (d declaration) remembers() types.Object {
	found, put := map[types.Object]bool{}, map[types.Object]bool{}
	var order []types.Object
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt: // if v, ok := m[key]; ok { return v }
			if v := d.lookup(n.Init); v != nil && returns(n.Body) {
				found[v] = true
				order = append(order, v)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if index, ok := e.(*ast.IndexExpr); ok {
					if v := d.global(index.X); v != nil {
						put[v] = true
					}
				}
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Store" || s.Sel.Name == "LoadOrStore") {
				if v := d.global(s.X); v != nil {
					put[v] = true
				}
			}
		}
		return true
	})
	for _, v := range order {
		if put[v] {
			return v
		}
	}
	return nil
}

// lookup is the package variable that a statement v, ok := m[key], or m.Load(key), looks into.
func (d declaration) lookup(s ast.Stmt) types.Object {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 || len(a.Lhs) != 2 {
		return nil
	}
	switch e := ast.Unparen(a.Rhs[0]).(type) {
	case *ast.IndexExpr:
		if d.isParameter(e.Index) {
			return d.global(e.X)
		}
	case *ast.CallExpr:
		if s, ok := e.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Load" && len(e.Args) == 1 && d.isParameter(e.Args[0]) {
			return d.global(s.X)
		}
	}
	return nil
}

func (d declaration) global(e ast.Expr) types.Object {
	name, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := d.info.Uses[name].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

func (d declaration) isParameter(e ast.Expr) bool {
	name, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v := d.info.Uses[name]
	return v != nil && slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool { return within(v.Pos(), f) })
}

func returns(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool { _, is := s.(*ast.ReturnStmt); return is })
}

// constantInput finds, in a loop over b.N, a call that the compiler copies into it and of which
// it knows all arguments: it may compute the result itself.
func (b *benchmark) constantInput() {
	for _, l := range b.loops {
		if l.kind == byLoop {
			continue
		}
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if f := callee(b.pkg.info, call); f == nil || f.Signature().Recv() != nil {
				return true
			}
			for _, arg := range call.Args {
				if !b.isConstant(arg) {
					return true
				}
			}
			if p := (purity{declared: b.pkg.declared, left: inlined}); p.pure(b.pkg.info, call) {
				b.report(ConstantInput, call, Suspected, "the compiler knows all arguments of this call, copies what it does into the loop, and may compute the result itself",
					"arguments from a slice, or for b.Loop()")
			}
			return true
		})
	}
}

// isConstant reports whether an expression is a constant, or a variable of the benchmark that
// is given one and never anything else.
func (b *benchmark) isConstant(e ast.Expr) bool {
	if b.pkg.info.Types[e].Value != nil {
		return true
	}
	name, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := b.object(name).(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	values, others := 0, 0
	ast.Inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); !ok || b.object(id) != types.Object(v) {
					continue
				}
				if len(n.Lhs) == len(n.Rhs) && n.Tok == token.DEFINE && b.isConstantValue(n.Rhs[i]) {
					values++
				} else {
					others++
				}
			}
		case *ast.IncDecStmt:
			if b.isVariable(n.X, v) {
				others++
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && b.isVariable(n.X, v) {
				others++
			}
		}
		return true
	})
	return values == 1 && others == 0
}

func (b *benchmark) isConstantValue(e ast.Expr) bool { return b.pkg.info.Types[e].Value != nil }
