package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// waitsFor finds waiting that every operation does: for a time that is over, for a ticker, or by a
// call of what always sleeps.
func (b *benchmark) waitsFor() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt, *ast.GoStmt: // one of several that may come first
				return false
			case *ast.UnaryExpr:
				if isClock(b.pkg.info, n) && !conditional(n, l) {
					b.report(Sleeps, n, Likely, "waiting for the clock is measured with every operation", sleepRemedy)
				}
			case *ast.CallExpr:
				if f := callee(b.pkg.info, n); f != nil && !conditional(n, l) && b.pkg.declared.sleeps(f, 0) {
					b.report(Sleeps, n, Likely, f.Name()+" sleeps each time it is called: that is measured with every operation", sleepRemedy)
				}
			}
			return true
		})
	}
}

const sleepRemedy = "what is waited for, signalled by a channel; or no sleep"

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

// sleeps reports whether a function sleeps whatever its arguments are: in a statement that stands
// under no condition, before any under which the function could be left.
func (d declarations) sleeps(f *types.Func, depth int) bool {
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

// sleepsIn reports whether what a statement always does is to sleep.
func (d declarations) sleepsIn(info *types.Info, n ast.Node, depth int) (sleeps bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt: // but for what is asked
			sleeps = sleeps || n.Init != nil && d.sleepsIn(info, n.Init, depth) || d.sleepsIn(info, n.Cond, depth)
			return false
		case *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			return false
		case *ast.RangeStmt:
			sleeps = sleeps || d.sleepsInRounds(info, n, depth)
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR { // the right side may not be reached
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

// sleepsInRounds reports whether the first round of a loop, of which there is one, sleeps.
func (d declarations) sleepsInRounds(info *types.Info, loop *ast.RangeStmt, depth int) bool {
	if n := info.Types[loop.X].Value; n == nil { // range over a number: others may be empty
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

// leaves reports whether a statement may be the last one.
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
