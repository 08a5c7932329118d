package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// leftEarly finds ways out of a measured loop other than its end, but for those on which the
// benchmark has failed anyway.
func (b *benchmark) leftEarly() {
	for _, l := range b.loops {
		b.exits(l, l.body, false, true, func(at ast.Node, conditional bool) {
			if conditional {
				b.report(LeftEarly, at, Likely, "the loop can end before its last operation, and all of them are counted", "b.Fatal where this is a failure, else a loop that ends at its bound only")
				return
			}
			b.report(LeftEarly, at, Certain, "the loop ends within its first operation, and all of them are counted", "a loop that ends at its bound only")
		})
	}
}

// exits calls found for each statement that leaves the loop. breaks says that a break without
// a label does.
func (b *benchmark) exits(l loop, n ast.Node, conditional, breaks bool, found func(at ast.Node, conditional bool)) {
	each := func(list []ast.Stmt, conditional, breaks bool) {
		for _, s := range list {
			b.exits(l, s, conditional, breaks, found)
		}
	}
	switch n := n.(type) {
	case *ast.BlockStmt:
		if n == nil || n != l.body && b.fails(n.List) {
			return
		}
		each(n.List, conditional, breaks)
	case *ast.LabeledStmt:
		b.exits(l, n.Stmt, conditional, breaks, found)
	case *ast.IfStmt:
		if b.isFailure(n.Cond) {
			if n.Else != nil {
				b.exits(l, n.Else, true, breaks, found)
			}
			return
		}
		if !b.atBound(n.Cond, l) {
			b.exits(l, n.Body, true, breaks, found)
		}
		if n.Else != nil {
			b.exits(l, n.Else, true, breaks, found)
		}
	case *ast.ForStmt:
		b.exits(l, n.Body, true, false, found)
	case *ast.RangeStmt:
		b.exits(l, n.Body, true, false, found)
	case *ast.SwitchStmt:
		b.exits(l, n.Body, true, false, found)
	case *ast.TypeSwitchStmt:
		b.exits(l, n.Body, true, false, found)
	case *ast.SelectStmt:
		b.exits(l, n.Body, true, false, found)
	case *ast.CaseClause:
		if !b.fails(n.Body) {
			each(n.Body, true, breaks)
		}
	case *ast.CommClause:
		each(n.Body, true, breaks)
	case *ast.ReturnStmt:
		found(n, conditional)
	case *ast.BranchStmt:
		switch {
		case n.Tok == token.GOTO && !b.labelWithin(n.Label, l), n.Tok == token.BREAK && n.Label == nil && breaks,
			n.Tok == token.BREAK && n.Label != nil && b.labels(n.Label, l):
			found(n, conditional)
		}
	}
}

// labels reports whether a label is that of the loop, or of a statement around it.
func (b *benchmark) labels(label *ast.Ident, l loop) (is bool) {
	ast.Inspect(b.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok && s.Label.Name == label.Name && s.Pos() <= l.node.Pos() && l.node.End() <= s.End() {
			is = true
		}
		return !is
	})
	return is
}

func (b *benchmark) labelWithin(label *ast.Ident, l loop) (is bool) {
	ast.Inspect(l.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok && s.Label.Name == label.Name {
			is = true
		}
		return !is
	})
	return is
}

// atBound reports whether a condition holds only when all operations are done, as after the last of a
// batch: i++; if i >= b.N { return }, where i is what the loop counts.
func (b *benchmark) atBound(cond ast.Expr, l loop) bool {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || !b.sharesVariable(c, l.node) {
		return false
	}
	switch c.Op {
	case token.EQL:
		return b.isField(c.X, "N") || b.isField(c.Y, "N")
	case token.GEQ, token.GTR:
		return b.isField(c.Y, "N")
	case token.LEQ, token.LSS:
		return b.isField(c.X, "N")
	}
	return false
}

// isFailure reports whether a condition is about an error: err != nil, !ok, got != want.
func (b *benchmark) isFailure(cond ast.Expr) (is bool) {
	errorType := types.Universe.Lookup("error").Type()
	ast.Inspect(cond, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if t := b.pkg.info.TypeOf(e); t != nil && types.Identical(t, errorType) {
				is = true
			}
		}
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.NOT {
			if name, ok := u.X.(*ast.Ident); ok && name.Name == "ok" {
				is = true
			}
		}
		return !is
	})
	return is
}

// fails reports whether statements say that the benchmark failed, or panic.
func (b *benchmark) fails(list []ast.Stmt) bool {
	for _, s := range list {
		if call := callOf(s); call != nil && b.failing(call) {
			return true
		}
	}
	return false
}

// failing reports whether a call ends the benchmark as failed or left out, or the process.
func (b *benchmark) failing(call *ast.CallExpr) bool {
	if isBuiltin(b.pkg.info, call.Fun, "panic") {
		return true
	}
	switch b.pkg.fullName(call) {
	case "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "os.Exit":
		return true
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isTesting(typeOf(b.pkg.info, s.X), "B") {
		return false
	}
	switch s.Sel.Name {
	case "Fatal", "Fatalf", "FailNow", "Error", "Errorf", "Fail", "Skip", "Skipf", "SkipNow":
		return true
	}
	return false
}

// inFailure reports whether a node of the loop is reached only when the benchmark fails.
func (b *benchmark) inFailure(at ast.Node, l loop) (failing bool) {
	ast.Inspect(l.body, func(n ast.Node) bool {
		if n == nil || failing || !within(at.Pos(), n) {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			failing = within(at.Pos(), n.Body) && (b.isFailure(n.Cond) || b.fails(n.Body.List))
		case *ast.CaseClause:
			failing = b.fails(n.Body)
		}
		return !failing
	})
	return failing
}
