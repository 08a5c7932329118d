package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/spelling"
	"github.com/perftrack/perftrack/store"
)

// FindBenchmarks returns the benchmarks called name, in any suite, package or target. If there are
// benchmarks with exactly this name, or with this package.name, it returns all of them. Otherwise
// name must be the end of only one full name, and FindBenchmarks returns the benchmarks with this
// full name.
func FindBenchmarks(all []store.BenchmarkInfo, name string) ([]store.BenchmarkInfo, error) {
	matches := func(match func(full, short string) bool) (found []store.BenchmarkInfo) {
		for _, b := range all {
			if match(fullName(b), b.Name) {
				found = append(found, b)
			}
		}
		return found
	}
	if found := matches(func(full, short string) bool { return short == name || full == name }); len(found) > 0 {
		return found, nil
	}
	found := matches(func(full, _ string) bool { return strings.HasSuffix(full, name) })
	if benches := onlyBenches(found); len(benches) > 0 {
		found = benches // scopes are parts of benchmarks
	}
	if len(found) > 0 && !slices.ContainsFunc(found, func(b store.BenchmarkInfo) bool { return fullName(b) != fullName(found[0]) }) {
		return found, nil
	}
	if len(found) > 0 {
		return nil, fmt.Errorf("%q is ambiguous, because %d benchmarks end with it: give more of the name:%s", name, len(found), candidates(found))
	}
	near := matches(func(full, _ string) bool {
		return strings.Contains(strings.ToLower(full), strings.ToLower(name))
	})
	if short := record.WithoutProcs(name); len(near) == 0 && short != name {
		return FindBenchmarks(all, short) // as in reports
	}
	if short, ok := strings.CutPrefix(name, "Benchmark"); ok && len(near) == 0 && short != "" {
		return FindBenchmarks(all, short) // as in the source
	}
	if len(near) == 0 {
		near = nearest(all, name)
	}
	if len(near) == 0 {
		return nil, fmt.Errorf("no benchmark %q is stored: see `perftrack list benchmarks`", name)
	}
	return nil, fmt.Errorf("no benchmark %q is stored; similar names are:%s", name, candidates(near))
}

// nearest returns the benchmarks with the most similar name.
func nearest(all []store.BenchmarkInfo, name string) []store.BenchmarkInfo {
	var names []string
	for _, b := range all {
		names = append(names, b.Name)
	}
	word := spelling.Nearest(name, names)
	return slices.DeleteFunc(slices.Clone(all), func(b store.BenchmarkInfo) bool { return b.Name != word })
}

func onlyBenches(list []store.BenchmarkInfo) []store.BenchmarkInfo {
	return slices.DeleteFunc(slices.Clone(list), func(b store.BenchmarkInfo) bool { return b.Kind != record.Bench })
}

func fullName(b store.BenchmarkInfo) string {
	if b.Package == "" {
		return b.Name
	}
	return b.Package + "." + b.Name
}

func candidates(list []store.BenchmarkInfo) string {
	const shown = 20
	var s strings.Builder
	for i, b := range list {
		if i == shown {
			fmt.Fprintf(&s, "\n  and %d more", len(list)-shown)
			break
		}
		fmt.Fprintf(&s, "\n  %s  (target %s", fullName(b), b.Target)
		if b.Suite != "" {
			fmt.Fprintf(&s, ", suite %s", b.Suite)
		}
		s.WriteString(")")
	}
	return s.String()
}
