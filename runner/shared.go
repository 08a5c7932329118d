package runner

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

// A Shared is a benchmark, edited or new in head, measured with the same test files on both sides.
// The two sides then run the same benchmark on two states of the code.
type Shared struct {
	Slot  Slot
	Tests int  // the side that the test files come from
	New   bool // only head has the benchmark
}

// shareTests makes both sides measure edited and new benchmarks with the same test files. It builds
// head's test files with the code of base. Where that fails, it builds base's test files with the
// code of head, unless the benchmark is new. It records the benchmarks measured this way, and the
// edited ones for which neither combination builds.
func (m *measurement) shareTests(ctx context.Context) error {
	base, head := m.gotests()
	if !m.Share || m.Profile != "" || base == nil || gotool.HasFlag(base.flags, "overlay") {
		return nil
	}
	var edited, added []*entry
	for _, e := range m.open {
		switch b, h := base.sourceOf(e.Slot), head.sourceOf(e.Slot); {
		case len(e.sides) == 2 && b != "" && h != "" && b != h:
			edited = append(edited, e)
		case len(e.sides) == 1 && e.sides[0] == 1:
			added = append(added, e)
		}
	}
	if err := m.lend(ctx, 0, slices.Concat(edited, added)); err != nil {
		return err
	}
	edited = slices.DeleteFunc(edited, m.isShared)
	if err := m.lend(ctx, 1, edited); err != nil {
		return err
	}
	for _, e := range slices.DeleteFunc(edited, m.isShared) {
		m.out.Rewritten = append(m.out.Rewritten, e.Slot)
	}
	return nil
}

// gotests returns the two sides' programs with their own test files, or nil if the target is of
// another kind.
func (m *measurement) gotests() (base, head *gotestProgram) {
	if len(m.programs) != 2 {
		return nil, nil
	}
	own := func(p program) *gotestProgram {
		if b, ok := p.(*borrower); ok {
			return b.gotestProgram
		}
		g, _ := p.(*gotestProgram)
		return g
	}
	if base, head = own(m.programs[0]), own(m.programs[1]); head == nil {
		return nil, nil
	}
	return base, head
}

func (m *measurement) isShared(e *entry) bool {
	return slices.ContainsFunc(m.out.Shared, func(s Shared) bool { return s.Slot == e.Slot })
}

// lend builds the packages of the entries on one side with the other side's test files. The
// packages that build then measure the entries on the given side.
func (m *measurement) lend(ctx context.Context, side int, entries []*entry) error {
	own := [2]*gotestProgram{}
	own[0], own[1] = m.gotests()
	to, from := own[side], own[1-side]
	var pkgs []gotool.Package
	for _, e := range entries {
		pkg := from.dirs[e.Package]
		if slices.ContainsFunc(pkgs, func(p gotool.Package) bool { return p.ImportPath == e.Package }) {
			continue
		}
		dir, err := to.dirOf(pkg, from)
		if err != nil {
			return fmt.Errorf("find %s on the other side: %w", e.Package, err)
		}
		pkg.TestDir, pkg.Dir = pkg.Dir, dir
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			pkgs = append(pkgs, pkg)
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	if err := gotool.FindTestEmbeds(ctx, from.dir, pkgs); err != nil {
		return fmt.Errorf("list embedded test files: %w", err)
	}
	m.progress(Progress{Stage: "build", Rounds: m.Rounds, What: sideText(m.Sides[side], m.Target.Name) + " with the tests of " + m.Sides[1-side].Name})
	with, err := newGotest(&m.Plan, Side{Name: m.Sides[side].Name, Dir: m.Sides[side].Dir})
	if err != nil {
		return err
	}
	b := &borrower{gotestProgram: to, with: with, lent: map[Slot]bool{}}
	before := m.programs[side]
	m.programs[side] = b // closes the side's own program, too
	slots, err := with.borrow(ctx, pkgs, m.Sides[side].Throwaway)
	if errors.As(err, new(*build.Error)) || errors.As(err, new(*NoBenchmarksError)) {
		m.programs[side] = before
		return with.close()
	}
	if err != nil {
		return err
	}
	for _, s := range slots {
		i := slices.IndexFunc(m.open, func(e *entry) bool { return e.Slot == s })
		if i < 0 || m.lends(s) {
			continue
		}
		e := m.open[i]
		if len(e.sides) == 1 && (side == 1 || e.sides[0] == 0) {
			continue // a benchmark missing in head stays missing, even if base's test files build
		}
		b.lent[s] = true
		if slices.Contains(entries, e) {
			m.out.Shared = append(m.out.Shared, Shared{Slot: s, Tests: 1 - side, New: len(e.sides) == 1})
		}
		e.sides = []int{0, 1}
	}
	return nil
}

// lends reports whether either side already measures the slot with the other side's test files.
func (m *measurement) lends(s Slot) bool {
	return slices.ContainsFunc(m.programs, func(p program) bool {
		b, ok := p.(*borrower)
		return ok && b.lent[s]
	})
}

// dirOf returns pkg's directory on this side. The parameter of is the other side, which listed pkg.
func (g *gotestProgram) dirOf(pkg gotool.Package, of *gotestProgram) (string, error) {
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

// dropUnmeasured removes benchmarks from Outcome.Rewritten if they do not need to be measured.
func (m *measurement) dropUnmeasured() {
	m.out.Rewritten = slices.DeleteFunc(m.out.Rewritten, func(s Slot) bool {
		return !slices.ContainsFunc(m.open, func(e *entry) bool { return e.Slot == s })
	})
}

// takeBack is called if a benchmark failed in the warm-up. If side ran it with the other side's
// test files, takeBack makes each side use its own test files for it again, and returns true. A new
// benchmark then counts as missing in base, and an edited one as not comparable.
func (m *measurement) takeBack(e *entry, side int) bool {
	b, ok := m.programs[side].(*borrower)
	i := slices.IndexFunc(m.out.Shared, func(s Shared) bool { return s.Slot == e.Slot && s.Tests != side })
	if !ok || i < 0 {
		return false
	}
	was := m.out.Shared[i]
	delete(b.lent, e.Slot)
	m.out.Shared = slices.Delete(m.out.Shared, i, i+1)
	if was.New {
		e.sides = []int{1}
		m.out.Lacking[0] = append(m.out.Lacking[0], e.Slot)
	} else {
		m.out.Rewritten = append(m.out.Rewritten, e.Slot)
	}
	return true
}

// borrow builds packages with the test files of another side and lists their benchmarks. It leaves
// out packages that do not build. If throwaway is set, it may replace the packages' testdata, which
// tests can also embed. It restores the testdata of packages it leaves out.
func (g *gotestProgram) borrow(ctx context.Context, pkgs []gotool.Package, throwaway bool) (slots []Slot, err error) {
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
	if slots, err = g.slots(ctx); err != nil {
		return nil, err
	}
	return slots, g.writeOverlay() // only for the packages that build
}

// writeOverlay writes the overlay that makes the go command take the packages' test files from the
// other side.
func (g *gotestProgram) writeOverlay() error {
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

// sourceOf returns a hash of the source of the slot's benchmark, or "" if it is unknown.
func (g *gotestProgram) sourceOf(s Slot) string {
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
