package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/identity"
)

// Borrow builds packages of g with the test files of from, and returns the benchmarks of those that
// build. Before it builds, it calls building. If no package builds, the Borrower is nil. If
// throwaway is set, Borrow may replace files in the directory of g.
func (g *Gotest) Borrow(ctx context.Context, from *Gotest, packages []string, throwaway bool, building func()) (*Borrower, []Slot, error) {
	var pkgs []gotool.Package
	for _, importPath := range packages {
		pkg := from.dirs[importPath]
		dir, err := g.dirOf(pkg, from)
		if err != nil {
			return nil, nil, fmt.Errorf("find %s on the other side: %w", importPath, err)
		}
		pkg.TestDir, pkg.Dir = pkg.Dir, dir
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			pkgs = append(pkgs, pkg)
		}
	}
	if len(pkgs) == 0 {
		return nil, nil, nil
	}
	if err := gotool.FindTestEmbeds(ctx, from.dir, pkgs); err != nil {
		return nil, nil, fmt.Errorf("list embedded test files: %w", err)
	}
	building()
	with, err := newGotest(g.plan, Side{Dir: g.dir})
	if err != nil {
		return nil, nil, err
	}
	slots, err := with.borrow(ctx, pkgs, throwaway)
	if errors.As(err, new(*build.Error)) || errors.As(err, new(*NoBenchmarksError)) {
		return nil, nil, with.Close()
	}
	if err != nil {
		return nil, nil, errors.Join(err, with.Close())
	}
	return &Borrower{Gotest: g, with: with, lent: map[Slot]bool{}}, slots, nil
}

// dirOf returns pkg's directory on this side. The parameter of is the other side, which listed pkg.
func (g *Gotest) dirOf(pkg gotool.Package, of *Gotest) (string, error) {
	if own, ok := g.dirs[pkg.ImportPath]; ok {
		return own.Dir, nil
	}
	root, err := filepath.EvalSymlinks(of.dir)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(pkg.Dir)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(root, dir)
	return filepath.Join(g.dir, below), err
}

// borrow builds packages with the test files of another side and lists their benchmarks. It leaves
// out packages that do not build. If throwaway is set, it may replace the packages' testdata, which
// tests can also embed. It restores the testdata of packages it leaves out.
func (g *Gotest) borrow(ctx context.Context, pkgs []gotool.Package, throwaway bool) (slots []Slot, err error) {
	var moved []testdata
	defer func() {
		for _, d := range moved {
			used := func(p gotool.Package) bool { return filepath.Join(p.Dir, "testdata") == d.at }
			if err != nil || !slices.ContainsFunc(g.pkgs, used) {
				err = errors.Join(err, d.restore())
			}
		}
	}()
	for i, pkg := range pkgs {
		d := testdata{at: filepath.Join(pkg.Dir, "testdata"), kept: filepath.Join(g.bin, fmt.Sprintf("testdata-%d", i))}
		ok, err := d.replace(filepath.Join(pkg.TestDir, "testdata"), throwaway)
		if err != nil {
			return nil, err
		}
		if ok {
			moved, g.pkgs = append(moved, d), append(g.pkgs, pkg)
		}
	}
	if len(g.pkgs) == 0 {
		return nil, &NoBenchmarksError{g.patterns()}
	}
	g.overlay = filepath.Join(g.bin, "overlay.json")
	if err := g.writeOverlay(); err != nil {
		return nil, err
	}
	if err := g.build(ctx); err != nil {
		return nil, err
	}
	if slots, err = g.Slots(ctx); err != nil {
		return nil, err
	}
	return slots, g.writeOverlay() // only for the packages that build
}

// writeOverlay writes the overlay that makes the go command take the packages' test files from the
// other side.
func (g *Gotest) writeOverlay() error {
	replace := map[string]string{} // "" deletes the file
	for _, pkg := range g.pkgs {
		own, err := filepath.Glob(filepath.Join(escapeGlob(pkg.Dir), "*_test.go"))
		if err != nil {
			return fmt.Errorf("list test files: %w", err)
		}
		for _, file := range own {
			replace[file] = ""
		}
		_, names := pkg.Tests()
		for _, name := range slices.Concat(pkg.TestEmbedFiles, pkg.XTestEmbedFiles) {
			if !slices.Contains(pkg.EmbedFiles, name) { // otherwise it is also part of the code
				names = append(names, name)
			}
		}
		for _, name := range names {
			replace[filepath.Join(pkg.Dir, name)] = filepath.Join(pkg.TestDir, name)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(g.overlay, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write overlay: %w", err)
	}
	return nil
}

// escapeGlob escapes the special characters of [filepath.Glob].
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// SourceOf returns a hash of the source of the slot's benchmark, or "" if it is unknown.
func (g *Gotest) SourceOf(s Slot) string {
	pkg, ok := g.dirs[s.Package]
	if !ok {
		return ""
	}
	read, ok := g.sources[s.Package]
	if !ok {
		if g.sources == nil {
			g.sources = map[string]*identity.Benchmarks{}
		}
		dir, names := pkg.Tests()
		read, _ = identity.ReadBenchmarks(dir, names) // a file that does not parse does not build either
		g.sources[s.Package] = read
	}
	if read == nil {
		return ""
	}
	sum, _ := read.Hash(s.Bench)
	return sum
}
