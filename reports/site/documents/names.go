package documents

import (
	"path"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Named is a benchmark together with its target.
type Named struct {
	Target string
	record.BenchmarkID
}

// Paths returns the names of benchmarks in addresses. A name consists of the target, the last
// element of the package path and the benchmark's name. If several benchmarks share a name, Paths
// adds the word scope, the suite and the whole package path until the names differ. If they never
// do, the name is the id of the document. Benchmarks are named before scopes, so that scopes with
// the same names get the longer ones.
func Paths(all []Named) []string {
	forms := []func(n Named) string{
		func(n Named) string { return join(n.Target, lastOf(n), n.Name) },
		func(n Named) string { return join(n.Target, lastOf(n), kindWord(n), n.Name) },
		func(n Named) string { return join(n.Target, lastOf(n), n.Suite, kindWord(n), n.Name) },
		func(n Named) string { return join(n.Target, n.Package, n.Suite, kindWord(n), n.Name) },
		func(n Named) string { return reports.BenchmarkFile(n.Target, n.BenchmarkID) },
	}
	paths := make([]string, len(all))
	taken := map[string]bool{}
	for _, kind := range []record.Kind{record.Bench, record.Scope} {
		var left []int // indices of benchmarks without a path yet
		for i, n := range all {
			if (n.Kind == record.Scope) == (kind == record.Scope) {
				left = append(left, i)
			}
		}
		for _, form := range forms {
			count := map[string]int{}
			for _, i := range left {
				count[form(all[i])]++
			}
			var again []int
			for _, i := range left {
				if p := form(all[i]); count[p] == 1 && !taken[p] {
					paths[i] = p
				} else {
					again = append(again, i)
				}
			}
			for p := range count { // later forms must not use an ambiguous name
				taken[p] = true
			}
			left = again
		}
	}
	return paths
}

// lastOf returns the last element of the package path, or "" if it is the same as the target.
func lastOf(n Named) string {
	if last := path.Base(n.Package); n.Package != "" && last != n.Target {
		return last
	}
	return ""
}

func kindWord(n Named) string {
	if n.Kind == record.Scope {
		return "scope"
	}
	return ""
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "/")
}
