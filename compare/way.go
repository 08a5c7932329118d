package compare

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// way returns how a benchmark of the trial was measured, by the newest of its runs that
// knows, nil if none does.
func (p *Pairing) way(id record.BenchmarkID) *record.Way {
	if !p.Trial {
		return nil
	}
	for _, r := range slices.Backward(p.runs[head]) {
		if w, ok := record.WayOf(p.waysOf(r), id.Package, id.Name); ok {
			return &w
		}
	}
	return nil
}

// waysOf returns what a run says of its ways, and reads it once.
func (p *Pairing) waysOf(r *record.Run) []record.Way {
	ways, ok := p.ways[r]
	if !ok {
		if p.ways == nil {
			p.ways = map[*record.Run][]record.Way{}
		}
		ways = record.Ways(r)
		p.ways[r] = ways
	}
	return ways
}
