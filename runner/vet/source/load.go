package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Package is a package's source with its tests: what the go command compiles for a test.
type Package struct {
	ImportPath string // without what the go command adds for a test
	Dir        string
	// Incomplete says why some types are not known: rules that need them are silent there.
	Incomplete error

	files     []*ast.File
	positions *token.FileSet
	info      *types.Info
	declared  declarations
	edits     []edit // that show ignored errors
}

// declarations are the functions of all packages that were loaded, by their full names, to
// look into what a benchmark calls.
type declarations map[string]declaration

type declaration struct {
	*ast.FuncDecl
	info *types.Info
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir, Export, ForTest, Name string
	CompiledGoFiles                        []string
	ImportMap                              map[string]string
	Standard, DepOnly                      bool
	Module                                 *struct{ GoVersion string }
	Error                                  *struct{ Err string }
}

// Load reads the packages that match patterns in dir, with their tests. What they import is
// compiled as for a test; types come from there.
func Load(ctx context.Context, dir string, patterns []string) ([]*Package, error) {
	argv := append([]string{"go", "list", "-e", "-test", "-deps", "-export", "-compiled",
		"-json=ImportPath,Dir,Export,ForTest,Name,CompiledGoFiles,ImportMap,Standard,DepOnly,Module,Error", "--"}, patterns...)
	out, err := build.Step(ctx, "the packages to read", proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	all, err := decode(out)
	if err != nil {
		return nil, err
	}
	l := loader{exports: map[string]string{}, positions: token.NewFileSet(), declared: declarations{}}
	tested := map[string]bool{} // that a variant with tests stands for
	for _, p := range all {
		l.exports[p.ImportPath] = p.Export
		if p.ForTest != "" && p.plainPath() == p.ForTest {
			tested[p.ForTest] = true
		}
	}
	var packages []*Package
	for _, p := range all {
		if p.DepOnly || p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") || p.ForTest == "" && tested[p.ImportPath] {
			continue
		}
		loaded, err := l.load(p)
		if err != nil {
			return nil, err
		}
		packages = append(packages, loaded)
	}
	return packages, nil
}

func decode(out []byte) (all []listed, err error) {
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the list of packages: %w", err)
		}
		all = append(all, p)
	}
}

// plainPath is the import path without the test that a package is compiled for.
func (p listed) plainPath() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

type loader struct {
	exports   map[string]string // of a package as the go command names it: a file
	positions *token.FileSet
	declared  declarations
}

func (l loader) load(p listed) (*Package, error) {
	loaded := &Package{ImportPath: p.plainPath(), Dir: p.Dir, positions: l.positions, declared: l.declared, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	if p.Error != nil {
		loaded.Incomplete = errors.New(withoutHeader(p.Error.Err))
	}
	for _, name := range p.CompiledGoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(l.positions, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			loaded.Incomplete = err
		}
		if file != nil {
			loaded.files = append(loaded.files, file)
		}
	}
	check := types.Config{
		Importer: importer.ForCompiler(l.positions, "gc", func(path string) (io.ReadCloser, error) { return l.open(p, path) }),
		Error: func(err error) {
			if loaded.Incomplete == nil {
				loaded.Incomplete = err
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		check.GoVersion = "go" + p.Module.GoVersion
	}
	_, _ = check.Check(loaded.ImportPath, l.positions, loaded.files, loaded.info) // its errors were told to Error
	loaded.declare()
	return loaded, nil
}

// withoutHeader leaves out the lines with which the go command says which package follows.
func withoutHeader(text string) string {
	for strings.HasPrefix(text, "# ") {
		_, rest, more := strings.Cut(text, "\n")
		if !more {
			break
		}
		text = rest
	}
	return text
}

// open opens the compiled form of what a package imports.
func (l loader) open(p listed, path string) (io.ReadCloser, error) {
	if mapped := p.ImportMap[path]; mapped != "" {
		path = mapped
	}
	file := l.exports[path]
	if file == "" {
		return nil, fmt.Errorf("%s was not compiled", path)
	}
	return os.Open(file)
}

// declare adds the package's functions to those that are known.
func (p *Package) declare() {
	for _, file := range p.files {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			if f, ok := p.info.Defs[d.Name].(*types.Func); ok {
				p.declared[f.FullName()] = declaration{d, p.info}
			}
		}
	}
}
