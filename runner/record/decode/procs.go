package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/internal/merge"
)

// splitProcs removes the -N suffix for GOMAXPROCS from the names and splits the group by
// GOMAXPROCS.
//
// The suffix is ambiguous: `go test` omits it at GOMAXPROCS=1, and a name like Sort/n-10 only looks
// as if it had one. If the environment states GOMAXPROCS, exactly its suffix is removed. Otherwise
// suffixes are removed only if the whole group agrees: every name has the same N or, after `go test
// -cpu 1,2,4`, every base name appears with every N. Otherwise the names are kept whole. They are
// also kept in perftrack's own output, because it contains suffixes only together with a gomaxprocs
// line.
func (g *group) splitProcs() []*group {
	switch n := g.header.Get(record.KeyGOMAXPROCS); n {
	case "":
	case record.ProcsInNames:
		return []*group{g}
	default:
		return []*group{g.renamed(g.header, func(id record.BenchmarkID) (string, bool) {
			if base := strings.TrimSuffix(id.Name, suffix(id.Kind, n)); base != "" {
				return base, true
			}
			return id.Name, true
		})}
	}
	if g.header.Ours() {
		return []*group{g}
	}
	procs, ok := g.agreedProcs()
	if !ok {
		return []*group{g}
	}
	var parts []*group
	for _, n := range procs {
		header := slices.Clone(g.header).Set(record.KeyGOMAXPROCS, n)
		parts = append(parts, g.renamed(header, func(id record.BenchmarkID) (string, bool) {
			base, have := splitName(id.Name)
			if id.Kind == record.Bench && n != "1" {
				return base, have == n
			}
			return id.Name, have == n || id.Kind == record.Scope
		}))
	}
	return parts
}

// renamed returns the group with the given header and with its benchmarks renamed by the function
// name. It leaves out benchmarks for which name returns false. If none are left out, g must not be
// used afterwards.
func (g *group) renamed(header record.Settings, name func(record.BenchmarkID) (string, bool)) *group {
	out := &group{header: header, pos: g.pos, index: make(map[record.BenchmarkID]*pack, len(g.packs))}
	var ids []record.BenchmarkID
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
		readers[i].pack, readers[i].uses = p, p.id.Kind == record.Bench // a scope is part of the run at every GOMAXPROCS
		readers[i].next()
	}
	var r result
	merge.InOrder(len(packs), func(i int) (int, int, bool) {
		return readers[i].at.place, 0, !readers[i].done
	}, func(i int) {
		r.file = packs[i].pos
		out.add(ids[i], readers[i].result(&r))
		readers[i].next()
	})
	return out
}

// suffix returns the suffix that FullName adds for GOMAXPROCS n.
func suffix(kind record.Kind, n string) string {
	if n == "1" || kind != record.Bench {
		return ""
	}
	return "-" + n
}

// agreedProcs returns the values of GOMAXPROCS in the names. ok is false if the names do not agree
// on them.
func (g *group) agreedProcs() (procs []string, ok bool) {
	byBase := map[string][]string{}
	for _, p := range g.packs {
		if p.id.Kind != record.Bench {
			continue
		}
		base, n := splitName(p.id.Name)
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

// splitName is like [record.ProcsOfName], with GOMAXPROCS as text.
func splitName(name string) (base, n string) {
	base, procs := record.ProcsOfName(name)
	return base, strconv.Itoa(procs)
}
