// Package load loads Go packages with their tests and types, for the rules in package vet.
package load

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
	"github.com/perftrack/perftrack/runner/vet"
)

// listed is the output of go list for one package.
type listed struct {
	ImportPath, Dir, Export, ForTest, Name string
	CompiledGoFiles                        []string
	ImportMap                              map[string]string
	Standard, DepOnly                      bool
	Module                                 *struct{ GoVersion string }
	Error                                  *struct{ Err string }
}

// Packages loads the packages in dir matching patterns, with their tests. It lets the go command
// compile their imports as for a test and takes types from the compiled packages.
func Packages(ctx context.Context, dir string, patterns []string) ([]*vet.Package, error) {
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
	l := loader{exports: map[string]string{}, positions: token.NewFileSet(), declared: vet.Declarations{}}
	tested := map[string]bool{} // packages also listed as a variant with tests
	for _, p := range all {
		l.exports[p.ImportPath] = p.Export
		if p.ForTest != "" && p.plainPath() == p.ForTest {
			tested[p.ForTest] = true
		}
	}
	var packages []*vet.Package
	for _, p := range all {
		if p.DepOnly || p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") || p.ForTest == "" && tested[p.ImportPath] {
			continue
		}
		packages = append(packages, l.load(p))
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

// plainPath returns the import path without the suffix of a test variant.
func (p listed) plainPath() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

type loader struct {
	exports   map[string]string // export data file, keyed by the package's import path in go list
	positions *token.FileSet
	declared  vet.Declarations
}

func (l loader) load(p listed) *vet.Package {
	var files []*ast.File
	var incomplete error
	if p.Error != nil {
		incomplete = errors.New(withoutHeader(p.Error.Err))
	}
	for _, name := range p.CompiledGoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(l.positions, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			incomplete = err
		}
		if file != nil {
			files = append(files, file)
		}
	}
	check := types.Config{
		Importer: importer.ForCompiler(l.positions, "gc", func(path string) (io.ReadCloser, error) { return l.open(p, path) }),
		Error: func(err error) {
			if incomplete == nil {
				incomplete = err
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		check.GoVersion = "go" + p.Module.GoVersion
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	_, _ = check.Check(p.plainPath(), l.positions, files, info) // errors were passed to check.Error
	loaded := vet.NewPackage(p.plainPath(), l.positions, files, info, l.declared)
	loaded.Incomplete = incomplete
	return loaded
}

// withoutHeader removes the "# PACKAGE" lines of the go command.
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

// open opens the export data of an imported package.
func (l loader) open(p listed, path string) (io.ReadCloser, error) {
	if mapped := p.ImportMap[path]; mapped != "" {
		path = mapped
	}
	file := l.exports[path]
	if file == "" {
		return nil, fmt.Errorf("package %s was not compiled", path)
	}
	return os.Open(file)
}
