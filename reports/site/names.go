package site

import (
	"path"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// BenchmarkFile returns the id of a benchmark's document. It depends on the benchmark alone.
func BenchmarkFile(target string, id record.BenchmarkID) string {
	return HashID("b", target, string(id.Kind), id.Suite, id.Package, id.Name)
}

// A Named is a benchmark of a target.
type Named struct {
	Target string
	record.BenchmarkID
}

// Paths returns by what each benchmark is called in addresses: its target, the end of its
// package and its name. Where that means several, more stands between: that it is a scope of a
// profile, the suite, the whole package, and at last the id of its document instead. Benchmarks
// go before scopes, which often have their names.
func Paths(all []Named) []string {
	forms := []func(n Named) string{
		func(n Named) string { return join(n.Target, lastOf(n), n.Name) },
		func(n Named) string { return join(n.Target, lastOf(n), kindWord(n), n.Name) },
		func(n Named) string { return join(n.Target, lastOf(n), n.Suite, kindWord(n), n.Name) },
		func(n Named) string { return join(n.Target, n.Package, n.Suite, kindWord(n), n.Name) },
		func(n Named) string { return BenchmarkFile(n.Target, n.BenchmarkID) },
	}
	paths := make([]string, len(all))
	taken := map[string]bool{}
	for _, kind := range []record.Kind{record.Bench, record.Scope} {
		var left []int // those without a path
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
			for p := range count { // also what means several means none of a later form
				taken[p] = true
			}
			left = again
		}
	}
	return paths
}

// lastOf is the end of the package, nothing where the target is called so.
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
