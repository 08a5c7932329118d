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

// findChanged notes which Go functions differ between the commits, from the checkouts of
// both: those whose declaration differs in more than comments and layout, or that only
// one side has, or that name a constant, variable or type of their package which differs.
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

// isChanged reports whether a function, as a profile names it, differs between the commits.
func (e *explanation) isChanged(function string) bool { return e.changed[declaredName(function)] }

var (
	typeArguments = regexp.MustCompile(`\[[^\[\]]*\]`)
	insideOf      = regexp.MustCompile(`\.(func[0-9]+|gowrap[0-9]+|deferwrap[0-9]+|[0-9]+)(\..*)?$`)
	rangeBody     = regexp.MustCompile(`-(range[0-9]+|fm)`)
)

// declaredName is the name under which a function of a profile is declared: without type
// arguments, the star of its receiver, and what the compiler calls the closures in it.
func declaredName(function string) string {
	for typeArguments.MatchString(function) {
		function = typeArguments.ReplaceAllString(function, "")
	}
	slash := strings.LastIndexByte(function, '/') + 1
	folder, name := function[:slash], rangeBody.ReplaceAllString(function[slash:], "")
	name = strings.NewReplacer("(*", "", ")", "").Replace(name)
	return folder + insideOf.ReplaceAllString(name, "")
}

// A declared is what the Go files of a folder declare, each as text: the functions, by
// ".f", ".T.f", or "_test.f" of an external test; and by their names constants, variables
// and types.
type declared struct {
	functions, names map[string]string
	uses             map[string]map[string]bool // names that a function mentions
}

// declarations reads a folder. Files that are no Go declare nothing.
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
			d.functions[name] += source(set, decl) // there may be one a platform
			d.uses[name] = mentioned(decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.addNames(set, prefix, decl, spec)
			}
		}
	}
}

// addNames notes what a specification declares. A constant depends on those before it.
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

// source is a declaration as gofmt would print it, without comments and on lines of its own
// choice, so that only code makes a difference.
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

// changed returns the functions that differ.
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

// importPath is that of a folder of a checkout: the path of the module that it lies in and
// the way from there; "" in none.
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
