package vet

import (
	"go/ast"
	"slices"
)

// noLoop finds benchmarks that repeat nothing: they have no measured loop, do not call b.Run, and
// do not pass on b or b.N.
func (b *benchmark) noLoop() {
	if len(b.loops) > 0 || !b.runs || b.givenAway() {
		return
	}
	if len(b.body.List) == 0 || b.onlySkips() || len(b.usesOuter()) > 0 {
		return
	}
	b.report(NoLoop, b.decl, Certain, "without a loop over b.N or b.Loop(), nothing is repeated, and the time is divided by operations that never ran",
		"for b.Loop() { ... } around the measured code")
}

// givenAway reports whether other code may repeat the work: b or b.N is passed on, or a method of b
// runs a function or skips the benchmark.
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
		case *ast.CompositeLit: // stored in a struct
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

// onlySkips reports whether the body fails immediately, for example with b.Fatal("not here").
func (b *benchmark) onlySkips() bool {
	call := callOf(b.body.List[0])
	return call != nil && b.calls(call, "Fatal", "Fatalf", "FailNow")
}

// mixedLoops finds uses of b.N together with b.Loop, which changes b.N while it runs, and measured
// loops that follow a loop over b.Loop.
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
			b.report(MixedLoops, n, Certain, "b.N is used with b.Loop(), but is not the number of operations until the loop ends", "b.Loop() alone, with its own counter if needed")
		}
		return true
	})
	for _, l := range b.loops {
		if l.kind == countedLoop && l.node.Pos() > first.End() {
			b.report(MixedLoops, l.node, Certain, "a loop over b.N follows a loop over b.Loop(), so its time is added to the operations of the first loop", "a benchmark for each loop")
		}
	}
	if loops := b.ofKind(byLoop); len(loops) > 1 {
		b.report(MixedLoops, loops[1].node, Certain, "a second loop over b.Loop() ends at once, so its body is not measured", "b.Run with a sub-benchmark for each loop")
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

// outerB finds sub-benchmarks that use the b of an enclosing benchmark.
func (b *benchmark) outerB() {
	for _, s := range b.usesOuter() {
		b.report(OuterB, s, Certain, s.X.(*ast.Ident).Name+"."+s.Sel.Name+" belongs to the enclosing benchmark, but this sub-benchmark has its own "+b.b.Name(),
			b.b.Name()+"."+s.Sel.Name)
	}
}

// usesOuter returns the uses of an enclosing benchmark's b for counting or timing.
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
