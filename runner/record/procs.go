package record

import (
	"slices"
	"strconv"
	"strings"
)

// ProcsInNames is the value of gomaxprocs for a run measured at several values of GOMAXPROCS, or at
// a given list of values. Each name then has its own -N suffix, as printed by `go test -cpu`, and
// no suffix at 1. The value distinguishes these names from equal names in a run whose environment
// has a single GOMAXPROCS.
const ProcsInNames = "in names"

// splitProcs removes the -N suffix for GOMAXPROCS from the names and splits the group by
// GOMAXPROCS.
//
// The suffix is ambiguous: `go test` omits it at GOMAXPROCS=1, and a name like Sort/n-10 only looks
// as if it had one. If the environment states GOMAXPROCS, exactly its suffix is removed. Otherwise
// suffixes are removed only if the whole group agrees: every name has the same N or, after `go test
// -cpu 1,2,4`, every base name appears with every N. If it does not agree, the names are kept
// whole. They are also kept in perftrack's own output, because it contains suffixes only together
// with a gomaxprocs line.
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

// renamed returns the group with the given header and with its benchmarks renamed by the function
// name. It leaves out benchmarks for which name returns false. If none are left out, g must not be
// used afterwards.
func (g *group) renamed(header Settings, name func(BenchmarkID) (string, bool)) *group {
	out := &group{header: header, pos: g.pos, index: make(map[BenchmarkID]*pack, len(g.packs))}
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
		readers[i].pack, readers[i].uses = p, p.id.Kind == Bench // a scope is part of the run at every GOMAXPROCS
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

// suffix returns the suffix that FullName adds for GOMAXPROCS n.
func suffix(kind Kind, n string) string {
	if n == "1" || kind != Bench {
		return ""
	}
	return "-" + n
}

// agreedProcs returns the values of GOMAXPROCS in the names. ok is false if the names do not agree
// on them.
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
	// If no name has a suffix, either GOMAXPROCS was 1 or the program does not print suffixes.
	return procs, len(procs) > 0 && !(len(procs) == 1 && procs[0] == "1")
}

// WithoutProcs returns a benchmark's name without the -N suffix for GOMAXPROCS, as reports show it.
// A name without a suffix may happen to end in the same way, so look up the whole name first.
func WithoutProcs(name string) string {
	base, _ := splitSuffix(name)
	return base
}

// ProcsOfName splits a name from a run with [ProcsInNames] into its base and its N. Without a
// suffix, it returns the whole name and 1. Sort/n-10 can mean either Sort/n at 10 or Sort/n-10 at
// 1; only the caller can know which.
func ProcsOfName(name string) (base string, n int) {
	base, text := splitSuffix(name)
	n, _ = strconv.Atoi(text) // splitSuffix returns a valid number
	return base, n
}

// WithProcs returns the name of a benchmark at GOMAXPROCS n, as printed by `go test -cpu`. If n is
// 0, the environment's GOMAXPROCS applies and the name is unchanged.
func WithProcs(name string, n int) string {
	if n < 2 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// splitSuffix splits the suffix -N off name. A name without a suffix counts as GOMAXPROCS 1.
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
