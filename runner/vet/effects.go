package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// effects finds side effects that a loop measures by mistake: output, sleeping, deferred calls, and
// goroutines that outlive the loop.
func (b *benchmark) effects() {
	for _, l := range b.loops {
		var literals []*ast.FuncLit // function literals containing the node
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
					b.report(Defers, n, Certain, "deferred calls pile up until after the loop, where their time belongs to no operation", "a call at the end of the operation, or a function around the operation")
				}
			case *ast.GoStmt:
				if !b.waits(l) {
					b.report(Unawaited, n, Likely, "nothing waits for this goroutine, so its work is not part of its operation and disturbs later ones", "a sync.WaitGroup, or b.RunParallel")
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
			b.report(Sleeps, call, Likely, "every operation sleeps, and the time asleep is measured", sleepRemedy)
		}
	case b.prints(call, name) && !b.inFailure(call, l):
		sure := Certain
		if conditional(call, l) {
			sure = Possible // it may print only in an unexpected case
		}
		b.report(Prints, call, sure, "every operation prints: the printing is measured, and the output mixes with the results", "output before or after the loop, or io.Discard")
	}
}

// conditional reports whether a node in the loop is in the body of an if statement or of a case.
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

// prints reports whether a call writes to stdout, stderr or the benchmark's log.
func (b *benchmark) prints(call *ast.CallExpr, name string) bool {
	switch {
	case isBuiltin(b.pkg.info, call.Fun, "print", "println"):
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

// isOutput reports whether e is os.Stdout or os.Stderr.
func (b *benchmark) isOutput(e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := b.pkg.info.Uses[s.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// waits reports whether a loop, or the code after it, waits for goroutines with Wait, a channel or
// a select statement.
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
			waits = waits || isA[*types.Chan](b.pkg.info.TypeOf(n.X))
		case *ast.SelectStmt:
			waits = true
		}
		return !waits
	})
	return waits
}
