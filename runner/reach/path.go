package reach

import "strings"

// Path returns how a benchmark gets to what changed, by the shortest way through what refers to what:
// itself first, what changed last. Where what runs for every benchmark gets there it begins with that;
// of a file, a setting, or what is not understood, it is that alone. Nil of one that reaches no change.
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
				break // what runs for all benchmarks is said of one only where it gets there no other way
			}
		}
	}
	if best == nil {
		return []string{changed}
	}
	return best
}

// functions are the benchmark's, in the package or in its external tests.
func (d *Difference) functions(p *program, benchmark string) (ids []int) {
	name, _, _ := strings.Cut(benchmark, "/")
	for _, pkg := range []string{d.name, d.name + "_test"} {
		if id, ok := p.ids[pkg+".Benchmark"+name]; ok && len(p.nodes[id].hashes) > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// path is the shortest one from any of the symbols to one that changed, nil without. It goes where a
// flood does: from a type to its methods only where it is used.
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
