package record_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// Every key set, read or compared in the code is in the table and has a constant in this package.
// Tests may spell keys out, and keys from other programs reach the code only as values.
func TestKeysAreOfTheTable(t *testing.T) {
	texts := map[string]map[string]string{} // contents of the files, by directory and path
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "engine" || strings.HasSuffix(name, "test") || len(name) > 2 && name[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if dir := filepath.Dir(path); texts[dir] == nil {
			texts[dir] = map[string]string{}
		}
		texts[filepath.Dir(path)][path] = string(text)
		files++
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("looked at %d files: %v", files, err)
	}
	for _, dir := range slices.Sorted(maps.Keys(texts)) {
		for _, problem := range unnamedKeys(t, texts[dir]) {
			t.Error(problem)
		}
	}
	for name, value := range keyConstants(t) {
		if _, ok := record.Lookup(value); !ok {
			t.Errorf("%s, %q, does not stand in record.Keys", name, value)
		}
	}
}

// The test above would find keys that are spelled out.
func TestUnnamedKeysAreSeen(t *testing.T) {
	for _, tt := range []struct {
		code string
		want int // problems
	}{
		{`r.Facts = r.Facts.Set("secret", v)`, 1},
		{`_ = r.Env.Get("goos")`, 1},
		{`_ = p.Env[base].Get("goos")`, 1},
		{`_ = r.Facts.Get(secretKey)`, 1},
		{`res.SetConfig("pkg", v)`, 1},
		{`_ = res.GetConfig(secretKey)`, 1},
		{`_ = record.Setting{"secret", v}`, 1},
		{`_ = record.Setting{Key: "secret", Value: v}`, 1},
		{`_ = record.Settings{{Key: "secret", Value: v}, {secretKey, v}}`, 2},
		{`_ = benchfmt.Config{Key: "pkg"}`, 1},
		{`_ = c.Key == "pkg"`, 1},
		{`_ = "layout" != s.Key`, 1},
		{`_ = []string{"cpu", "cpu-count"}`, 1},
		{`r.Facts = r.Facts.Set(record.KeyProcedure, v)`, 0},
		{`r.Facts = r.Facts.Set(key, v)`, 0},
		{`_ = record.Settings{{Key: record.KeyHost, Value: "cpu"}}`, 0},
		{`_ = map[string]string{"cpu": v, "cpu-count": v}`, 1},
		{`_ = []string{"cpu", "memory"}`, 0},
		{`_ = resp.Header.Get("Link")`, 0},
	} {
		texts := map[string]string{"a.go": "package p\nfunc f() {\n" + tt.code + "\n}\n", "b.go": "package p\nconst secretKey = \"secret\"\n"}
		if got := unnamedKeys(t, texts); len(got) != tt.want {
			t.Errorf("%s: %q, want %d", tt.code, got, tt.want)
		}
	}
}

// unnamedKeys finds uses of keys in a package's files without the constants from package record,
// and lists of keys that could be taken from the table.
func unnamedKeys(t *testing.T, texts map[string]string) (problems []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	own := map[string]string{} // string constants declared in the package
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		if file.Name.Name != "record" {
			maps.Copy(own, constants(file))
		}
	}
	for _, file := range files {
		problems = append(problems, unnamedIn(fset, file, own)...)
	}
	return problems
}

func unnamedIn(fset *token.FileSet, file *ast.File, own map[string]string) (problems []string) {
	named := func(key ast.Expr) {
		value, ok := literal(key)
		if id, is := key.(*ast.Ident); is && !ok {
			value, ok = own[id.Name]
		}
		if ok {
			problems = append(problems, fset.Position(key.Pos()).String()+": key "+strconv.Quote(value)+" is to be named by a constant of runner/record")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && takesKey(method) {
				named(n.Args[0])
			}
		case *ast.CompositeLit:
			switch typeName(n.Type) {
			case "Setting", "Config":
				named(keyOf(n))
			case "Settings":
				for _, e := range n.Elts {
					if s, ok := e.(*ast.CompositeLit); ok {
						named(keyOf(s))
					}
				}
			case "[]string", "map[string]":
				if len(n.Elts) > 1 && !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { return !knownLiteral(e) }) {
					problems = append(problems, fset.Position(n.Pos()).String()+": a list of keys is to come from record.Keys")
				}
			}
		case *ast.BinaryExpr:
			for _, sides := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				if s, ok := sides[0].(*ast.SelectorExpr); ok && s.Sel.Name == "Key" && knownLiteral(sides[1]) {
					named(sides[1])
				}
			}
		}
		return true
	})
	return problems
}

// takesKey reports whether a method's first argument is a configuration key.
func takesKey(method *ast.SelectorExpr) bool {
	switch method.Sel.Name {
	case "SetConfig", "GetConfig", "ConfigIndex", "setConfig":
		return true
	case "Get", "Set":
		on := method.X
		if i, ok := on.(*ast.IndexExpr); ok {
			on = i.X
		}
		name := strings.ToLower(typeName(on))
		return strings.HasSuffix(name, "env") || strings.HasSuffix(name, "facts")
	}
	return false
}

// typeName returns the last name in an expression, such as Settings in record.Settings.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeName(x.Elt)
	case *ast.MapType:
		return "map[" + typeName(x.Key) + "]"
	}
	return ""
}

// keyOf returns the key in the composite literal of a setting, or nil.
func keyOf(s *ast.CompositeLit) ast.Expr {
	for i, e := range s.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok && i == 0 {
			return e
		}
		if ok && typeName(pair.Key) == "Key" {
			return pair.Value
		}
	}
	return nil
}

func literal(x ast.Expr) (value string, ok bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(lit.Value)
	return value, err == nil
}

func knownLiteral(x ast.Expr) bool {
	if pair, ok := x.(*ast.KeyValueExpr); ok {
		x = pair.Key
	}
	value, ok := literal(x)
	_, known := record.Lookup(value)
	return ok && known
}

// constants returns the string constants declared in a file for its package.
func constants(file *ast.File) map[string]string {
	found := map[string]string{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					if value, ok := literal(spec.Values[i]); ok {
						found[name.Name] = value
					}
				}
			}
		}
	}
	return found
}

// keyConstants returns the constants in keys.go that name keys, with their values.
func keyConstants(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "keys.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := constants(file)
	for name := range found {
		if !strings.HasPrefix(name, "Key") && !strings.HasPrefix(name, "key") {
			delete(found, name)
		}
	}
	if len(found) < 50 {
		t.Errorf("found %d names of keys", len(found))
	}
	return found
}
