package reach

import "strings"

// Path returns the shortest chain of references from a benchmark to a change. It begins with the
// benchmark and ends with the changed symbol. If only code that every benchmark runs reaches the
// change, the chain begins there. If the change is a file, a setting or unknown code, the chain
// consists only of its name. Path returns nil if the benchmark reaches no change.
func (d *Difference) Path(benchmark string) []string {
	changed := d.Reaches(benchmark)
	if changed == "" {
		return nil
	}
	var best []string
	for _, p := range d.sides {
		for _, from := range [][]int{d.functions(p, benchmark), p.roots} {
			if path := p.path(from); path != nil {
				if best == nil || len(path) < len(best) {
					best = path
				}
				break // common code is named only if there is no chain from the benchmark
			}
		}
	}
	if best == nil {
		return []string{changed}
	}
	return best
}

// functions returns the benchmark's symbols in the package and in its external test package.
func (d *Difference) functions(p *program, benchmark string) (ids []int) {
	name, _, _ := strings.Cut(benchmark, "/")
	for _, pkg := range []string{d.name, d.name + "_test"} {
		if id, ok := p.ids[pkg+".Benchmark"+name]; ok && len(p.nodes[id].hashes) > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// path returns the shortest chain from any of the symbols to a changed symbol, or nil. It follows
// the same edges as a flood, so it goes from a type to its methods only if the type is used.
func (p *program) path(from []int) (names []string) {
	type place struct {
		id  int
		use bool
	}
	before := map[place]place{}
	var queue []place
	visit := func(to, by place) {
		to.use = to.use && p.nodes[to.id].goType
		if _, known := before[to]; !known {
			before[to] = by
			queue = append(queue, to)
		}
	}
	nowhere := place{id: -1}
	for _, id := range from {
		visit(place{id: id}, nowhere)
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if p.nodes[at.id].changed {
			for ; at != nowhere; at = before[at] {
				names = append([]string{strings.ReplaceAll(p.nodes[at.id].name, "%2e", ".")}, names...)
			}
			return names
		}
		for _, e := range p.nodes[at.id].edges {
			if !e.method || at.use {
				visit(place{e.to, e.use || at.use}, at)
			}
		}
	}
	return nil
}
