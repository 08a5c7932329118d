package explain

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDeclaredName(t *testing.T) {
	for _, tt := range []struct{ function, want string }{
		{"example.com/m.f", "example.com/m.f"},
		{"example.com/m.(*T).f", "example.com/m.T.f"},
		{"example.com/m.T.f", "example.com/m.T.f"},
		{"example.com/m.f.func1", "example.com/m.f"},
		{"example.com/m.(*T).f.func2.1", "example.com/m.T.f"},
		{"example.com/m.f.gowrap1", "example.com/m.f"},
		{"example.com/m.f-range1", "example.com/m.f"},
		{"example.com/m.T.f-fm", "example.com/m.T.f"},
		{"example.com/m.f[...]", "example.com/m.f"},
		{"example.com/m.(*T[go.shape.[]uint8]).f", "example.com/m.T.f"},
		{"example.com/m_test.BenchmarkF", "example.com/m_test.BenchmarkF"},
		{"gopkg.in/yaml.v3.f", "gopkg.in/yaml.v3.f"},
		{"main.f", "main.f"},
	} {
		if got := declaredName(tt.function); got != tt.want {
			t.Errorf("%s is declared as %s, want %s", tt.function, got, tt.want)
		}
	}
}

func TestChangedDeclarations(t *testing.T) {
	const before = `package m

const rounds = 10

type pair struct{ a, b int }

// f has a comment.
func f() int { return g() }

func g() int {
	return 1
}

func loop() { for range rounds { g() } }

func (p *pair) sum() int { return p.a + p.b }

func (p pair) first() int { return p.a }
`
	for _, tt := range []struct{ name, was, is, want string }{
		{"nothing", "", "", ""},
		{"a comment and the layout", "// f has a comment.\nfunc f() int { return g() }", "// Another.\nfunc f() int {\n\treturn g() // here\n}", ""},
		{"a body", "return 1", "return 2", ".g"},
		{"a constant that a function uses", "rounds = 10", "rounds = 30", ".loop"},
		{"a type", "a, b int }", "a, b, c int }", ".pair.first .pair.sum"},
		{"a method", "p.a + p.b", "p.b + p.a", ".pair.sum"},
		{"one more and one less", "func g()", "func h()", ".g .h"},
	} {
		var sides [2]declared
		for i, text := range []string{before, strings.Replace(before, tt.was, tt.is, 1)} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "m.go"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			sides[i] = declarations(dir)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(sides[0].changed(sides[1]))), " "); got != tt.want {
			t.Errorf("%s: %q changed, want %q", tt.name, got, tt.want)
		}
	}
}

func TestImportPath(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n", "tools/go.mod": "module \"example.com/tools\"\n", "tools/a/b/x.go": "package b\n", "c/x.go": "package c\n"} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]string{".": "example.com/m", "c": "example.com/m/c", "tools": "example.com/tools", "tools/a/b": "example.com/tools/a/b"} {
		if got := importPath(top, folder); got != want {
			t.Errorf("%s is %q, want %q", folder, got, want)
		}
	}
}
