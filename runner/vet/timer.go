package vet

import (
	"go/ast"
	"go/token"
)

// timer finds calls in the loop that make the timer miss most operations.
func (b *benchmark) timer() {
	for _, l := range b.loops {
		var stops ast.Node
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			switch {
			case !ok:
			case b.calls(call, "ResetTimer") && l.kind != parallelLoop:
				b.report(TimerReset, call, Certain, "b.ResetTimer() in the loop discards the time of all earlier operations, but all operations count", "b.ResetTimer() before the loop")
			case b.calls(call, "StopTimer") && stops == nil:
				stops = call
			}
			return true
		})
		if stops != nil {
			b.report(TimerStopped, stops, Suspected, "the timer is stopped and started in every operation", "preparation before the loop, or for many operations at a time")
		}
	}
	b.stoppedForGood()
}

// stoppedForGood finds calls of b.StopTimer before the loop that are not followed by b.StartTimer.
func (b *benchmark) stoppedForGood() {
	if len(b.loops) == 0 {
		return
	}
	first := b.loops[0]
	var stopped *ast.CallExpr
	b.inspect(b.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		switch {
		case !ok || call.Pos() >= first.body.End():
		case b.calls(call, "StopTimer") && call.Pos() < first.node.Pos():
			stopped = call
		case b.calls(call, "StartTimer"):
			stopped = nil
		}
		return true
	})
	if stopped != nil {
		b.report(TimerStopped, stopped, Certain, "the timer is stopped here and not restarted before the loop, so nothing is measured", "b.StartTimer() before the loop, or b.ResetTimer() instead of both")
	}
}

// skipsStart finds statements between b.StopTimer and b.StartTimer that leave the block, so that
// the timer remains stopped.
func (b *benchmark) skipsStart() {
	b.inspect(b.body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		_, rest := split(block.List, func(s ast.Stmt) bool { return b.timerCall(s, "StopTimer") })
		between, after := split(rest, func(s ast.Stmt) bool { return b.timerCall(s, "StartTimer") })
		if len(after) == 0 && len(between) == 0 {
			return true
		}
		for _, s := range between {
			if d, ok := s.(*ast.DeferStmt); ok && b.calls(d.Call, "StartTimer") {
				break
			}
			b.skipping(s)
		}
		return true
	})
}

func (b *benchmark) timerCall(s ast.Stmt, method string) bool {
	call := callOf(s)
	return call != nil && b.calls(call, method)
}

// skipping reports return and continue statements executed while the timer is stopped.
func (b *benchmark) skipping(s ast.Stmt) {
	started := false
	b.inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt: // a continue statement in a nested loop belongs to this loop
			return false
		case *ast.IfStmt:
			if b.isFailure(n.Cond) || b.fails(n.Body.List) {
				return false
			}
		case *ast.CallExpr:
			started = started || b.calls(n, "StartTimer")
		case *ast.ReturnStmt:
			if !started {
				b.report(TimerStopped, n, b.wayOut(), "this return leaves the timer stopped, so nothing is measured from here on", "defer b.StartTimer() after b.StopTimer(), or b.StartTimer() here")
			}
		case *ast.BranchStmt:
			if !started && n.Tok == token.CONTINUE {
				b.report(TimerStopped, n, Likely, "this continue leaves the timer stopped", "b.StartTimer() before it")
			}
		}
		return true
	})
}

// wayOut returns the confidence that the benchmark continues after a return. It usually does if the
// function is a helper that a benchmark calls.
func (b *benchmark) wayOut() Confidence {
	if b.runs {
		return Possible
	}
	return Likely
}
