package runner

import (
	"slices"

	"github.com/perftrack/perftrack/runner/program"
)

// incomplete is a program with several packages. It can report those that did not build.
type incomplete interface {
	Unbuilt() []program.Unbuilt
}

// leaveOutUnbuilt records the packages that do not build on the i-th side.
func (m *measurement) leaveOutUnbuilt(i int, prog program.Program) {
	if some, ok := prog.(incomplete); ok {
		for _, u := range some.Unbuilt() {
			u.Side = i
			m.out.Unbuilt = append(m.out.Unbuilt, u)
		}
	}
}

// dropUnpaired removes the slots of packages that do not build on the other side, because they
// could not be compared.
func (m *measurement) dropUnpaired() {
	m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
		return slices.ContainsFunc(m.out.Unbuilt, func(u program.Unbuilt) bool { return u.Package == e.Package })
	})
}
