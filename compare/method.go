package compare

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// way returns how a benchmark of the trial was measured, according to the newest run with a record
// of it, or nil.
func (p *Pairing) way(id record.BenchmarkID) *record.Method {
	if !p.Trial {
		return nil
	}
	for _, r := range slices.Backward(p.runs[head]) {
		if w, ok := record.MethodOf(r.Protocol.Methods, id.Package, id.Name); ok {
			return &w
		}
	}
	return nil
}
