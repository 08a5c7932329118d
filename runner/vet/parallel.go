package vet

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// parallelBody finds functions for RunParallel that do not call pb.Next to share the operations.
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
			b.report(Parallel, f, Certain, "every goroutine in RunParallel runs b.N operations, but only b.N are counted in total", "for pb.Next() { ... }")
		case !asks && !given:
			b.report(Parallel, f, Certain, "the body of RunParallel never calls pb.Next(), so b.N operations are counted no matter how many run", "for pb.Next() { ... }")
		}
		return true
	})
}

// sizeInParallel finds input of size b.N that each goroutine of RunParallel creates.
func (b *benchmark) sizeInParallel(f *ast.FuncLit) {
	b.inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, arg := range call.Args {
			if b.isField(arg, "N") && b.makesSized(call) {
				b.report(SizeOfN, arg, Likely, "each goroutine prepares input for all b.N operations but runs only some of them, and the preparation is measured", "input of a fixed size, before b.ResetTimer and b.RunParallel")
			}
		}
		return true
	})
}

// countsWithin reports whether body contains a loop over b.N.
func (b *benchmark) countsWithin(body ast.Node) bool {
	return slices.ContainsFunc(b.loops, func(l loop) bool { return l.kind == countedLoop && within(l.node.Pos(), body) })
}

// sharedLock finds a lock that the benchmark itself declares and holds while the operations of
// RunParallel draw random input.
func (b *benchmark) sharedLock() {
	for _, l := range b.loops {
		if l.kind != parallelLoop {
			continue
		}
		for i, s := range l.body.List {
			mutex := b.lockCall(s, "Lock")
			if mutex == nil || within(mutex.Pos(), l.node) || mutex.Parent() == mutex.Pkg().Scope() {
				continue
			}
			locked, rest := split(l.body.List[i+1:], func(s ast.Stmt) bool { return b.lockCall(s, "Unlock") == mutex })
			if b.draws(locked) && slices.ContainsFunc(rest, func(s ast.Stmt) bool { return hasCall(s) }) {
				b.report(SharedLock, s, Likely, "goroutines wait for "+mutex.Name()+", the benchmark's own lock: waiting is measured and serializes the work",
					"input drawn before the loop, or a generator for every goroutine")
			}
		}
	}
}

// lockCall returns the mutex v if s is a call of the given method of v, and otherwise nil.
func (b *benchmark) lockCall(s ast.Stmt, method string) *types.Var {
	call := callOf(s)
	if call == nil {
		return nil
	}
	if name := b.pkg.fullName(call); name != "(*sync.Mutex)."+method && name != "(*sync.RWMutex)."+method {
		return nil
	}
	name, ok := call.Fun.(*ast.SelectorExpr).X.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := b.object(name).(*types.Var)
	return v
}

// draws reports whether statements draw random numbers as input. It returns false in math/rand
// itself, where drawing them is the measured work.
func (b *benchmark) draws(list []ast.Stmt) bool {
	isDraw := func(call *ast.CallExpr) bool {
		name := b.pkg.fullName(call)
		return strings.HasPrefix(name, "(*math/rand.") || strings.HasPrefix(name, "(*math/rand/v2.")
	}
	return !strings.HasPrefix(b.pkg.ImportPath, "math/rand") &&
		slices.ContainsFunc(list, func(s ast.Stmt) bool { return contains(s, isDraw) })
}
