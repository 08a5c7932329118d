// Package childenv decides which variables of the environment the programs get that perftrack
// starts: of all that the caller has, those on a list.
//
// The code that is measured may be a stranger's, and what stands in an environment may be a token.
// So a benchmark, a build line and the list of a test binary's benchmarks get [Measured]: what
// decides how a program runs, and the names that perftrack.toml lists. The go command and git run no
// code of the repository and fetch what it needs: they get [Tools], which adds what identifies the
// user to servers. [Seal] closes perftrack's own process to others.
//
// It is a leaf of the runner. Begin with names.go, which has the lists.
package childenv

import (
	"os"
	"slices"
	"strings"
)

// Measured is the environment of a program whose code is the repository's: the variables of the
// list, and the extra ones.
func Measured(extra []string) []string { return of(os.Environ(), extra, false) }

// Tools is the environment of the go command and of git.
func Tools() []string { return of(os.Environ(), nil, true) }

// Withheld names the variables that the caller has and a measured program does not get, sorted.
func Withheld(extra []string) (names []string) {
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); name != "" && value != "" && !measured(kv) && !slices.Contains(extra, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// of keeps the variables on the lists, in their order. It is never nil: that would be all of them.
func of(environ, extra []string, tools bool) []string {
	kept := make([]string, 0, len(environ))
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if measured(kv) || tools && isOneOf(name, forTools, toolPrefixes) || slices.Contains(extra, name) {
			kept = append(kept, kv)
		}
	}
	return kept
}

// measured reports whether measured code gets a variable. An address may hold a password.
func measured(kv string) bool {
	name, value, _ := strings.Cut(kv, "=")
	return isOneOf(name, forAll, prefixes) || slices.Contains(addresses, name) && !strings.Contains(value, "@")
}

func isOneOf(name string, names, prefixes []string) bool {
	return slices.Contains(names, name) ||
		slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) && !Credential(name)
}

// Credential reports whether a variable is, by its name, one that identifies somebody: no
// perftrack.toml gives it to a benchmark.
func Credential(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(forTools, name) || slices.ContainsFunc(credentialWords, func(word string) bool { return strings.Contains(name, word) }) ||
		strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_PAT")
}
