package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// waitsFor finds operations that always wait for the clock: for a timer, for a ticker, or in a
// function that always sleeps.
func (b *benchmark) waitsFor() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt, *ast.GoStmt: // another case may be ready first
				return false
			case *ast.UnaryExpr:
				if isClock(b.pkg.info, n) && !conditional(n, l) {
					b.report(Sleeps, n, Likely, "every operation waits for a timer, and the wait is measured", sleepRemedy)
				}
			case *ast.CallExpr:
				if f := callee(b.pkg.info, n); f != nil && !conditional(n, l) && b.pkg.declared.sleeps(f, 0) {
					b.report(Sleeps, n, Likely, f.Name()+" always sleeps, and the time asleep is measured", sleepRemedy)
				}
			}
			return true
		})
	}
}

const sleepRemedy = "a channel that signals the awaited event, or no sleep"

// isClock reports whether an expression receives from a timer or ticker.
func isClock(info *types.Info, e *ast.UnaryExpr) bool {
	if e.Op != token.ARROW {
		return false
	}
	switch x := ast.Unparen(e.X).(type) {
	case *ast.CallExpr:
		f := callee(info, x)
		return f != nil && (f.FullName() == "time.After" || f.FullName() == "time.Tick")
	case *ast.SelectorExpr:
		t := info.TypeOf(x.X)
		return t != nil && x.Sel.Name == "C" && (t.String() == "*time.Ticker" || t.String() == "*time.Timer")
	}
	return false
}

// sleeps reports whether a function sleeps for any arguments: in an unconditional statement that
// comes before any statement that might return.
func (d Declarations) sleeps(f *types.Func, depth int) bool {
	decl, ok := d[f.Origin().FullName()]
	if !ok || depth > 3 {
		return false
	}
	for _, s := range decl.Body.List {
		if d.sleepsIn(decl.info, s, depth) {
			return true
		}
		if leaves(s) {
			return false
		}
	}
	return false
}

// sleepsIn reports whether a node always sleeps.
func (d Declarations) sleepsIn(info *types.Info, n ast.Node, depth int) (sleeps bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt: // only its condition is always evaluated
			sleeps = sleeps || n.Init != nil && d.sleepsIn(info, n.Init, depth) || d.sleepsIn(info, n.Cond, depth)
			return false
		case *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.RangeStmt:
			sleeps = sleeps || d.sleepsInRounds(info, n, depth)
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR { // the right-hand side might not be evaluated
				sleeps = sleeps || d.sleepsIn(info, n.X, depth)
				return false
			}
		case *ast.UnaryExpr:
			sleeps = sleeps || isClock(info, n)
		case *ast.CallExpr:
			f := callee(info, n)
			sleeps = sleeps || f != nil && (f.FullName() == "time.Sleep" || d.sleeps(f, depth+1))
		}
		return !sleeps
	})
	return sleeps
}

// sleepsInRounds reports whether the first iteration of a loop over a constant always sleeps.
func (d Declarations) sleepsInRounds(info *types.Info, loop *ast.RangeStmt, depth int) bool {
	if n := info.Types[loop.X].Value; n == nil { // a container that is not constant might be empty
		return false
	}
	for _, s := range loop.Body.List {
		if d.sleepsIn(info, s, depth) {
			return true
		}
		if leaves(s) {
			return false
		}
	}
	return false
}

// leaves reports whether a statement might leave its block.
func leaves(s ast.Stmt) (may bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			may = true
		case *ast.FuncLit:
			return false
		}
		return !may
	})
	return may
}
