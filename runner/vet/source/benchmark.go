package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A benchmark is a function that is given a *testing.B: BenchmarkX itself, what it calls with
// its b, or what b.Run runs.
type benchmark struct {
	pkg   *Package
	name  string   // of the function declaration that it is in
	decl  ast.Node // *ast.FuncDecl or *ast.FuncLit
	body  *ast.BlockStmt
	runs  bool         // b.Run runs it, or go test itself
	b     types.Object // its *testing.B
	outer []types.Object
	loops []loop
	found []Finding
}

// A loop runs what is measured, once for each operation.
type loop struct {
	node ast.Stmt
	body *ast.BlockStmt
	kind loopKind
}

type loopKind int

const (
	countedLoop  loopKind = iota // to b.N
	byLoop                       // for b.Loop()
	parallelLoop                 // for pb.Next()
)

// benchmarks returns the functions of the package's tests that are given a *testing.B.
func (p *Package) benchmarks() (all []*benchmark) {
	for _, file := range p.files {
		if !strings.HasSuffix(p.positions.Position(file.Package).Filename, "_test.go") {
			continue
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				all = p.collect(all, benchmark{name: d.Name.Name, decl: d, body: d.Body, runs: strings.HasPrefix(d.Name.Name, "Benchmark")}, d.Type)
			}
		}
	}
	return all
}

// collect appends the benchmark that a function is, if it is one, and those inside it.
func (p *Package) collect(all []*benchmark, f benchmark, typ *ast.FuncType) []*benchmark {
	f.pkg = p
	outer := f.outer
	for _, field := range typ.Params.List {
		for _, ident := range field.Names {
			if object := p.info.Defs[ident]; ident.Name != "_" && object != nil && isTesting(object.Type(), "B") {
				f.b = object
				f.findLoops()
				all = append(all, &f)
				outer = append(outer[:len(outer):len(outer)], object)
			}
		}
	}
	run := map[ast.Expr]bool{}
	ast.Inspect(f.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Run" && len(n.Args) == 2 {
				run[n.Args[1]] = true
			}
		case *ast.FuncLit:
			all = p.collect(all, benchmark{name: f.name, decl: n, body: n.Body, runs: run[n], outer: outer}, n.Type)
			return false
		}
		return true
	})
	return all
}

// isTesting reports whether a type is *testing.NAME.
func isTesting(t types.Type, name string) bool {
	pointer, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := pointer.Elem().(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}

// inspect walks over a node of the benchmark, leaving out functions with a *testing.B of
// their own, which are benchmarks of their own.
func (b *benchmark) inspect(n ast.Node, visit func(ast.Node) bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && f != b.decl && b.pkg.hasB(f.Type) {
			return false
		}
		return visit(n)
	})
}

func (p *Package) hasB(typ *ast.FuncType) bool {
	for _, field := range typ.Params.List {
		if t := p.info.TypeOf(field.Type); t != nil && isTesting(t, "B") {
			return true
		}
	}
	return false
}

func (b *benchmark) findLoops() {
	counts := b.countVariables()
	b.inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			switch {
			case b.mentions(n.Cond, "Loop"):
				b.loops = append(b.loops, loop{n, n.Body, byLoop})
			case b.asksNext(n.Cond):
				b.loops = append(b.loops, loop{n, n.Body, parallelLoop})
			case b.mentions(n.Cond, "N") || b.mentions(n.Init, "N") || b.uses(n.Cond, counts):
				b.loops = append(b.loops, loop{n, n.Body, countedLoop})
			}
		case *ast.RangeStmt:
			if b.mentions(n.X, "N") || b.uses(n.X, counts) {
				b.loops = append(b.loops, loop{n, n.Body, countedLoop})
			}
		}
		return true
	})
}

// countVariables are the numbers that are computed from b.N.
func (b *benchmark) countVariables() map[types.Object]bool {
	counts := map[types.Object]bool{}
	b.inspect(b.body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && b.mentions(a.Rhs[0], "N") {
			if name, ok := a.Lhs[0].(*ast.Ident); ok {
				if object := b.object(name); object != nil && isInteger(object.Type()) {
					counts[object] = true
				}
			}
		}
		return true
	})
	return counts
}

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

// object is what a name stands for.
func (b *benchmark) object(name *ast.Ident) types.Object {
	if object := b.pkg.info.Uses[name]; object != nil {
		return object
	}
	return b.pkg.info.Defs[name]
}

// uses reports whether a node mentions one of the objects.
func (b *benchmark) uses(n ast.Node, objects map[types.Object]bool) (found bool) {
	if n == nil || len(objects) == 0 {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && objects[b.object(name)] {
			found = true
		}
		return !found
	})
	return found
}

// isField reports whether an expression is b.NAME.
func (b *benchmark) isField(n ast.Node, name string) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && b.object(x) == b.b
}

// mentions reports whether b.NAME is part of a node.
func (b *benchmark) mentions(n ast.Node, name string) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || b.isField(n, name)
		return !found
	})
	return found
}

// asksNext reports whether an expression calls Next of a *testing.PB.
func (b *benchmark) asksNext(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Next" {
		return false
	}
	t := b.pkg.info.TypeOf(s.X)
	return t != nil && isTesting(t, "PB")
}

// callee is the function or method that is called, nil where that is not known.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // with a type argument
		fun = index.X
	}
	var name *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	f, _ := info.Uses[name].(*types.Func)
	return f
}

// calls reports whether a call is one of testing.B's methods on the benchmark's b.
func (b *benchmark) calls(call *ast.CallExpr, methods ...string) bool {
	for _, m := range methods {
		if b.isField(call.Fun, m) {
			return true
		}
	}
	return false
}

// fullName of what is called: "fmt.Println", "(*bytes.Buffer).Write"; "" if it is not known.
func (p *Package) fullName(call *ast.CallExpr) string {
	if f := callee(p.info, call); f != nil {
		return f.FullName()
	}
	return ""
}

// within reports whether a position is in a node.
func within(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }

// root is the variable that an expression begins with: x of x, x[i], x.f, *x, &x, x[:n].
func (p *Package) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := p.info.Uses[x].(*types.Var); ok {
				return v
			}
			v, _ := p.info.Defs[x].(*types.Var)
			if v == nil {
				return nil
			}
			return v
		case *ast.SelectorExpr:
			if _, ok := p.info.Uses[x.Sel].(*types.Var); ok {
				if id, ok := x.X.(*ast.Ident); ok {
					if _, isPackage := p.info.Uses[id].(*types.PkgName); isPackage {
						return p.info.Uses[x.Sel]
					}
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil
			}
			e = x.X
		case *ast.CallExpr: // a conversion, as sort.IntSlice(x)
			if len(x.Args) != 1 || !p.info.Types[x.Fun].IsType() {
				return nil
			}
			e = x.Args[0]
		default:
			return nil
		}
	}
}
