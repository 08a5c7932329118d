package reach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Build is what the test binaries of one side are linked from.
type Build struct {
	dir      string             // of the side
	root     string             // of the repository that it is in
	packages map[string]*listed // by import path, a variant for a test by the go command's name for it
	archives map[string]*compiled
	files    *tree
}

// A listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir, Export string
	Standard, Incomplete    bool
	Deps                    []string
	DefaultGODEBUG          string // which the linker writes into a test binary
}

// flags are those of the build of test binaries that tell in the compiled packages.
var flags = []string{"-trimpath", "-buildvcs=false"}

// Load asks the go command for the compiled packages of which the test binaries of the packages
// are linked. Those that it has just built are in its cache. Overlay is the file of -overlay with
// which they were built, or "".
func Load(ctx context.Context, dir string, importPaths []string, overlay string) (*Build, error) {
	argv := append([]string{"go", "list", "-e", "-deps", "-test", "-export", "-json=ImportPath,Dir,Export,Standard,Incomplete,Deps,DefaultGODEBUG"}, flags...)
	if overlay != "" {
		argv = append(argv, "-overlay="+overlay)
	}
	argv = append(append(argv, "--"), importPaths...)
	out, err := build.Step(ctx, "the compiled packages of "+strings.Join(importPaths, " "), proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	b := &Build{dir: dir, root: repositoryOf(dir), packages: map[string]*listed{}, archives: map[string]*compiled{}}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		p := &listed{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read the list of compiled packages: %w", err)
		}
		b.packages[p.ImportPath] = p
	}
	if b.files, err = readTree(b.root); err != nil {
		return nil, err
	}
	return b, nil
}

// parts are the packages of a test binary.
type parts struct {
	main     *listed
	godebug  string
	ours     []*compiled
	standard map[string]string // what of the standard library is compiled to what file
}

func (b *Build) parts(importPath string) (*parts, error) {
	main := b.packages[importPath+".test"]
	if main == nil || main.Incomplete || main.Export == "" {
		return nil, fmt.Errorf("find the code of %s: the go command has no compiled test of it", importPath)
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
			return nil, fmt.Errorf("find the code of %s: the go command has no compiled %s", importPath, name)
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

// read reads a compiled package once.
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

// folder returns where a package is, below the repository, with slashes.
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
