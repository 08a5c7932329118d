package source

import (
	"go/ast"
	"go/types"
	"strings"
)

// timer finds a timer that the loop handles so that the figure is not that of its operations.
func (b *benchmark) timer() {
	for _, l := range b.loops {
		var stops ast.Node
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			switch {
			case !ok:
			case b.calls(call, "ResetTimer") && l.kind != parallelLoop:
				b.report(TimerReset, call, Certain, "b.ResetTimer() within the loop throws away the time of all operations before, and all are counted", "b.ResetTimer() before the loop")
			case b.calls(call, "StopTimer") && stops == nil:
				stops = call
			}
			return true
		})
		if stops != nil {
			b.report(TimerStopped, stops, Suspected, "the timer is stopped and started with every operation", "what is prepared in one go before the loop, or many pieces of it at a time")
		}
	}
	b.stoppedForGood()
}

// stoppedForGood finds b.StopTimer before the loop without b.StartTimer after it.
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
		b.report(TimerStopped, stopped, Certain, "the timer is stopped here and not started before the loop: nothing is measured", "b.StartTimer() before the loop, or b.ResetTimer() instead of both")
	}
}

// effects finds statements of a loop that are measured though they are not what is meant:
// output, waiting, deferred calls, goroutines that nobody waits for.
func (b *benchmark) effects() {
	for _, l := range b.loops {
		var literals []*ast.FuncLit // that the node is in
		b.inspect(l.body, func(n ast.Node) bool {
			if n == nil {
				return true
			}
			for len(literals) > 0 && !within(n.Pos(), literals[len(literals)-1]) {
				literals = literals[:len(literals)-1]
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				literals = append(literals, n)
			case *ast.DeferStmt:
				if len(literals) == 0 {
					b.report(Defers, n, Certain, "deferred calls run after the loop: they pile up with every operation, and their work is not that operation's", "a call at the operation's end, or a function around the operation")
				}
			case *ast.GoStmt:
				if !b.waits(l) {
					b.report(Unawaited, n, Likely, "goroutines are started and not waited for: their work is not that of the operation, and they disturb those after it", "a sync.WaitGroup, or b.RunParallel")
				}
			case *ast.CallExpr:
				b.callEffect(n, l)
			}
			return true
		})
	}
}

func (b *benchmark) callEffect(call *ast.CallExpr, l loop) {
	name := b.pkg.fullName(call)
	switch {
	case name == "time.Sleep":
		if !b.inFailure(call, l) {
			b.report(Sleeps, call, Likely, "the sleep is measured with every operation", "what is waited for, signalled by a channel; or no sleep")
		}
	case b.prints(call, name) && !b.inFailure(call, l):
		sure := Certain
		if conditional(call, l) {
			sure = Possible // what is not meant to happen may well be printed
		}
		b.report(Prints, call, sure, "output is measured with every operation, and goes where the results go", "output before or after the loop, or io.Discard")
	}
}

// conditional reports whether a node of the loop is within an if or a case of it: in what is done
// only then.
func conditional(at ast.Node, l loop) (is bool) {
	ast.Inspect(l.body, func(n ast.Node) bool {
		if n == nil || !within(at.Pos(), n) {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			is = at.Pos() >= n.Body.Pos()
		case *ast.CaseClause:
			is = true
		}
		return !is
	})
	return is
}

// prints reports whether a call writes to the process's output, or to the benchmark's log.
func (b *benchmark) prints(call *ast.CallExpr, name string) bool {
	switch {
	case isBuiltin(b.pkg.info, call.Fun, "print"), isBuiltin(b.pkg.info, call.Fun, "println"):
		return true
	case strings.HasPrefix(name, "fmt.Print"), strings.HasPrefix(name, "log.Print"), strings.HasPrefix(name, "log/slog."):
		switch name {
		case "log/slog.Info", "log/slog.Warn", "log/slog.Error", "log/slog.Debug":
			return true
		}
		return !strings.HasPrefix(name, "log/slog.")
	case b.calls(call, "Log", "Logf"):
		return true
	case strings.HasPrefix(name, "fmt.Fprint"), name == "io.WriteString":
		return len(call.Args) > 0 && b.isOutput(call.Args[0])
	case strings.HasPrefix(name, "(*os.File).Write"):
		s, ok := call.Fun.(*ast.SelectorExpr)
		return ok && b.isOutput(s.X)
	}
	return false
}

// isOutput reports whether an expression is os.Stdout or os.Stderr.
func (b *benchmark) isOutput(e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := b.pkg.info.Uses[s.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// waits reports whether a loop, or what follows it, waits for goroutines: by a Wait, a
// channel or a select.
func (b *benchmark) waits(l loop) (waits bool) {
	b.inspect(b.body, func(n ast.Node) bool {
		if n == nil || n.End() <= l.node.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Wait" || s.Sel.Name == "Done" || s.Sel.Name == "Acquire") {
				waits = true
			}
		case *ast.UnaryExpr:
			waits = waits || n.Op.String() == "<-"
		case *ast.RangeStmt:
			waits = waits || isChannel(b.pkg.info.TypeOf(n.X))
		case *ast.SelectStmt:
			waits = true
		}
		return !waits
	})
	return waits
}
