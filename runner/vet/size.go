package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sizeOfN finds operations that depend on b.N: as an argument or a bound in the loop or, in a
// benchmark without a loop, as the size of the input.
func (b *benchmark) sizeOfN() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if b.isTestings(n) || isReport(b.pkg.fullName(n)) {
					return false
				}
				for _, arg := range n.Args {
					if b.isField(arg, "N") {
						b.report(SizeOfN, arg, Likely, "the work per operation depends on b.N, so operations take longer as b.N grows",
							"a fixed size, perhaps one per sub-benchmark: b.Run(fmt.Sprintf(\"n=%d\", n), ...)")
					}
				}
			case *ast.ForStmt:
				if n != l.node && l.kind == countedLoop && b.mentions(n.Cond, "N") && !b.sharesVariable(n.Cond, l.node) {
					b.report(SizeOfN, n, Certain, "a loop over b.N is nested in another, so N operations are counted but N*N are executed", "one loop over b.N")
				}
			case *ast.RangeStmt:
				if n != l.node && l.kind == countedLoop && b.mentions(n.X, "N") {
					b.report(SizeOfN, n, Certain, "a loop over b.N is nested in another, so N operations are counted but N*N are executed", "one loop over b.N")
				}
			}
			return true
		})
	}
	if len(b.loops) == 0 {
		b.sizeWithoutLoop()
	}
}

// sharesVariable reports whether cond uses a variable from the outer loop's condition, as when
// operations run in batches: for i < b.N { for j := 0; j < 100 && i < b.N; j++ { i++ } }.
func (b *benchmark) sharesVariable(cond ast.Expr, outer ast.Stmt) (shared bool) {
	f, ok := outer.(*ast.ForStmt)
	if !ok || f.Cond == nil {
		return false
	}
	variables := map[types.Object]bool{}
	ast.Inspect(f.Cond, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			if v, ok := b.object(name).(*types.Var); ok && v != b.b && !v.IsField() {
				variables[v] = true
			}
		}
		return true
	})
	return b.uses(cond, variables)
}

// sizeWithoutLoop finds input of size b.N, such as make([]T, b.N), in a benchmark without a loop. A
// call with b.N as an argument is only suspected, because the called function might loop over it.
func (b *benchmark) sizeWithoutLoop() {
	b.inspect(b.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if b.isTestings(call) {
			return false
		}
		last := len(call.Args) - 1
		for i, arg := range call.Args {
			if !b.mentions(arg, "N") || i < last && !b.isField(arg, "N") {
				continue
			}
			switch {
			case b.makesSized(call):
				b.report(SizeOfN, arg, Likely, "b.N is the size of the input, so the work per operation differs from run to run",
					"a fixed size, and a loop over b.N around the work")
			default:
				b.report(SizeOfN, arg, Suspected, "b.N is passed to the measured code, and there is no loop over it", "a fixed size, and a loop over b.N around the work")
			}
		}
		return true
	})
}

// makesSized reports whether a call creates input whose size is given by an argument.
func (b *benchmark) makesSized(call *ast.CallExpr) bool {
	name := b.pkg.fullName(call)
	return isBuiltin(b.pkg.info, call.Fun, "make") && !isA[*types.Chan](b.pkg.info.TypeOf(call)) || name == "strings.Repeat" || name == "bytes.Repeat" || b.makesInput(call)
}

// isReport reports whether a function prints. b.N is then only a divisor or part of the text.
func isReport(name string) bool {
	return strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "log.") || strings.HasPrefix(name, "(testing.") || strings.HasPrefix(name, "(*testing.")
}

// sizeOfI finds operations whose work grows with their number, as in for i := range b.N { fib(i) }.
func (b *benchmark) sizeOfI() {
	for _, l := range b.loops {
		if l.kind != countedLoop {
			continue
		}
		variable := b.counter(l)
		if variable == nil {
			continue
		}
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if isBuiltin(b.pkg.info, n.Fun, "make") && len(n.Args) > 1 && b.isVariable(n.Args[1], variable) {
					b.report(LoopVariable, n, Likely, "operation "+variable.Name()+" allocates "+variable.Name()+" elements, so later operations take longer", "a fixed size")
					return true
				}
				if name := b.pkg.fullName(n); name == "strings.Repeat" || name == "bytes.Repeat" {
					if len(n.Args) == 2 && b.isVariable(n.Args[1], variable) {
						b.report(LoopVariable, n, Likely, "the work grows with the operation's number "+variable.Name(), "a fixed size")
					}
					return true
				}
				for _, arg := range n.Args {
					if b.isVariable(arg, variable) {
						b.report(LoopVariable, arg, Suspected, "the argument is the operation's number, and operations take longer as it grows", "a fixed argument, or one of a fixed set: "+variable.Name()+" % n")
					}
				}
			case *ast.ForStmt:
				if n.Cond != nil && n.Post != nil && !b.assigned(variable, n.Body) && b.uses(n.Cond, map[types.Object]bool{variable: true}) && !b.uses(n.Post, map[types.Object]bool{variable: true}) {
					b.report(LoopVariable, n, Likely, "operation "+variable.Name()+" takes "+variable.Name()+" steps, so later operations take longer", "a fixed number of steps")
				}
			case *ast.RangeStmt:
				if b.isVariable(n.X, variable) {
					b.report(LoopVariable, n, Likely, "operation "+variable.Name()+" takes "+variable.Name()+" steps, so later operations take longer", "a fixed number of steps")
				}
			}
			return true
		})
	}
}

// counter returns the variable that counts a loop's operations, or nil.
func (b *benchmark) counter(l loop) types.Object {
	var e ast.Expr
	switch n := l.node.(type) {
	case *ast.RangeStmt:
		e = n.Key
	case *ast.ForStmt:
		if a, ok := n.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 {
			e = a.Lhs[0]
		}
	}
	if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
		return b.object(name)
	}
	return nil
}
