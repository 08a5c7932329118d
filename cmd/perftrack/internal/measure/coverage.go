package measure

import (
	"slices"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// NoteCoverage records the benchmarks of a trial that were left out, and those that only one side
// has.
func (rec *Recording) NoteCoverage(out runner.Outcome) {
	same, unreached := byPackage(out.Same), byPackage(out.Unreached)
	rec.Note(func(h *record.Run) {
		p := &h.Protocol
		p.SameCode, p.Unreached, p.Lacks = same, unreached, byPackage(out.Lacking[SideIndex(h.Side)])
	})
}

// byPackage counts the slots of each package, in the order of the package's first slot.
func byPackage(slots []program.Slot) (counts []record.Count) {
	for _, s := range slots {
		i := slices.IndexFunc(counts, func(c record.Count) bool { return c.Package == s.Package })
		if i < 0 {
			i = len(counts)
			counts = append(counts, record.Count{Package: s.Package})
		}
		counts[i].Benchmarks++
	}
	return counts
}
