package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// constantInput finds inlined calls with constant arguments in a loop over b.N, because the
// compiler might compute their results.
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
				b.report(ConstantInput, call, Suspected, "the compiler inlines this call with constant arguments and may compute its result at compile time",
					"arguments from a slice, or for b.Loop()")
			}
			return true
		})
	}
}

// isConstant reports whether e is a constant, or a local variable whose only value is a constant.
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
