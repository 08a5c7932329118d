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

	"github.com/perftrack/perftrack/runner/gobench"
)

// Benchmarks holds the source of a package's tests, for use by [Benchmarks.Hash].
type Benchmarks struct {
	declared map[string][]declaration // by name; a method is stored under the name of its type
}

// A declaration is one declaration in a test file.
type declaration struct {
	source string   // one token per line; see tokens
	names  []string // all identifiers in it
}

// ReadBenchmarks reads the given test files of a package in dir.
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

// always lists the names of declarations that every benchmark in a package runs.
var always = []string{"TestMain", "init", "_"}

// Hash returns a hash of the source of a benchmark without its comments and layout, as 64 hex
// digits. It covers the function and everything it uses from the test files, such as helpers,
// variables and imports, as well as the code run before every benchmark. name may have the prefix
// Benchmark. The hash of a sub-benchmark is that of its function. Declarations in the package and
// in its external test package are used for both.
func (b *Benchmarks) Hash(name string) (string, error) {
	name = gobench.Function(strings.TrimPrefix(name, gobench.Prefix))
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
	var sources []string // sorted below, because the order of files and declarations does not matter
	for name := range reached {
		for _, d := range b.declared[name] {
			sources = append(sources, d.source)
		}
	}
	slices.Sort(sources)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(sources), "\x00")))
	return hex.EncodeToString(sum[:]), nil
}

var errNoFunction = errors.New("no test file in the package declares this function")

// add stores d under the names it declares. The constants in a group depend on each other, so they
// are kept together. All other declarations are stored separately.
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

// namesOf returns the names a node is stored under. For a method, these are the names in its
// receiver; for an import, it is the import's own name or the last part of its path that is not a
// version.
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
		whole, _ := strconv.Unquote(n.Path.Value) // the parser has already checked it
		if dir, last := path.Split(whole); majorVersion.MatchString(last) {
			whole = path.Clean(dir)
		}
		names = []string{path.Base(whole)}
	}
	return names
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)
