package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A Package is the source of a package, including its tests, with type information.
type Package struct {
	ImportPath string
	// Incomplete is the reason why some types are unknown, or nil. Rules find nothing in code whose
	// types are unknown.
	Incomplete error

	files     []*ast.File
	positions *token.FileSet
	info      *types.Info
	declared  Declarations
	edits     []edit // created by Findings for Instrumented
}

// Declarations maps the full names of functions to their declarations, so rules can examine
// functions called by a benchmark.
type Declarations map[string]declaration

type declaration struct {
	*ast.FuncDecl
	info *types.Info
}

// NewPackage returns a type-checked package. It adds the package's functions to declared, the map
// shared by packages checked together.
func NewPackage(importPath string, positions *token.FileSet, files []*ast.File, info *types.Info, declared Declarations) *Package {
	p := &Package{ImportPath: importPath, files: files, positions: positions, info: info, declared: declared}
	for _, file := range files {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			if f, ok := info.Defs[d.Name].(*types.Func); ok {
				declared[f.FullName()] = declaration{d, info}
			}
		}
	}
	return p
}
