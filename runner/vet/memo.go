package vet

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// memoised finds calls, with the same arguments in every operation, to functions that store their
// results in a package variable. In that case, only the first operation computes anything.
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
				b.report(Memoised, call, Possible, d.Name.Name+" stores its results in "+store.Name()+": only the first operation computes the result, and the others look it up",
					"a call to the function that computes the result, or an empty "+store.Name()+" for every operation; if you mean to measure the lookup, put Cache in the benchmark's name")
			}
			return true
		})
	}
}

// remembers returns the package variable, a map or a sync.Map, in which a function stores its
// results with a parameter as the key, or nil.
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

// lookup returns the package variable m if s has the form v, ok := m[key] or v, ok := m.Load(key),
// and otherwise nil.
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
