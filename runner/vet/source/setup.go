package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// preparations of the standard library: their results are made once as a rule.
var preparations = map[string]bool{
	"os.ReadFile": true, "io/ioutil.ReadFile": true, "os.Open": true, "os.OpenFile": true, "os.Create": true, "os.MkdirTemp": true, "os.CreateTemp": true,
	"regexp.MustCompile": true, "regexp.Compile": true, "math/rand.Perm": true, "math/rand.NewSource": true, "math/rand/v2.Perm": true,
	"net/http/httptest.NewServer": true, "net.Listen": true, "strings.Repeat": true, "bytes.Repeat": true,
	"text/template.Must": true, "html/template.Must": true, "crypto/rand.Read": true, "database/sql.Open": true, "compress/gzip.NewWriter": true,
	"path/filepath.Glob": true, "go/parser.ParseFile": true, "time.LoadLocation": true,
}

// preparing begins the names of functions that make input.
var preparing = []string{"make", "build", "gen", "generate", "setup", "load", "prepare", "random", "rand", "fill", "create", "init", "fixture", "testdata"}

// setupInLoop finds, in a loop, a call that prepares what another call of the operation works
// on, with arguments that are the same for every operation.
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

// paused tells which statements of a loop run while the timer stands.
func (b *benchmark) paused(l loop) func(ast.Stmt) bool {
	stands, standing := false, map[ast.Stmt]bool{}
	for range 2 { // an operation begins as the one before has left the timer
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
	b.report(SetupInLoop, call, sure, f.Name()+" prepares "+v.Name()+" with every operation, and is measured with it", "this line before the loop")
}

// isFixture reports whether a call is of a function in a test file that gives a slice, a map or
// a string, the same each time, and calls nothing of what is tested.
func (b *benchmark) isFixture(call *ast.CallExpr) bool {
	d, ours := b.ours(call)
	if !ours || !b.pkg.isTest(d.Pos()) || !isContainer(firstResult(b.pkg.info, call)) {
		return false
	}
	tests := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f := callee(d.info, call); f != nil {
				other, ours := b.pkg.declared[f.Origin().FullName()]
				tests = tests || ours && !b.pkg.isTest(other.Pos())
			} else if !d.info.Types[call.Fun].IsType() && !d.info.Types[call.Fun].IsBuiltin() {
				tests = true
			}
		}
		return !tests
	})
	return !tests
}

// isTest reports whether a position is in a test file.
func (p *Package) isTest(at token.Pos) bool {
	return strings.HasSuffix(p.positions.Position(at).Filename, "_test.go")
}

// result is the first variable that an assignment sets.
func (b *benchmark) result(a *ast.AssignStmt) types.Object {
	if name, ok := a.Lhs[0].(*ast.Ident); ok && name.Name != "_" {
		return b.object(name)
	}
	return nil
}

// isSubject reports whether a benchmark's name says that it measures a function.
func (b *benchmark) isSubject(function string) bool {
	benchmark, function := strings.ToLower(strings.TrimPrefix(b.name, "Benchmark")), strings.ToLower(function)
	short := strings.TrimPrefix(function, "must")
	return strings.Contains(benchmark, function) || strings.Contains(benchmark, short) || benchmark != "" && strings.Contains(function, benchmark)
}

func (b *benchmark) sounds(function string) bool {
	name := strings.ToLower(function)
	for _, p := range preparing {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// varies reports whether a call depends on what the loop sets.
func (b *benchmark) varies(l loop, call *ast.CallExpr) (varies bool) {
	ast.Inspect(call, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok {
			return !varies
		}
		v, ok := b.pkg.info.Uses[name].(*types.Var)
		if ok && !v.IsField() && (within(v.Pos(), l.node) || b.assigned(v, l.body)) {
			varies = true
		}
		return !varies
	})
	return varies
}

func (b *benchmark) assigned(v types.Object, body ast.Node) (assigned bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				assigned = assigned || b.pkg.root(e) == v
			}
		case *ast.IncDecStmt:
			assigned = assigned || b.pkg.root(n.X) == v
		}
		return !assigned
	})
	return assigned
}

// worksOn reports whether a later statement of the loop calls something with a variable.
func (b *benchmark) worksOn(l loop, v types.Object, after ast.Stmt) (works bool) {
	for _, s := range l.body.List {
		if s.Pos() <= after.Pos() {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return !works
			}
			for _, arg := range call.Args {
				works = works || b.uses(arg, map[types.Object]bool{v: true})
			}
			if m, ok := call.Fun.(*ast.SelectorExpr); ok && m.Sel.Name != "Close" && b.pkg.root(m.X) == v {
				works = true
			}
			return !works
		})
	}
	return works
}

// preparesByLoop finds a loop within the loop that only fills what a later call works on.
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
		b.report(SetupInLoop, s, Possible, "this loop prepares "+filled.Name()+" with every operation, and is measured with it", "one "+filled.Name()+" before the loop, and a copy of it for every operation where they change it")
	}
}

// setupTimed finds work between the beginning of a benchmark and its loop over b.N that no
// b.ResetTimer leaves out. b.Loop leaves it out itself.
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
		if within(first.Pos(), n) { // what is before the loop may be in it
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
		b.report(SetupTimed, work, Suspected, "what prepares the loop is measured with it", "b.ResetTimer() before the loop, or for b.Loop()")
	}
}
