package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No test depends on a time limit, since a busy machine may exceed it, and only live tests take
// seeds from the clock.
func TestNoTestIsARace(t *testing.T) {
	var files []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 {
			return filepath.SkipDir
		}
		if d != nil && d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir // the tests there are only data
		}
		if strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range races(file) {
			t.Errorf("%s: %s", set.Position(bad.pos), bad.what)
		}
	}
}

// A race is a place where a test can fail on a busy machine.
type race struct {
	pos  token.Pos
	what string
}

func races(file *ast.File) (found []race) {
	var times []string // variables with elapsed times
	live := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				if name, ok := n.Lhs[i].(*ast.Ident); ok && isCall(right, "time", "Since") {
					times = append(times, name.Name)
				}
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "live" || f.Name == "tortures") {
				live = true
			}
		}
		return true
	})
	passed := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return isCall(e, "time", "Since") || ok && slices.Contains(times, name.Name)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			above := (n.Op == token.GTR || n.Op == token.GEQ) && passed(n.X)
			below := (n.Op == token.LSS || n.Op == token.LEQ) && passed(n.Y)
			if above || below {
				found = append(found, race{n.Pos(), "the time that passed has an upper limit: count what is done instead, or let it hang"})
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "UnixNano" && isCall(f.X, "time", "Now") && !live && len(n.Args) == 0 && isSeed(file, n) {
				found = append(found, race{n.Pos(), "the seed is of the clock: fix it, or make the test a live one"})
			}
		}
		return true
	})
	return found
}

func isCall(e ast.Expr, pkg, name string) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	p, ok := f.X.(*ast.Ident)
	return ok && p.Name == pkg
}

// isSeed reports whether file converts call to uint64, the type of seeds.
func isSeed(file *ast.File, call *ast.CallExpr) (seed bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || c.Args[0] != ast.Expr(call) {
			return true
		}
		f, ok := c.Fun.(*ast.Ident)
		seed = seed || ok && f.Name == "uint64"
		return true
	})
	return seed
}
