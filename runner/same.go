package runner

import (
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/runner/identity"
)

// identified is a program that can say what code it measures, so that two of them can be
// compared.
type identified interface {
	// codeOf identifies all that a slot's time depends on but the machine: the
	// code and the files beside it. "" is unknown.
	codeOf(s Slot) string
	// sourceOf identifies the source of the slot's benchmark function, "" unknown.
	sourceOf(s Slot) string
}

// leaveOutSame drops the slots of a trial whose code is the same on both sides: there
// nothing can have become slower. It also records those whose benchmark function itself
// was changed: their two sides are two different benchmarks.
func (m *measurement) leaveOutSame() {
	if !m.Identify || len(m.programs) != 2 {
		return
	}
	base, ok1 := m.programs[0].(identified)
	head, ok2 := m.programs[1].(identified)
	if !ok1 || !ok2 {
		return
	}
	sameTools := slices.Equal(m.out.Environments[0], m.out.Environments[1])
	m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
		if len(e.sides) != 2 {
			return false
		}
		if code := base.codeOf(e.Slot); sameTools && code != "" && code == head.codeOf(e.Slot) {
			m.out.Same = append(m.out.Same, e.Slot)
			return true
		}
		if b, h := base.sourceOf(e.Slot), head.sourceOf(e.Slot); b != "" && h != "" && b != h {
			m.out.Rewritten = append(m.out.Rewritten, e.Slot)
		}
		return false
	})
}

// codeOf reads the binary as it was linked first, with the same layout on both
// sides.
func (g *gotestProgram) codeOf(s Slot) string {
	if code, ok := g.codes[s.Package]; ok {
		return code
	}
	if g.codes == nil {
		g.codes = map[string]string{}
	}
	pkg := g.dirs[s.Package]
	code, err := identity.CodeHash(g.binaries[s.Package])
	if err == nil {
		var files string
		files, err = identity.TreeHash(filepath.Join(pkg.Dir, "testdata"))
		code += files
	}
	if err != nil {
		code = "" // it is measured, then
	}
	g.codes[s.Package] = code
	return code
}

func (g *gotestProgram) sourceOf(s Slot) string {
	pkg := g.dirs[s.Package]
	sum, err := identity.FunctionHash(pkg.Dir, slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles), s.Bench)
	if err != nil {
		return ""
	}
	return sum
}
