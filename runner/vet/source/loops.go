package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// noLoop finds a benchmark that repeats nothing: neither a loop of its own, nor b.Run, nor
// another function that is given b or b.N.
func (b *benchmark) noLoop() {
	if len(b.loops) > 0 || !b.runs || b.givenAway() {
		return
	}
	if len(b.body.List) == 0 || b.onlySkips() || len(b.usesOuter()) > 0 {
		return
	}
	b.report(NoLoop, b.decl, Certain, "nothing is repeated: there is no loop over b.N or b.Loop(), so that the time is divided by a number of operations that were not done",
		"for b.Loop() { ... } around what is to be measured")
}

// givenAway reports whether b goes to another function, or one of its methods that run
// others is called, or b.N is an argument.
func (b *benchmark) givenAway() (given bool) {
	b.inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if b.calls(n, "Run", "RunParallel", "Skip", "SkipNow", "Skipf") {
				given = true
			}
			for _, arg := range n.Args {
				if name, ok := ast.Unparen(arg).(*ast.Ident); ok && b.object(name) == b.b || b.isField(arg, "N") || b.isField(arg, "Loop") {
					given = true
				}
			}
		case *ast.CompositeLit: // kept in a struct that others get
			for _, element := range n.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					element = pair.Value
				}
				if name, ok := element.(*ast.Ident); ok && b.object(name) == b.b {
					given = true
				}
			}
		case *ast.AssignStmt:
			for _, e := range n.Rhs {
				if name, ok := e.(*ast.Ident); ok && b.object(name) == b.b {
					given = true
				}
			}
		}
		return !given
	})
	return given
}

// onlySkips reports whether a body is over at once, such as b.Fatal("not here").
func (b *benchmark) onlySkips() bool {
	call := callOf(b.body.List[0])
	return call != nil && b.calls(call, "Fatal", "Fatalf", "FailNow")
}

// callOf is the call that a statement consists of, nil for any other statement.
func callOf(s ast.Stmt) *ast.CallExpr {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, _ := e.X.(*ast.CallExpr)
	return call
}

// sizeOfN finds b.N where the work of one operation comes to depend on it: inside the loop
// as an argument or a bound, or without any loop as the size of the input.
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
						b.report(SizeOfN, arg, Likely, "the work of one operation depends on b.N: what is measured grows with the number of operations",
							"a size of its own, perhaps of a sub-benchmark: b.Run(fmt.Sprintf(\"n=%d\", n), ...)")
					}
				}
			case *ast.ForStmt:
				if n != l.node && l.kind == countedLoop && b.mentions(n.Cond, "N") && !b.sharesVariable(n.Cond, l.node) {
					b.report(SizeOfN, n, Certain, "a loop over b.N within the loop over b.N: N operations are counted, N*N are done", "one loop over b.N")
				}
			case *ast.RangeStmt:
				if n != l.node && l.kind == countedLoop && b.mentions(n.X, "N") {
					b.report(SizeOfN, n, Certain, "a loop over b.N within the loop over b.N: N operations are counted, N*N are done", "one loop over b.N")
				}
			}
			return true
		})
	}
	if len(b.loops) == 0 {
		b.sizeWithoutLoop()
	}
}

// sharesVariable reports whether a condition counts on with a variable of the outer loop, as
// batches do: for i < b.N { for j := 0; j < 100 && i < b.N; j++ { i++ } }.
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

// sizeWithoutLoop finds make([]T, b.N), or a function of b.N, whose result is worked on once.
// What is only given b.N may loop over it.
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
				b.report(SizeOfN, arg, Likely, "b.N is the size of the input: the time is that of one piece of a work whose size differs from run to run",
					"a fixed size, and a loop over b.N around the work")
			default:
				b.report(SizeOfN, arg, Suspected, "b.N goes into the work, and no loop over it is seen", "a fixed size, and a loop over b.N around the work")
			}
		}
		return true
	})
}

// makesSized reports whether a call makes input of a size that is one of its arguments.
func (b *benchmark) makesSized(call *ast.CallExpr) bool {
	name := b.pkg.fullName(call)
	return isBuiltin(b.pkg.info, call.Fun, "make") && !isChannel(b.pkg.info.TypeOf(call)) || name == "strings.Repeat" || name == "bytes.Repeat" || b.makesInput(call)
}

// isReport: b.N is a divisor or a message there.
func isReport(name string) bool {
	return strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "log.") || strings.HasPrefix(name, "(testing.") || strings.HasPrefix(name, "(*testing.")
}

// isTestings reports whether a method of the benchmark's b is called.
func (b *benchmark) isTestings(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := s.X.(*ast.Ident)
	return ok && b.object(name) == b.b && s.Sel.Name != "Run" && s.Sel.Name != "RunParallel"
}

func isBuiltin(info *types.Info, fun ast.Expr, name string) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return false
	}
	builtin, ok := info.Uses[id].(*types.Builtin)
	return ok && builtin.Name() == name
}

