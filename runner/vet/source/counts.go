package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// setBytes finds b.SetBytes with the size of all pieces of an input in a benchmark whose
// operation takes one of them: frames[i%len(frames)].
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
			b.report(SetBytes, counted, Likely, total.Name()+" is the size of all "+pieces.Name()+", and an operation takes one of them: MB/s is too high by their number",
				"the size of one, or an operation that takes all of them")
			return false
		})
	}
}

// variable is the only variable of an expression such as int64(total), nil where there are more.
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

func divides(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		is = is || ok && (x.Op == token.QUO || x.Op == token.SHR)
		return !is
	})
	return is
}

// sumsUp reports whether a variable is a sum over a slice: both come from one call that adds
// up, or a loop over the slice adds to the variable.
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
	for _, e := range list {
		if b.isVariable(e, v) {
			return true
		}
	}
	return false
}

// addsUp reports whether a body has a loop that adds a length to a number.
func addsUp(body *ast.BlockStmt) (is bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ADD_ASSIGN && len(a.Rhs) == 1 {
			call, ok := a.Rhs[0].(*ast.CallExpr)
			if ok {
				name, ok := call.Fun.(*ast.Ident)
				is = is || ok && name.Name == "len"
			}
		}
		return !is
	})
	return is
}

// byteSteps finds a loop that advances by the length of a text that one pass works on: what is
// counted as an operation is a byte of it.
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
		b.report(ByteSteps, a, Possible, "the loop advances by the bytes of a pass: ns/op is the time of a byte, B/op and allocs/op are those of a byte, too",
			"a pass for every operation, with b.SetBytes for its bytes")
	}
}

func isText(t types.Type) bool {
	if isString(t) {
		return true
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && isByte(s.Elem())
}
