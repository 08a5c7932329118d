package vet

import (
	"go/ast"
	"go/token"
	"slices"
)

// leftEarly finds statements that leave a measured loop before its end, unless the benchmark fails
// at that point.
func (b *benchmark) leftEarly() {
	for _, l := range b.loops {
		b.exits(l, l.body, false, true, func(at ast.Node, conditional bool) {
			if conditional {
				b.report(LeftEarly, at, Likely, "the loop may end before its last operation, but all operations count", "b.Fatal for a failure, or else a loop that ends only at its bound")
				return
			}
			b.report(LeftEarly, at, Certain, "the loop ends during its first operation, but all operations count", "a loop that ends only at its bound")
		})
	}
}

// exits calls found for each statement in n that leaves the loop. conditional is set if n is
// executed only under some condition. If breaks is set, a break without a label leaves the loop.
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

// labels reports whether a label belongs to the loop or to a statement around it.
func (b *benchmark) labels(label *ast.Ident, l loop) bool {
	return contains(b.body, func(s *ast.LabeledStmt) bool {
		return s.Label.Name == label.Name && s.Pos() <= l.node.Pos() && l.node.End() <= s.End()
	})
}

func (b *benchmark) labelWithin(label *ast.Ident, l loop) bool {
	return contains(l.body, func(s *ast.LabeledStmt) bool { return s.Label.Name == label.Name })
}

// atBound reports whether a condition is true only after all operations, as at the end of the last
// batch: i++; if i >= b.N { return }, where i is the loop variable.
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

// isFailure reports whether a condition checks for an error, as in err != nil, !ok or got != want.
func (b *benchmark) isFailure(cond ast.Expr) bool {
	return contains(cond, func(e ast.Expr) bool {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.NOT {
			if name, ok := u.X.(*ast.Ident); ok && name.Name == "ok" {
				return true
			}
		}
		return isError(b.pkg.info.TypeOf(e))
	})
}

// fails reports whether statements fail the benchmark or panic.
func (b *benchmark) fails(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		call := callOf(s)
		return call != nil && b.failing(call)
	})
}

// failing reports whether a call fails or skips the benchmark, or ends the process.
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

// inFailure reports whether a node in the loop is executed only if the benchmark fails.
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
