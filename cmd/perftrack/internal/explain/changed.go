package explain

import (
	"bytes"
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
)

// findChanged finds the Go functions that differ between the two commits, checked out in tops. They
// are functions missing on one side, functions with declarations that differ in more than comments
// and layout, and functions mentioning a changed constant, variable or type from their package.
func (e *explanation) findChanged(ctx context.Context, tops [2]string) error {
	files, err := e.where.Repo.ChangedFiles(ctx, [][2]string{{e.base.SHA, e.head.SHA}})
	if err != nil {
		return fault.Git(err)
	}
	e.changed = map[string]bool{}
	folders := map[string]bool{}
	for _, f := range files[0] {
		if strings.HasSuffix(f, ".go") && !strings.Contains(f, "testdata/") {
			folders[filepath.Dir(filepath.FromSlash(f))] = true
		}
	}
	for folder := range folders {
		one, other := declarations(filepath.Join(tops[0], folder)), declarations(filepath.Join(tops[1], folder))
		path := cmp.Or(importPath(tops[1], folder), importPath(tops[0], folder))
		for name := range one.changed(other) {
			e.changed[path+name] = true
		}
	}
	return nil
}

// isChanged reports whether a function, named as in a profile, differs between the commits.
func (e *explanation) isChanged(function string) bool { return e.changed[declaredName(function)] }

var (
	typeArguments = regexp.MustCompile(`\[[^\[\]]*\]`)
	insideOf      = regexp.MustCompile(`\.(func[0-9]+|gowrap[0-9]+|deferwrap[0-9]+|[0-9]+)(\..*)?$`)
	rangeBody     = regexp.MustCompile(`-(range[0-9]+|fm)`)
)

// declaredName returns the declared name of a function in a profile. It removes type arguments, the
// star of the receiver, and the compiler's names for closures.
func declaredName(function string) string {
	for typeArguments.MatchString(function) {
		function = typeArguments.ReplaceAllString(function, "")
	}
	slash := strings.LastIndexByte(function, '/') + 1
	folder, name := function[:slash], rangeBody.ReplaceAllString(function[slash:], "")
	name = strings.NewReplacer("(*", "", ")", "").Replace(name)
	return folder + insideOf.ReplaceAllString(name, "")
}

// A declared holds the declarations in a folder's Go files as text. Functions are keyed by ".f",
// ".T.f" or, in an external test package, "_test.f"; constants, variables and types are keyed by
// name.
type declared struct {
	functions, names map[string]string
	uses             map[string]map[string]bool // names mentioned in each function
}

// declarations reads the declarations in a folder. It ignores unreadable files and invalid Go.
func declarations(dir string) declared {
	d := declared{map[string]string{}, map[string]string{}, map[string]map[string]bool{}}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		set := token.NewFileSet()
		if f, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution); err == nil {
			d.add(set, f, strings.HasSuffix(f.Name.Name, "_test") && strings.HasSuffix(path, "_test.go"))
		}
	}
	return d
}

func (d declared) add(set *token.FileSet, f *ast.File, external bool) {
	prefix := map[bool]string{true: "_test.", false: "."}[external]
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := prefix + receiver(decl) + decl.Name.Name
			d.functions[name] += source(set, decl) // there may be one declaration per platform
			d.uses[name] = mentioned(decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.addNames(set, prefix, decl, spec)
			}
		}
	}
}

// addNames adds the constants, variables or types declared by spec. The text of a constant without
// a value is its whole declaration, because its value depends on the constants before it.
func (d declared) addNames(set *token.FileSet, prefix string, decl *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		d.names[prefix+spec.Name.Name] += source(set, spec)
	case *ast.ValueSpec:
		text := source(set, spec)
		if spec.Values == nil && decl.Tok == token.CONST {
			text = source(set, decl)
		}
		for _, name := range spec.Names {
			if name.Name != "_" {
				d.names[prefix+name.Name] += text
			}
		}
	}
}

func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	of := decl.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "."
		default:
			return ""
		}
	}
}

// source prints a declaration without comments and on a single line, so that only differences in
// code matter.
func source(set *token.FileSet, node ast.Node) string {
	var text bytes.Buffer
	if err := printer.Fprint(&text, set, node); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

func mentioned(node ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// changed returns the functions that differ between d and other.
func (d declared) changed(other declared) map[string]bool {
	names := map[string]bool{}
	for name := range differing(d.names, other.names) {
		names[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	changed := differing(d.functions, other.functions)
	for _, side := range []declared{d, other} {
		for function, uses := range side.uses {
			for name := range names {
				if uses[name] {
					changed[function] = true
				}
			}
		}
	}
	return changed
}

func differing(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range maps.Keys(a) {
		out[name] = a[name] != b[name]
	}
	for name := range b {
		out[name] = a[name] != b[name]
	}
	maps.DeleteFunc(out, func(_ string, differs bool) bool { return !differs })
	return out
}

// importPath returns the import path of a folder in the checkout at top: the path of the folder's
// module followed by the folder's path within the module. It returns "" if the folder is not in a
// module.
func importPath(top, folder string) string {
	way := []string{}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(top, dir, "go.mod")); err == nil {
			module := modules.ParsePath(text)
			if module == "" {
				return ""
			}
			slices.Reverse(way)
			return strings.Join(append([]string{module}, way...), "/")
		}
		if dir == "." {
			return ""
		}
		way = append(way, filepath.Base(dir))
	}
}
