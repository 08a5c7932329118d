package reach

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner/gotool"
)

// A Build holds the compiled packages from which the linker creates the test binaries of one side,
// and the files the benchmarks may read.
type Build struct {
	dir      string             // directory of the side
	root     string             // root of its repository
	packages map[string]*listed // by import path; a variant of a package for a test has the name that the go command gives it
	archives map[string]*compiled
	files    *tree
}

// listed is a package as the go command lists it.
type listed struct {
	ImportPath, Dir, Export string
	Standard, Incomplete    bool
	Deps                    []string
	DefaultGODEBUG          string // the linker writes it into a test binary
}

// flags are the build flags of test binaries that affect compiled packages.
var flags = []string{"-trimpath", "-buildvcs=false"}

// Load returns the compiled packages in the test binaries of the given packages. The go command
// takes recently built packages from its cache. overlay is the -overlay file used for the build, or
// "".
func Load(ctx context.Context, dir string, importPaths []string, overlay string) (*Build, error) {
	argv := append([]string{"go", "list", "-e", "-deps", "-test", "-export", "-json=ImportPath,Dir,Export,Standard,Incomplete,Deps,DefaultGODEBUG"}, flags...)
	if overlay != "" {
		argv = append(argv, "-overlay="+overlay)
	}
	argv = append(append(argv, "--"), importPaths...)
	list, err := gotool.List[*listed](ctx, "the compiled packages of "+strings.Join(importPaths, " "), dir, argv...)
	if err != nil {
		return nil, err
	}
	b := &Build{dir: dir, root: repositoryOf(dir), packages: map[string]*listed{}, archives: map[string]*compiled{}}
	for _, p := range list {
		b.packages[p.ImportPath] = p
	}
	if b.files, err = readTree(b.root); err != nil {
		return nil, err
	}
	return b, nil
}

// parts holds the packages of a test binary.
type parts struct {
	main     *listed
	godebug  string
	ours     []*compiled
	standard map[string]string // path of the compiled file of each package of the standard library
}

func (b *Build) parts(importPath string) (*parts, error) {
	main := b.packages[importPath+".test"]
	if main == nil || main.Incomplete || main.Export == "" {
		return nil, fmt.Errorf("find the code of %s: the go command lists no compiled test for it", importPath)
	}
	p := &parts{main: b.packages[importPath], godebug: main.DefaultGODEBUG, standard: map[string]string{}}
	if p.main == nil {
		return nil, fmt.Errorf("find the code of %s: the go command does not list it", importPath)
	}
	for _, name := range append([]string{main.ImportPath}, main.Deps...) {
		d := b.packages[name]
		switch {
		case name == "unsafe" || name == "C":
		case d == nil || d.Export == "" || d.Incomplete:
			return nil, fmt.Errorf("find the code of %s: the go command lists no compiled %s", importPath, name)
		case d.Standard:
			p.standard[name] = d.Export
		default:
			c, err := b.read(d)
			if err != nil {
				return nil, err
			}
			p.ours = append(p.ours, c)
		}
	}
	return p, nil
}

// read reads a compiled package, or returns the result if it has been read before.
func (b *Build) read(p *listed) (*compiled, error) {
	if c, ok := b.archives[p.Export]; ok {
		return c, nil
	}
	text, err := os.ReadFile(p.Export)
	if err != nil {
		return nil, fmt.Errorf("read compiled package: %w", err)
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c, err := readCompiled(path, text)
	if err != nil {
		return nil, fmt.Errorf("read compiled package %s: %w", p.ImportPath, err)
	}
	b.archives[p.Export] = c
	return c, nil
}

// folder returns the slash-separated path of a package relative to the repository.
func (b *Build) folder(p *listed) (string, error) {
	dir, err := filepath.EvalSymlinks(b.root)
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", p.ImportPath, err)
	}
	at, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", p.ImportPath, err)
	}
	below, err := filepath.Rel(dir, at)
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("find the files of %s: it is not below %s", p.ImportPath, b.root)
	}
	return filepath.ToSlash(below), nil
}
