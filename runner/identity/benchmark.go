package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Benchmarks is the source of a package's tests, read for [Benchmarks.Hash].
type Benchmarks struct {
	declared map[string][]declaration // by name, those of methods by the name of their type
}

// A declaration is what test files declare under one name.
type declaration struct {
	source string   // one token a line, see tokens
	names  []string // all that it mentions
}

// ReadBenchmarks reads the test files of a package in dir.
func ReadBenchmarks(dir string, testFiles []string) (*Benchmarks, error) {
	b := &Benchmarks{map[string][]declaration{}}
	for _, file := range testFiles {
		name := filepath.Join(dir, file)
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("identify benchmarks: %w", err)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("identify benchmarks: %w", err)
		}
		sourceOf := func(n ast.Node) string {
			var source strings.Builder
			tokens(&source, text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
			return source.String()
		}
		for _, d := range parsed.Decls {
			b.add(d, sourceOf)
		}
	}
	return b, nil
}

// always are declared by what runs with each benchmark of a package.
var always = []string{"TestMain", "init", "_"}

// Hash identifies the source text of a benchmark, comments and layout aside: 64 hex digits. It is
// that of its function and of all that this reaches of the test files: helpers, variables, imports;
// and what runs before every benchmark. Name is with or without the prefix Benchmark, and a
// sub-benchmark is its function. What is declared in the package and in its external tests counts
// as declared by both.
func (b *Benchmarks) Hash(name string) (string, error) {
	name, _, _ = strings.Cut("Benchmark"+strings.TrimPrefix(name, "Benchmark"), "/")
	if len(b.declared[name]) == 0 {
		return "", fmt.Errorf("identify %s: %w", name, errNoFunction)
	}
	reached := map[string]bool{}
	for next := append([]string{name}, always...); len(next) > 0; {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		if reached[name] || len(b.declared[name]) == 0 {
			continue
		}
		reached[name] = true
		for _, d := range b.declared[name] {
			next = append(next, d.names...)
		}
	}
	var sources []string // the order of files and declarations does not count
	for name := range reached {
		for _, d := range b.declared[name] {
			sources = append(sources, d.source)
		}
	}
	slices.Sort(sources)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(sources), "\x00")))
	return hex.EncodeToString(sum[:]), nil
}

var errNoFunction = errors.New("no test file of the package declares this function")

// add adds what a declaration declares. Constants of a group count on, so they are one; all else
// stands alone.
func (b *Benchmarks) add(d ast.Decl, sourceOf func(ast.Node) string) {
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Tok == token.CONST {
		b.declare(d, sourceOf(d), namesOf(d)...)
		return
	}
	for _, spec := range group.Specs {
		b.declare(spec, group.Tok.String()+" "+sourceOf(spec), namesOf(spec)...)
	}
}

func (b *Benchmarks) declare(n ast.Node, source string, names ...string) {
	decl := declaration{source: source}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !slices.Contains(decl.names, id.Name) {
			decl.names = append(decl.names, id.Name)
		}
		return true
	})
	for _, name := range names {
		b.declared[name] = append(b.declared[name], decl)
	}
}

// namesOf returns the names under which a node is found: a method those of its receiver, an import
// its own or the end of its path.
func namesOf(n ast.Node) (names []string) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv == nil {
			return []string{n.Name.Name}
		}
		ast.Inspect(n.Recv, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
			return true
		})
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			names = append(names, namesOf(spec)...)
		}
	case *ast.TypeSpec:
		names = []string{n.Name.Name}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			names = append(names, id.Name)
		}
	case *ast.ImportSpec:
		if n.Name != nil {
			return []string{n.Name.Name}
		}
		whole, _ := strconv.Unquote(n.Path.Value) // the parser has read it
		if dir, last := path.Split(whole); majorVersion.MatchString(last) {
			whole = path.Clean(dir)
		}
		names = []string{path.Base(whole)}
	}
	return names
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)