func isChannel(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// mixedLoops finds b.N beside b.Loop, which sets it as it goes.
func (b *benchmark) mixedLoops() {
	var first ast.Stmt
	for _, l := range b.loops {
		if l.kind == byLoop && first == nil {
			first = l.node
		}
	}
	if first == nil {
		return
	}
	b.inspect(b.body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && b.isField(e, "N") && n.Pos() < first.End() {
			b.report(MixedLoops, n, Certain, "b.N beside b.Loop(): until the loop has ended, b.N is not the number of operations", "b.Loop() alone, with a count of its own where one is needed")
		}
		return true
	})
	for _, l := range b.loops {
		if l.kind == countedLoop && l.node.Pos() > first.End() {
			b.report(MixedLoops, l.node, Certain, "a loop over b.N after one by b.Loop(): the time of it counts for the operations of the other", "a benchmark for each of them")
		}
	}
	if loops := b.ofKind(byLoop); len(loops) > 1 {
		b.report(MixedLoops, loops[1].node, Certain, "a second loop by b.Loop(): it ends at once, and what it holds is not measured", "b.Run with a sub-benchmark for each of them")
	}
}

func (b *benchmark) ofKind(kind loopKind) (loops []loop) {
	for _, l := range b.loops {
		if l.kind == kind {
			loops = append(loops, l)
		}
	}
	return loops
}

// outerB finds a sub-benchmark that counts by, or times with, the b of the function around it.
func (b *benchmark) outerB() {
	for _, s := range b.usesOuter() {
		b.report(OuterB, s, Certain, s.X.(*ast.Ident).Name+"."+s.Sel.Name+" is that of the function around this sub-benchmark, whose own b is "+b.b.Name(),
			b.b.Name()+"."+s.Sel.Name)
	}
}

// usesOuter are the places where a function counts by, or times with, the b of one around it.
func (b *benchmark) usesOuter() (found []*ast.SelectorExpr) {
	b.inspect(b.body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch s.Sel.Name {
		case "N", "Loop", "ResetTimer", "StartTimer", "StopTimer", "SetBytes", "ReportAllocs", "RunParallel":
			if name, ok := s.X.(*ast.Ident); ok && slices.Contains(b.outer, b.object(name)) {
				found = append(found, s)
			}
		}
		return true
	})
	return found
}

// parallelBody finds functions for RunParallel that do not share the operations by pb.Next.
func (b *benchmark) parallelBody() {
	b.inspect(b.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !b.calls(call, "RunParallel") || len(call.Args) != 1 {
			return true
		}
		f, ok := call.Args[0].(*ast.FuncLit)
		if !ok || len(f.Type.Params.List) == 0 {
			return true
		}
		asks, given := false, false
		ast.Inspect(f.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			asks = asks || b.asksNext(call)
			for _, arg := range call.Args {
				given = given || isTesting(typeOf(b.pkg.info, arg), "PB")
			}
			return true
		})
		b.sizeInParallel(f)
		switch {
		case b.countsWithin(f.Body):
			b.report(Parallel, f, Certain, "every goroutine of RunParallel does b.N operations, and b.N are counted", "for pb.Next() { ... }")
		case !asks && !given:
			b.report(Parallel, f, Certain, "no goroutine of RunParallel asks pb.Next(): b.N operations are counted whatever is done", "for pb.Next() { ... }")
		}
		return true
	})
}

// sizeInParallel finds input of b.N pieces that each goroutine of RunParallel makes for itself.
func (b *benchmark) sizeInParallel(f *ast.FuncLit) {
	b.inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, arg := range call.Args {
			if b.isField(arg, "N") && b.makesSized(call) {
				b.report(SizeOfN, arg, Likely, "each goroutine makes input for all b.N operations, does its share of them, and is measured with it", "input of a fixed size, before b.ResetTimer and b.RunParallel")
			}
		}
		return true
	})
}

// countsWithin reports whether a loop over b.N is in a function's body.
func (b *benchmark) countsWithin(body ast.Node) bool {
	return slices.ContainsFunc(b.loops, func(l loop) bool { return l.kind == countedLoop && within(l.node.Pos(), body) })
}

func typeOf(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// sizeOfI finds an operation whose size is its own number: for i := range b.N { fib(i) }.
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
					b.report(LoopVariable, n, Likely, "operation number "+variable.Name()+" allocates so many elements: operations grow with their number", "a fixed size")
					return true
				}
				if name := b.pkg.fullName(n); name == "strings.Repeat" || name == "bytes.Repeat" {
					if len(n.Args) == 2 && b.isVariable(n.Args[1], variable) {
						b.report(LoopVariable, n, Likely, "operations grow with their number "+variable.Name(), "a fixed size")
					}
					return true
				}
				for _, arg := range n.Args {
					if b.isVariable(arg, variable) {
						b.report(LoopVariable, arg, Suspected, "the number of the operation is what it works on, and operations take longer with it", "a fixed argument, or one of a fixed set: "+variable.Name()+" % n")
					}
				}
			case *ast.ForStmt:
				if n.Cond != nil && n.Post != nil && !b.assigned(variable, n.Body) && b.uses(n.Cond, map[types.Object]bool{variable: true}) && !b.uses(n.Post, map[types.Object]bool{variable: true}) {
					b.report(LoopVariable, n, Likely, "an operation takes as many steps as its number "+variable.Name()+" says: operations grow with their number", "a fixed number of steps")
				}
			case *ast.RangeStmt:
				if b.isVariable(n.X, variable) {
					b.report(LoopVariable, n, Likely, "an operation takes as many steps as its number "+variable.Name()+" says: operations grow with their number", "a fixed number of steps")
				}
			}
			return true
		})
	}
}

func (b *benchmark) isVariable(e ast.Expr, v types.Object) bool {
	name, ok := ast.Unparen(e).(*ast.Ident)
	return ok && b.object(name) == v
}

// counter is the variable that numbers a loop's operations.
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
