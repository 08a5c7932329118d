package record

import (
	"slices"
	"strconv"
	"strings"
)

// ProcsInNames is the value of gomaxprocs in a run that measured its benchmarks at several,
// or by a list of them: each name has the -N of its own, as `go test -cpu` prints it, and none
// at 1. What another run calls by the same name, at the one GOMAXPROCS of its environment,
// is then never taken for it.
const ProcsInNames = "in names"

// splitProcs takes the -N of GOMAXPROCS off the names and returns the group in
// parts of one GOMAXPROCS each.
//
// The suffix is ambiguous: `go test` prints none at GOMAXPROCS=1, and the name
// Sort/n-10 then only looks as if it had one. Where the environment says what
// GOMAXPROCS was, exactly that suffix is taken off. Where it does not, a
// suffix counts only if the whole group agrees: every name has the same N, or
// (`go test -cpu 1,2,4`) every base name appears with every N. Else the names
// stay whole, as they do in what perftrack itself wrote: it appends a suffix
// only together with the line that tells GOMAXPROCS.
func (g *group) splitProcs() []*group {
	switch n := g.header.Get(KeyGOMAXPROCS); n {
	case "":
	case ProcsInNames:
		return []*group{g}
	default:
		return []*group{g.renamed(g.header, func(id BenchmarkID) (string, bool) {
			if base := strings.TrimSuffix(id.Name, suffix(id.Kind, n)); base != "" {
				return base, true
			}
			return id.Name, true
		})}
	}
	if g.ours() {
		return []*group{g}
	}
	procs, ok := g.agreedProcs()
	if !ok {
		return []*group{g}
	}
	var parts []*group
	for _, n := range procs {
		header := slices.Clone(g.header).Set(KeyGOMAXPROCS, n)
		parts = append(parts, g.renamed(header, func(id BenchmarkID) (string, bool) {
			base, have := splitSuffix(id.Name)
			if id.Kind == Bench && n != "1" {
				return base, have == n
			}
			return id.Name, have == n || id.Kind == Scope
		}))
	}
	return parts
}

// renamed returns the group with this header and its benchmarks by other names, but for those that
// name leaves out. The group is not used afterwards where all are in.
func (g *group) renamed(header Settings, name func(BenchmarkID) (string, bool)) *group {
	out := &group{header: header, pos: g.pos, index: map[BenchmarkID]*pack{}}
	var ids []BenchmarkID
	var packs []*pack
	for _, p := range g.packs {
		id, ok := p.id, false
		if id.Name, ok = name(id); ok {
			ids, packs = append(ids, id), append(packs, p)
			out.index[id] = p
		}
	}
	if len(out.index) == len(g.packs) {
		out.packs, out.results, out.samples = g.packs, g.results, g.samples
		for i, p := range packs {
			p.id = ids[i]
		}
		return out
	}
	out.index = nil
	readers := make([]reader, len(packs))
	for i, p := range packs {
		readers[i].pack, readers[i].uses = p, p.id.Kind == Bench // a scope is of each GOMAXPROCS
		readers[i].next()
	}
	var r result
	inOrder(len(packs), func(i int) (int, int, bool) {
		return readers[i].at.place, 0, !readers[i].done
	}, func(i int) {
		r.file = packs[i].pos
		out.add(ids[i], readers[i].result(&r))
		readers[i].next()
	})
	return out
}

// suffix returns what FullName appends for GOMAXPROCS n.
func suffix(kind Kind, n string) string {
	if n == "1" || kind != Bench {
		return ""
	}
	return "-" + n
}

// agreedProcs returns the values of GOMAXPROCS that all names agree on.
func (g *group) agreedProcs() (procs []string, ok bool) {
	byBase := map[string][]string{}
	for _, p := range g.packs {
		if p.id.Kind != Bench {
			continue
		}
		base, n := splitSuffix(p.id.Name)
		key := p.id.Package + "\x00" + base
		if !slices.Contains(byBase[key], n) {
			byBase[key] = append(byBase[key], n)
		}
		if !slices.Contains(procs, n) {
			procs = append(procs, n)
		}
	}
	for _, have := range byBase {
		if len(have) != len(procs) {
			return nil, false
		}
	}
	// No suffix anywhere: GOMAXPROCS=1, or a program that never prints one.
	return procs, len(procs) > 0 && !(len(procs) == 1 && procs[0] == "1")
}

// WithoutProcs returns a benchmark's name without the -N suffix of GOMAXPROCS that
// reports show. A name may end like that by itself: look for the whole name first.
func WithoutProcs(name string) string {
	base, _ := splitSuffix(name)
	return base
}

// ProcsOfName returns the N that a name of a run with [ProcsInNames] ends in, and what is before
// it: 1 and the whole name where there is none. Sort/n-10 may be Sort/n at 10 or
// itself at 1, so that the caller has to know which there are.
func ProcsOfName(name string) (base string, n int) {
	base, text := splitSuffix(name)
	n, _ = strconv.Atoi(text) // splitSuffix has read it
	return base, n
}

// WithProcs is the name of a benchmark at a GOMAXPROCS, as `go test -cpu` prints it; 0 is
// none of its own.
func WithProcs(name string, n int) string {
	if n < 2 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// splitSuffix splits -N off name; a name without one counts as GOMAXPROCS 1.
func splitSuffix(name string) (base, n string) {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 {
		return name, "1"
	}
	v, err := strconv.Atoi(name[i+1:])
	if err != nil || v < 2 || strconv.Itoa(v) != name[i+1:] {
		return name, "1"
	}
	return name[:i], name[i+1:]
}
