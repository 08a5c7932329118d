package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// A benchmark is a function with a *testing.B parameter: BenchmarkX itself, a function to which it
// passes its b, or a function run by b.Run.
type benchmark struct {
	pkg   *Package
	name  string   // name of the enclosing function declaration
	decl  ast.Node // *ast.FuncDecl or *ast.FuncLit
	body  *ast.BlockStmt
	runs  bool           // run by b.Run or go test
	b     types.Object   // its *testing.B parameter
	outer []types.Object // the *testing.B parameters of enclosing benchmarks
	loops []loop
	found []Finding
}

// A loop is a measured loop. Each iteration is one operation.
type loop struct {
	node ast.Stmt
	body *ast.BlockStmt
	kind loopKind
}

type loopKind int

const (
	countedLoop  loopKind = iota // a loop up to b.N
	byLoop                       // a loop with b.Loop()
	parallelLoop                 // a loop with pb.Next()
)

// benchmarks returns the benchmarks in the package's test files.
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

// collect appends the function f to all if it is a benchmark, and also the benchmarks nested in it.
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

// isTesting reports whether t is a pointer to the named type in package testing.
func isTesting(t types.Type, name string) bool {
	pointer, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := pointer.Elem().(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}

// inspect traverses a node of the benchmark but skips benchmarks nested in it.
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

// countVariables returns the integer variables computed from b.N.
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
