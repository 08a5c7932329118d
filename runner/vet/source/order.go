package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// lateVariable finds sub-benchmarks that a loop collects and something later runs: of a
// variable from outside the loop they all see the last value.
func (b *benchmark) lateVariable() {
	b.inspect(b.body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return true
		}
		for _, f := range b.collected(body) {
			for _, v := range b.captured(f) {
				if !within(v.Pos(), n) && b.setIn(v, body, f) && !b.assigned(v, f.Body) {
					b.report(LateVariable, f, Likely, "this sub-benchmark runs after the loop has ended, and uses "+v.Name()+", which is set anew in every round: all of them measure the last",
						"a variable of its own in every round: "+v.Name()+" := ...")
				}
			}
		}
		return true
	})
}

// collected are the sub-benchmarks in a loop's body that are not run there.
func (b *benchmark) collected(body *ast.BlockStmt) (found []*ast.FuncLit) {
	run := map[*ast.FuncLit]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isBuiltin(b.pkg.info, n.Fun, "append") {
				return true
			}
			for _, arg := range n.Args {
				if f, ok := arg.(*ast.FuncLit); ok {
					run[f] = true
				}
			}
		case *ast.FuncLit:
			if b.pkg.hasB(n.Type) && !run[n] {
				found = append(found, n)
			}
			return false
		}
		return true
	})
	return found
}

// captured are the local variables from outside that a function uses.
func (b *benchmark) captured(f *ast.FuncLit) (all []*types.Var) {
	seen := map[*types.Var]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := b.pkg.info.Uses[name].(*types.Var)
		if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !within(v.Pos(), f) && !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
		return true
	})
	return all
}

// setIn reports whether a body gives a variable, not a part of it, another value outside of a
// function: not one that the variable itself is part of, as counting and appending do.
func (b *benchmark) setIn(v types.Object, body *ast.BlockStmt, except *ast.FuncLit) (set bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if n == ast.Node(except) {
			return false
		}
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN {
			for i, e := range a.Lhs {
				if b.isVariable(e, v) && !(len(a.Lhs) == len(a.Rhs) && b.uses(a.Rhs[i], map[types.Object]bool{v: true})) {
					set = true
				}
			}
		}
		return !set
	})
	return set
}

// untimedWait finds x.Wait() behind the measured loop, while the timer stands, where the
// operations gave x the work that is awaited.
func (b *benchmark) untimedWait() {
	for _, l := range b.loops {
		if l.kind == parallelLoop {
			continue
		}
		list := b.following(l.node)
		stands := l.kind == byLoop // which stops the timer as it ends
		for _, s := range list {
			call := callOf(s)
			if call == nil {
				continue
			}
			switch {
			case b.calls(call, "StopTimer"):
				stands = true
			case b.calls(call, "StartTimer"):
				stands = false
			case stands && b.awaits(call, l):
				b.report(UntimedWait, call, Likely, "what the operations started is awaited here, while the timer stands: their work is not measured, or only a part of it",
					"to wait in the loop; or behind it, before b.StopTimer(), in a loop over b.N")
			}
		}
	}
}

// following are the statements behind one in the block that it is in.
func (b *benchmark) following(s ast.Stmt) (list []ast.Stmt) {
	ast.Inspect(b.body, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok {
			for i, other := range block.List {
				if other == s {
					list = block.List[i+1:]
				}
			}
		}
		return list == nil
	})
	return list
}

// awaits reports whether a call is v.Wait() of a variable of which the loop calls a method that
// is neither Wait nor one of those of sync.WaitGroup.
func (b *benchmark) awaits(call *ast.CallExpr, l loop) (awaits bool) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Wait" {
		return false
	}
	v := b.pkg.root(s.X)
	if v == nil || within(v.Pos(), l.body) {
		return false
	}
	waited := false
	ast.Inspect(l.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if m, ok := call.Fun.(*ast.SelectorExpr); ok && b.pkg.root(m.X) == v {
				if m.Sel.Name == "Wait" {
					waited = true
				} else {
					awaits = true
				}
			}
		}
		return true
	})
	return awaits && !waited
}

// sharedLock finds a lock that the benchmark itself declares and that goroutines of RunParallel
// take around what is not meant to be measured, before what is.
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
			if b.draws(locked) && hasCall(rest) {
				b.report(SharedLock, s, Likely, "goroutines wait for "+mutex.Name()+", which only this benchmark needs: it is measured with the work, and keeps it from running at once",
					"input that is drawn before, or a generator for every goroutine")
			}
		}
	}
}

// lockCall is the variable of a statement v.Lock().
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

func split(list []ast.Stmt, at func(ast.Stmt) bool) (before, after []ast.Stmt) {
	for i, s := range list {
		if at(s) {
			return list[:i], list[i+1:]
		}
	}
	return nil, nil
}

// draws reports whether statements draw from a random generator, which is never what a
// benchmark outside its package measures.
func (b *benchmark) draws(list []ast.Stmt) (draws bool) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				name := b.pkg.fullName(call)
				draws = draws || strings.HasPrefix(name, "(*math/rand.") || strings.HasPrefix(name, "(*math/rand/v2.")
			}
			return !draws
		})
	}
	return draws && !strings.HasPrefix(b.pkg.ImportPath, "math/rand")
}

func hasCall(list []ast.Stmt) (has bool) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			_, is := n.(*ast.CallExpr)
			has = has || is
			return !has
		})
	}
	return has
}

// skipsStart finds a way out between b.StopTimer and b.StartTimer: the timer stands from then on.
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

// skipping reports ways out of a statement between the stop and the start of the timer.
func (b *benchmark) skipping(s ast.Stmt) {
	started := false
	b.inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt: // its continue is its own
			return false
		case *ast.IfStmt:
			if b.isFailure(n.Cond) || b.fails(n.Body.List) {
				return false
			}
		case *ast.CallExpr:
			started = started || b.calls(n, "StartTimer")
		case *ast.ReturnStmt:
			if !started {
				b.report(TimerStopped, n, b.wayOut(), "the timer was stopped before and is not started on this way: nothing is measured from here on", "defer b.StartTimer() behind b.StopTimer(), or b.StartTimer() here")
			}
		case *ast.BranchStmt:
			if !started && n.Tok == token.CONTINUE {
				b.report(TimerStopped, n, Likely, "the timer was stopped before and is not started on this way", "b.StartTimer() before it")
			}
		}
		return true
	})
}

// wayOut is how sure it is that a return leaves a benchmark that goes on: that of a function
// that benchmarks call does.
func (b *benchmark) wayOut() Confidence {
	if b.runs {
		return Possible
	}
	return Likely
}
