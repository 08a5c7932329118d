package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// preparations lists functions of the standard library that benchmarks usually call only once.
var preparations = map[string]bool{
	"os.ReadFile": true, "io/ioutil.ReadFile": true, "os.Open": true, "os.OpenFile": true, "os.Create": true, "os.MkdirTemp": true, "os.CreateTemp": true,
	"regexp.MustCompile": true, "regexp.Compile": true, "math/rand.Perm": true, "math/rand.NewSource": true, "math/rand/v2.Perm": true,
	"net/http/httptest.NewServer": true, "net.Listen": true, "strings.Repeat": true, "bytes.Repeat": true,
	"text/template.Must": true, "html/template.Must": true, "crypto/rand.Read": true, "database/sql.Open": true, "compress/gzip.NewWriter": true,
	"path/filepath.Glob": true, "go/parser.ParseFile": true, "time.LoadLocation": true,
}

// preparing lists prefixes of the names of functions that create input.
var preparing = []string{"make", "build", "gen", "generate", "setup", "load", "prepare", "random", "rand", "fill", "create", "init", "fixture", "testdata"}

// setupInLoop finds calls and loops that prepare the same input in every operation.
func (b *benchmark) setupInLoop() {
	for _, l := range b.loops {
		paused := b.paused(l)
		for _, s := range l.body.List {
			if paused(s) {
				continue
			}
			b.preparesByCall(l, s)
			b.preparesByLoop(l, s)
		}
	}
}

// paused returns a function that reports whether a statement in the loop is executed with the timer
// stopped.
func (b *benchmark) paused(l loop) func(ast.Stmt) bool {
	stands, standing := false, map[ast.Stmt]bool{}
	for range 2 { // each operation starts with the timer as the previous one left it
		for _, s := range l.body.List {
			if e, ok := s.(*ast.ExprStmt); ok {
				if call, ok := e.X.(*ast.CallExpr); ok {
					if b.calls(call, "StopTimer") {
						stands = true
					} else if b.calls(call, "StartTimer") {
						stands = false
					}
				}
			}
			standing[s] = stands
		}
	}
	return func(s ast.Stmt) bool { return standing[s] }
}

func (b *benchmark) preparesByCall(l loop, s ast.Stmt) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	f := callee(b.pkg.info, call)
	if f == nil || f.Pkg() == nil || b.varies(l, call) || b.name == "Benchmark"+f.Name() {
		return
	}
	sure := Possible
	full := f.FullName()
	_, ours := b.pkg.declared[f.Origin().FullName()]
	switch {
	case ours && b.isFixture(call):
	case b.isSubject(f.Name()):
		return
	case preparations[full] || full == "(*testing.common).TempDir":
		sure = Likely
	case ours && b.sounds(f.Name()):
	default:
		return
	}
	v := b.result(a)
	if v == nil || !b.worksOn(l, v, s) {
		return
	}
	b.report(SetupInLoop, call, sure, f.Name()+" prepares "+v.Name()+" in every operation and is measured", "this line before the loop")
}

// isFixture reports whether a call is to a function in a test file that returns a slice, map or
// string and does not call the code under test.
func (b *benchmark) isFixture(call *ast.CallExpr) bool {
	d, ours := b.ours(call)
	if !ours || !b.pkg.isTest(d.Pos()) || !isContainer(firstResult(b.pkg.info, call)) {
		return false
	}
	return !contains(d.Body, func(call *ast.CallExpr) bool {
		if f := callee(d.info, call); f != nil {
			other, ours := b.pkg.declared[f.Origin().FullName()]
			return ours && !b.pkg.isTest(other.Pos())
		}
		return !d.info.Types[call.Fun].IsType() && !d.info.Types[call.Fun].IsBuiltin()
	})
}

// isTest reports whether a position is in a test file.
func (p *Package) isTest(at token.Pos) bool {
	return strings.HasSuffix(p.positions.Position(at).Filename, "_test.go")
}

