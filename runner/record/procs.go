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
		for i := range g.results {
			id := &g.results[i].id
			if base := strings.TrimSuffix(id.Name, g.results[i].suffix(n)); base != "" {
				id.Name = base
			}
		}
		return []*group{g}
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
		part := &group{header: slices.Clone(g.header).Set(KeyGOMAXPROCS, n)}
		for _, r := range g.results {
			base, have := splitSuffix(r.id.Name)
			if have == n || r.id.Kind == Scope {
				if r.id.Kind == Bench && n != "1" {
					r.id.Name = base
				}
				part.results = append(part.results, r)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// suffix returns what FullName appends for GOMAXPROCS n.
func (r *result) suffix(n string) string {
	if n == "1" || r.id.Kind != Bench {
		return ""
	}
	return "-" + n
}

// agreedProcs returns the values of GOMAXPROCS that all names agree on.
func (g *group) agreedProcs() (procs []string, ok bool) {
	byBase := map[string][]string{}
	for _, r := range g.results {
		if r.id.Kind != Bench {
			continue
		}
		base, n := splitSuffix(r.id.Name)
		key := r.id.Package + "\x00" + base
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
