package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// setBytes finds calls of b.SetBytes with the total size of a slice of inputs when each operation
// uses only one of these inputs, as in frames[i%len(frames)].
func (b *benchmark) setBytes() {
	var counted *ast.CallExpr
	b.inspect(b.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && b.calls(call, "SetBytes") && len(call.Args) == 1 {
			counted = call
		}
		return counted == nil
	})
	if counted == nil || divides(counted.Args[0]) {
		return
	}
	total := b.variable(counted.Args[0])
	if total == nil {
		return
	}
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			index, ok := n.(*ast.IndexExpr)
			if !ok {
				return true
			}
			pieces := b.pkg.root(index.X)
			if pieces == nil || !reduced(index.Index) || !isA[*types.Slice](b.pkg.info.TypeOf(index.X)) || isByte(typeOf(b.pkg.info, index)) || !b.sumsUp(total, pieces) {
				return true
			}
			b.report(SetBytes, counted, Likely, total.Name()+" is the size of all "+pieces.Name()+", but an operation processes only one of them: MB/s is too high by that factor",
				"the size of one, or all of them in each operation")
			return false
		})
	}
}

// variable returns the variable in an expression such as total or int64(total), or nil.
func (b *benchmark) variable(e ast.Expr) (v types.Object) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ = b.object(x).(*types.Var)
	case *ast.CallExpr:
		if len(x.Args) == 1 && b.pkg.info.Types[x.Fun].IsType() {
			return b.variable(x.Args[0])
		}
	}
	return v
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Kind() == types.Uint8 || basic.Kind() == types.Rune)
}

func divides(e ast.Expr) bool {
	return contains(e, func(x *ast.BinaryExpr) bool { return x.Op == token.QUO || x.Op == token.SHR })
}

// sumsUp reports whether total is a sum over the slice pieces: either both are results of a call
// that adds up lengths, or a loop over the slice adds to total.
func (b *benchmark) sumsUp(total, pieces types.Object) (sums bool) {
	b.inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.QUO_ASSIGN && b.isVariable(n.Lhs[0], total) {
				sums = false
				return false
			}
			if len(n.Lhs) < 2 || len(n.Rhs) != 1 || !b.oneOf(n.Lhs, total) || !b.oneOf(n.Lhs, pieces) {
				return true
			}
			call, ok := n.Rhs[0].(*ast.CallExpr)
			if !ok {
				return true
			}
			d, ours := b.ours(call)
			sums = sums || ours && addsUp(d.Body)
		case *ast.RangeStmt:
			if b.pkg.root(n.X) == pieces {
				ast.Inspect(n.Body, func(n ast.Node) bool {
					a, ok := n.(*ast.AssignStmt)
					sums = sums || ok && a.Tok == token.ADD_ASSIGN && b.isVariable(a.Lhs[0], total)
					return true
				})
			}
		}
		return true
	})
	return sums
}

func (b *benchmark) oneOf(list []ast.Expr, v types.Object) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool { return b.isVariable(e, v) })
}

// addsUp reports whether body adds a length to a number.
func addsUp(body *ast.BlockStmt) bool {
	return contains(body, func(a *ast.AssignStmt) bool {
		if a.Tok != token.ADD_ASSIGN || len(a.Rhs) != 1 {
			return false
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok {
			return false
		}
		name, ok := call.Fun.(*ast.Ident)
		return ok && name.Name == "len"
	})
}

// byteSteps finds loops that advance by the length of the input, so that each byte counts as an
// operation.
func (b *benchmark) byteSteps() {
	for _, l := range b.loops {
		f, ok := l.node.(*ast.ForStmt)
		if !ok || l.kind != countedLoop {
			continue
		}
		a, ok := f.Post.(*ast.AssignStmt)
		if !ok || a.Tok != token.ADD_ASSIGN {
			continue
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok || !isBuiltin(b.pkg.info, call.Fun, "len") || !isText(typeOf(b.pkg.info, call.Args[0])) {
			continue
		}
		b.report(ByteSteps, a, Possible, "the loop advances by the length of the input, so ns/op, B/op and allocs/op are values per byte",
			"one pass per operation, and b.SetBytes for the number of bytes")
	}
}

func isText(t types.Type) bool {
	if isString(t) {
		return true
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && isByte(s.Elem())
}