// result returns the first variable that an assignment sets, or nil.
func (b *benchmark) result(a *ast.AssignStmt) types.Object {
	if name, ok := a.Lhs[0].(*ast.Ident); ok && name.Name != "_" {
		return b.object(name)
	}
	return nil
}

// isSubject reports whether, judging by their names, the benchmark measures the function.
func (b *benchmark) isSubject(function string) bool {
	benchmark, function := strings.ToLower(strings.TrimPrefix(b.name, "Benchmark")), strings.ToLower(function)
	short := strings.TrimPrefix(function, "must")
	return strings.Contains(benchmark, function) || strings.Contains(benchmark, short) || benchmark != "" && strings.Contains(function, benchmark)
}

func (b *benchmark) sounds(function string) bool {
	name := strings.ToLower(function)
	return slices.ContainsFunc(preparing, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// varies reports whether a call depends on a variable set in the loop.
func (b *benchmark) varies(l loop, call *ast.CallExpr) bool {
	return contains(call, func(name *ast.Ident) bool {
		v, ok := b.pkg.info.Uses[name].(*types.Var)
		return ok && !v.IsField() && (within(v.Pos(), l.node) || b.assigned(v, l.body))
	})
}

// assigned reports whether body assigns to v or to a part of it.
func (b *benchmark) assigned(v types.Object, body ast.Node) bool {
	return contains(body, func(n ast.Stmt) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return b.pkg.root(e) == v })
		case *ast.IncDecStmt:
			return b.pkg.root(n.X) == v
		}
		return false
	})
}

// worksOn reports whether a statement that follows after in the loop uses v in a call.
func (b *benchmark) worksOn(l loop, v types.Object, after ast.Stmt) (works bool) {
	for _, s := range l.body.List {
		if s.Pos() <= after.Pos() {
			continue
		}
		works = works || contains(s, func(call *ast.CallExpr) bool {
			m, ok := call.Fun.(*ast.SelectorExpr)
			return ok && m.Sel.Name != "Close" && b.pkg.root(m.X) == v ||
				slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return b.uses(arg, map[types.Object]bool{v: true}) })
		})
	}
	return works
}

// preparesByLoop finds inner loops that only fill the input for a later call.
func (b *benchmark) preparesByLoop(l loop, s ast.Stmt) {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.ForStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	default:
		return
	}
	var filled types.Object
	for _, inner := range body.List {
		a, ok := inner.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 {
			return
		}
		if _, indexed := a.Lhs[0].(*ast.IndexExpr); !indexed {
			call, ok := a.Rhs[0].(*ast.CallExpr)
			if !ok || !isBuiltin(b.pkg.info, call.Fun, "append") || !b.sameVariable(call.Args[0], a.Lhs[0]) {
				return
			}
		}
		filled = b.pkg.root(a.Lhs[0])
	}
	if filled != nil && within(filled.Pos(), l.body) && b.worksOn(l, filled, s) {
		b.report(SetupInLoop, s, Possible, "this loop prepares "+filled.Name()+" in every operation and is measured", "one "+filled.Name()+" before the loop, copied in operations that change it")
	}
}

// setupTimed finds work before a loop over b.N that is not followed by b.ResetTimer. b.Loop resets
// the timer itself.
func (b *benchmark) setupTimed() {
	if len(b.loops) == 0 || b.loops[0].kind != countedLoop {
		return
	}
	first := b.loops[0].node
	var work ast.Node
	b.inspect(b.body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= first.Pos() {
			return false
		}
		if within(first.Pos(), n) { // the statement contains the loop and may have code before it
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch {
			case b.calls(n, "ResetTimer", "StopTimer"):
				work = nil
			case b.isTestings(n), b.pkg.info.Types[n.Fun].IsType(), callee(b.pkg.info, n) == nil:
			case work == nil:
				work = n
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if work == nil {
				work = n
			}
		}
		return true
	})
	if work != nil {
		b.report(SetupTimed, work, Suspected, "preparation before the loop is measured", "b.ResetTimer() before the loop, or for b.Loop()")
	}
}
